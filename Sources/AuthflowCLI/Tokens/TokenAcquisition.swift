import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import PublicClient
import Reports
import RunTrace
import Synchronization
import TokenCache
import WorkflowModel
import WorkflowRunner

/// The silent-then-interactive pattern for commands that have settings and no workflow: they run the workflow that says it,
/// so that accounts, cache and rules are the same.
struct TokenAcquisition {
  let options: TokenOptions
  let session: Session
  private let definitions: Definitions
  /// What is done with the token, as steps of a workflow.
  private let steps: [JSON]

  /// - Throws: `.unusable` where the values that the options give cannot be read.
  init(options: TokenOptions, session: Session, steps: [JSON] = []) throws(ExitStatus) {
    self.options = options
    self.steps = steps
    (self.session, definitions) = try options.given.take(in: options.trust.take(in: session))
  }

  struct Outcome {
    var record: RunResult
    var token: TokenResult?
    /// How the command ends where the run did not go well, which has been told then.
    var failure: ExitStatus?
  }

  /// - Throws: where nothing could be run, or what came of it could not be kept.
  func acquire() async throws(ExitStatus) -> Outcome {
    if let problem = options.browser.problem(options.platform == .live ? nil : BrowserOptions.embedded) {
      session.printStatus("error: \(problem)")
      throw .usageError
    }
    let run = try RunSession(
      try input(), RunOptions(isLive: options.platform == .live, browser: options.browser, cache: options.cache),
      in: session)
    // A code to type in has to be seen; everything else would only be in the way of what is printed.
    let session = self.session
    let recorder = TraceRecorder(clock: run.builder.world.clock) { event in
      guard event.isDeviceCode, let reason = event.members["reason"]?.string else { return }
      session.printStatus(reason)
    }
    var setup = run.builder.setup(inputs: [:], trace: recorder)
    let taken = Mutex<TokenResult?>(nil)
    setup.takeToken = { token in taken.withLock { $0 = token } }
    let (record, notKept) = try await run.perform(WorkflowRun(run.builder.workflow, setup: setup, trace: recorder))
    if let notKept { throw notKept }
    return Outcome(record: record, token: taken.withLock { $0 }, failure: failure(of: record, run.builder))
  }

  /// Tells why there is no token, or no answer.
  private func failure(of record: RunResult, _ builder: RunBuilder) -> ExitStatus? {
    guard !Task.isCancelled, record.ending.outcome != "interrupted" else { return .interrupted }
    let keepingFailure = builder.keepingFailure
    guard !record.succeeded else {
      // The token is there all the same, and good.
      if let keepingFailure { session.printStatus("warning: \(keepingFailure)") }
      return nil
    }
    let isSignInNeeded =
      ["notFound", "interactionRequired"].contains(record.ending.outcome) && record.ending.step != "call"
    session.printStatus("error: \(reason(record))")
    if isSignInNeeded, !isInteractive {
      session.printStatus("  help: somebody has to sign in first; --interactive lets them")
    }
    if record.ending.outcome == "ambiguousAccount" {
      session.printStatus("  help: say which account, as in --account megan@contoso.com")
    }
    if let reason = builder.browserFailure { session.printStatus("error: \(reason)") }
    let networkFailure = builder.networkFailure(record)
    if let help = networkFailure?.help { session.printStatus("  help: \(help)") }
    if let keepingFailure { session.printStatus("error: \(keepingFailure)") }
    let isOutside =
      networkFailure != nil || keepingFailure != nil || builder.browserFailure != nil
      || options.platform == .live && record.ending.outcome == "offline"
    return isOutside ? .environmentFailure : .failed
  }

  /// What the service or MSAL said, else how it ended.
  private func reason(_ record: RunResult) -> String {
    let error = record.ending.step.flatMap { record.knowledge.facts.facts(of: .init($0))?["error"] }
    guard let said = error?["description"]?.string ?? error?["message"]?.string, !said.isEmpty else {
      return record.ending.explanation ?? "it ended with \(record.ending.outcome)"
    }
    return "\(record.ending.outcome): \(CaretFrame.visible(said))"
  }

  /// A machine that works by itself has nobody who could sign in.
  private var isInteractive: Bool { options.interactive ?? (session.world.environment["CI"] == nil) }

  // MARK: The workflow

  /// What the workflow is called where something is wrong with it.
  private static let name = "command line"

  private func input() throws(ExitStatus) -> LoadedWorkflow {
    let files = session.world.files
    let settings = options.settings ?? Self.usualSettings.first { files.kind(of: $0) == .file }
    guard let settings, !settings.isEmpty else {
      session.printStatus("error: no app is named\n  help: say --settings AuthSettings.plist; authflow init writes one")
      throw .usageError
    }
    let document = Document.of(workflow(settings), name: Self.name)
    let load = session.load(inputs: [settings])
    let (loaded, diagnostics) = LoadedWorkflow.read(
      Self.name, definitions: definitions, environment: options.given.environment,
      platform: options.platform == .live ? .live : .emulated,
      acceptsLoopbackRedirect: options.browser.choice == .system,
      load: { path, options in
        path == Self.name ? ReadResult(document: document, diagnostics: []) : load(path, options)
      })
    // What a workflow should do better is not the matter of whoever wrote none, and neither is where it stands.
    let all = diagnostics + (loaded?.situation.failures.map(\.diagnostic) ?? [])
    let own = all.filter { $0.place.source.name == Self.name && $0.severity == .error }
    for problem in own {
      session.printStatus(
        "error: \(problem.message) [\(problem.rule)]" + (problem.help.map { "\n  help: \($0)" } ?? ""))
    }
    session.show(all.filter { $0.place.source.name != Self.name })
    guard let loaded, !all.hasErrors else { throw .usageError }
    return loaded
  }

  private static let usualSettings = ["AuthSettings.plist", "AuthSettings.yaml", "AuthSettings.json"]

  private func workflow(_ settings: String) -> JSON {
    var account: JSON = [:]
    if let name = options.account { account["username"] = .string(name) }
    var token: JSON = [:]
    if !options.scopes.isEmpty { token["scopes"] = .array(options.scopes.map { .string($0) }) }
    var all: [JSON] = [["loadAccount": account], ["silent": token]]
    if isInteractive {
      var page = token
      if let name = options.account { page["loginHint"] = .string(name) }
      all.append(["interactive-fallback": page])
    }
    return ["authflow": 1, "name": .string(Self.name), "settings": .string(settings), "steps": .array(all + steps)]
  }
}
