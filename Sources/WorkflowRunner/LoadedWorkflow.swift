import AppRegistration
import Diagnostics
import Directory
import Documents
import OrderedCollections
import WorkflowModel

/// The apps and the directory of a run, as defined by the workflow or a scenario.
package struct AppConfiguration: Sendable {
  /// The apps by name. A single app has the name `app`.
  package var clients: OrderedDictionary<String, ResolvedSettings> = [:]
  package var directory = EmulatedDirectory.contoso
  /// The file that contains the directory, or nil if there is no such file.
  package var directoryPath: String?
  /// The errors that prevent the creation of application objects. If there is such an error, a run ends before its
  /// first step. A scenario can expect this failure.
  package var failures: [ApplicationFailure] = []
}

/// A workflow that has been read and validated, with its settings and its directory.
package struct LoadedWorkflow: Sendable {
  package var workflow: Workflow
  package var situation: AppConfiguration
  private let loader: SettingsLoader
  /// The findings in the workflow's own settings and directory.
  private let reported: Set<FindingKey>

  package var clients: OrderedDictionary<String, ResolvedSettings> { situation.clients }
  package var directory: EmulatedDirectory { situation.directory }
  package var directoryPath: String? { situation.directoryPath }

  /// Options for reading a workflow.
  package struct ReadOptions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The option to accept a loopback redirect URI. See `SettingsLoader`.
    package static let loopbackRedirect = ReadOptions(rawValue: 1)
    /// The option to skip decoding and checking the scenarios.
    package static let withoutScenarios = ReadOptions(rawValue: 2)
  }

  /// Reads a workflow or scenarios file and all referenced files.
  /// - Parameters:
  ///   - environment: The name of the environment whose settings override the settings files. See `SettingsOverlay`.
  ///   - platform: The platform for the run. The default is the workflow's platform.
  ///   - load: A closure that reads documents by path.
  /// - Returns: The valid parts of the workflow, and all findings. Errors in the configuration of application objects
  ///   are only in `situation.failures`.
  package static func read(
    _ path: String, definitions: Definitions = .none, environment: String? = nil,
    platform: Workflow.Platform? = nil, options: ReadOptions = [], load: @escaping DocumentLoader
  ) -> (loaded: LoadedWorkflow?, diagnostics: [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let reading = load(path, ReadingOptions())
    if let document = reading.document, AuthflowOutput.recognizes(document.root) {
      let reported = Diagnostic(
        .error, rule: "not-a-workflow", "this is a result of `authflow test`, not a workflow",
        help: "pass the workflow, or join results with `authflow merge`", at: document.root.place)
      return (nil, [reported])
    }
    if let document = reading.document, !WorkflowDecoder.isWorkflow(document), !reading.diagnostics.hasErrors {
      let kind = AppRegistrationKind.recognize(document)
      if kind != .unknown {
        let reported = Diagnostic(
          .error, rule: "not-a-workflow", "this is \(kind.description), not a workflow",
          help: "pass a file that contains `authflow: 1`", at: document.root.place)
        return (nil, [reported])
      }
    }
    let (workflow, reported) = WorkflowDecoder.read(reading, readsScenarios: !options.contains(.withoutScenarios)) {
      load($0, ReadingOptions())
    }
    diagnostics += reported
    guard let workflow else { return (nil, diagnostics) }
    let path = workflow.document.source.name
    var served = ServedDirectory()
    var directoryDiagnostics: [Diagnostic] = []
    if let source = workflow.directory {
      served.apply(
        source, isFirst: true, relativeTo: path, load: { load($0, ReadingOptions()) }, &directoryDiagnostics)
    }
    let checkContext = CheckContext(
      directory: directoryDiagnostics.hasErrors ? nil : served.directory, load: { load($0, ReadingOptions()) })
    diagnostics += WorkflowChecks.run(workflow, platform: platform, context: checkContext)
    var loader = SettingsLoader(
      definitions: definitions, environment: environment, acceptsLoopbackRedirect: options.contains(.loopbackRedirect),
      load: load)
    loader.acceptsPlaceholderAppID = (platform ?? workflow.platform ?? .emulated) == .emulated
    var situation = AppConfiguration()
    for (name, source) in workflow.settingsSources {
      Self.take([source], as: name, relativeTo: path, loader, into: &situation, &diagnostics)
    }
    if workflow.settingsSources.isEmpty {
      diagnostics.append(
        Diagnostic(
          .error, rule: "missing-key", "workflow has no settings",
          help: "add `settings: AuthSettings.plist`, or inline settings", at: workflow.document.root.place))
    }
    diagnostics += directoryDiagnostics
    (situation.directory, situation.directoryPath) = (served.directory, served.path)
    let known = Set(diagnostics.map(FindingKey.init))
    return (LoadedWorkflow(workflow: workflow, situation: situation, loader: loader, reported: known), diagnostics)
  }

  /// Returns the configuration of a scenario. The scenario's settings and directory override the workflow's.
  ///
  /// The findings do not include findings in the workflow itself.
  package func situation(for scenario: Scenario) -> (situation: AppConfiguration, diagnostics: [Diagnostic]) {
    var situation = self.situation
    var diagnostics: [Diagnostic] = []
    let path = workflow.scenarioFileName
    if scenario.body.changesSettings {
      situation.failures = []
      for (name, sources) in workflow.settingsSources(of: scenario) {
        Self.take(sources, as: name, relativeTo: path, loader, into: &situation, &diagnostics)
      }
    }
    if !scenario.body.directory.isEmpty {
      var served = ServedDirectory()
      (served.directory, served.path) = (situation.directory, situation.directoryPath)
      for source in scenario.body.directory {
        served.apply(source, relativeTo: path, load: { loader.load($0, ReadingOptions()) }, &diagnostics)
      }
      (situation.directory, situation.directoryPath) = (served.directory, served.path)
    }
    return (situation, diagnostics.filter { !reported.contains(FindingKey($0)) })
  }

  private static func take(
    _ sources: [Workflow.Source], as name: String, relativeTo path: String, _ loader: SettingsLoader,
    into situation: inout AppConfiguration, _ diagnostics: inout [Diagnostic]
  ) {
    let loaded = loader.load(
      sources.map { source in
        switch source {
        case .file(let file): .file(file)
        case .inline(let node): .inline(node)
        }
      }, relativeTo: path)
    diagnostics += loaded.diagnostics
    if let failure = loaded.failure { situation.failures.append(failure) }
    if let resolved = loaded.resolved { situation.clients[name] = resolved }
  }
}

/// The key of a finding. Keys ensure that each finding is reported only once.
private struct FindingKey: Hashable, Sendable {
  private let file: String
  private let span: SourceSpan?
  private let rule: String
  private let message: String

  init(_ diagnostic: Diagnostic) {
    file = diagnostic.place.source.name
    span = diagnostic.place.span
    rule = diagnostic.rule
    message = diagnostic.message
  }
}
