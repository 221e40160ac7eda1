import Recordings
import Diagnostics
import Directory
import Documents
import Effects
import FuzzSupport
import HTTPTypes
import IdentityEmulator
import OrderedCollections
import Reports
import Scenarios
import SimulatedWorld
import WorkflowModel
import WorkflowRunner

/// Fuzz targets for entire projects. They load and check all files, run valid workflows, and render all reports.
enum ProjectTargets {
  /// Runs a workflow with its settings and its directory, like `authflow run`.
  static func run(_ input: [UInt8]) -> CInt {
    guard let project = InputProject(input), let loaded = LoadedWorkflow.read(project) else {
      return Reached.count(false)
    }
    func perform() -> ProjectRun {
      let stage = ProjectRun.stage(loaded.situation, of: project, seed: "run")
      return ProjectRun.of(loaded.workflow, on: stage)
    }
    let run = perform()
    RunOracles.check(run, of: project)
    // A second run halves the rate, so only some inputs run twice.
    if input.count.isMultiple(of: 8), !run.isCutShort {
      Oracles.require(perform().trace == run.trace, "the same run has a different trace")
    }
    TreePool.shared.add(project.tree)
    return Reached.count(true)
  }

  /// Runs some scenarios of a workflow, like `authflow test`.
  static func test(_ input: [UInt8]) -> CInt {
    guard let project = InputProject(input), let loaded = LoadedWorkflow.read(project, forScenarios: true) else {
      return Reached.count(false)
    }
    let isPast = run(scenariosOf: loaded, in: project)
    if isPast { TreePool.shared.add(project.tree) }
    return Reached.count(isPast)
  }

  /// Replays a recording with its workflow.
  static func recording(_ input: [UInt8]) -> CInt {
    guard let project = InputProject(input), let loaded = LoadedWorkflow.read(project),
      let recording = loaded.recording(in: project)
    else { return Reached.count(false) }
    let stage = ProjectRun.stage(loaded.situation, of: project, seed: "recording", recording: recording)
    RunOracles.check(ProjectRun.of(loaded.workflow, on: stage), of: project)
    TreePool.shared.add(project.tree)
    return Reached.count(true)
  }

  private static let mostScenarios = 2

  /// - Returns: Whether at least one scenario ran.
  private static func run(scenariosOf loaded: LoadedWorkflow, in project: InputProject) -> Bool {
    let (cases, diagnostics) = loaded.cases()
    Oracles.check(diagnostics)
    guard !diagnostics.hasErrors, !cases.isEmpty else { return false }
    var suite = SuiteResult(tool: "authflow 1", started: Instant(nanosecondsSince1970: 0))
    var secrets: Set<String> = []
    for (index, test) in cases.prefix(mostScenarios).enumerated() {
      let stage = ProjectRun.stage(test.situation, of: project, seed: test.seed)
      let run = ProjectRun.of(test.scenario, of: loaded.workflow, on: stage)
      RunOracles.check(run, of: project)
      secrets.formUnion(run.secrets)
      guard let report = run.report else { continue }
      suite.tests.append(TestResult(SuiteEntry(number: index + 1, test: test), report, events: run.events))
    }
    SuiteOracles.check(suite, secrets: secrets, of: project)
    return true
  }

  // MARK: Directories

  /// Loads a directory with users, apps, policies, and APIs. The users sign in and call Graph, and anonymous requests
  /// arrive.
  static func directory(_ input: [UInt8]) -> CInt {
    guard let project = InputProject(input), let bytes = project.files["directory.yaml"] else {
      return Reached.count(false)
    }
    let reading = DocumentReader.read(bytes, named: "directory.yaml")
    Oracles.check(reading.diagnostics)
    guard let root = reading.document?.root, !reading.diagnostics.hasErrors else { return Reached.count(false) }
    let (directory, diagnostics) = EmulatedDirectory.read(root)
    Oracles.check(diagnostics)
    Oracles.require(directory != nil || diagnostics.hasErrors, "neither a directory nor an error")
    guard let directory, !diagnostics.hasErrors, let base = calls.first else { return Reached.count(false) }
    var situation = base.situation
    situation.directory = directory
    let stage = ProjectRun.stage(situation, of: project, seed: "directory")
    for (index, call) in calls.enumerated() {
      RunOracles.check(ProjectRun.of(call.workflow, on: stage), of: project, rendersReports: index == 0)
    }
    send(requests(in: project), to: stage)
    TreePool.shared.add(project.tree)
    return Reached.count(true)
  }

  /// Workflows that sign in and call Graph. They run one after the other in the same environment.
  private static let calls: [LoadedWorkflow] = {
    let settings = "{AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: com.contoso.app}"
    let signIn = "[loadAccount, silent, interactive-fallback"
    let steps =
      ["/me", "/users", "/me/messages", "/me/memberOf", "/organization"].map { "\(signIn), callGraph: \($0)]" }
      + ["[signout]", "[deviceCode, callGraph: /me]"]
    return steps.compactMap { steps in
      let text = "authflow: 1\nsettings: \(settings)\nsteps: \(steps)\n"
      return LoadedWorkflow.read("calls.yaml") { path, options in
        DocumentReader.read(text, named: path, options: options)
      }.loaded
    }
  }()

  private static let standardRequests = [
    "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
    "https://login.microsoftonline.com/common/discovery/v2.0/keys", "https://graph.microsoft.com/v1.0/me",
    "https://graph.microsoft.com/_authflow/users", "https://graph.microsoft.com/_authflow/snapshot",
  ].compactMap { RequestMessage(url: $0) }

  /// Returns the requests in `requests.json`: a list of mappings with method, URL, headers, and body.
  private static func requests(in project: InputProject) -> [RequestMessage] {
    let written = (project.tree["requests.json"]?.array ?? []).prefix(10).compactMap { json -> RequestMessage? in
      var headers = HTTPFields()
      for (name, value) in json["headers"]?.object ?? [:] {
        if let name = HTTPField.Name(name), let value = value.string { headers[name] = value }
      }
      return RequestMessage(
        method: HTTPRequest.Method(json["method"]?.string ?? "GET") ?? .get, url: json["url"]?.string ?? "",
        headers: headers, body: Array((json["body"]?.string ?? json["body"]?.text() ?? "").utf8))
    }
    return standardRequests + written
  }

  private static func send(_ requests: [RequestMessage], to stage: ScenarioEnvironment) {
    Blocking.run {
      _ = try? await stage.simulation.run {
        for request in requests {
          let status = await stage.emulator.respond(to: request).head.status.code
          Oracles.require((100...599).contains(status), "\(request.url) returned the status \(status)")
        }
      }
    }
    let snapshot = stage.emulator.snapshot()
    Oracles.require((try? JSON(parsing: snapshot.utf8())) == snapshot, "the restored state differs")
  }
}
