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

/// Acquires a token silently, or interactively if necessary, for commands that use settings without a workflow.
///
/// Runs a generated workflow, so that the accounts, token cache, and rules are the same as in `authflow run`.
struct TokenAcquisition {
  let options: TokenOptions
  let session: Session
  private let definitions: Definitions
  /// The steps that use the token.
  private let steps: [JSON]

  /// - Throws: `.usageError` if a file that an option specifies cannot be read.
  init(options: TokenOptions, session: Session, steps: [JSON] = []) throws(ExitStatus) {
    self.options = options
    self.steps = steps
    (self.session, definitions) = try options.definitions.apply(to: options.trust.apply(to: session))
  }

  struct Outcome {
    var result: RunResult
    var token: TokenResult?
    /// The exit status if the run did not succeed. The reason has been reported.
    var failure: ExitStatus?
  }

  /// Acquires the token and performs the steps.
  /// - Throws: The exit status if the run could not start, or its state could not be saved.
  func acquire() async throws(ExitStatus) -> Outcome {
    if let problem = options.browser.problem(
      systemBrowserUnavailable: options.platform == .live ? nil : BrowserOptions.emulatorPagesReason)
    {
      throw session.report(.usageError, problem)
    }
    let run = try RunSession(
      try input(), RunOptions(isLive: options.platform == .live, browser: options.browser, cache: options.cache),
      in: session)
    // During the run, print only the device code message, so that scripts can use the output.
    let session = self.session
    let recorder = TraceRecorder(clock: run.builder.world.clock) { event in
      guard event.isDeviceCode, let reason = event.members["reason"]?.string else { return }
      session.printStatus(reason)
    }
    var setup = run.builder.setup(inputs: [:], trace: recorder)
    let acquired = Mutex<TokenResult?>(nil)
    setup.takeToken = { token in acquired.withLock { $0 = token } }
    let (result, saveFailure) = try await run.perform(WorkflowRun(run.builder.workflow, setup: setup, trace: recorder))
    if let saveFailure { throw saveFailure }
    return Outcome(result: result, token: acquired.withLock { $0 }, failure: failure(of: result, run.builder))
  }

  /// Reports why the run failed.
  /// - Returns: The exit status, or nil if the run succeeded.
  private func failure(of result: RunResult, _ builder: RunBuilder) -> ExitStatus? {
    guard !Task.isCancelled, result.ending.outcome != .interrupted else { return .interrupted }
    let cacheFailure = builder.cacheFailure
    guard !result.succeeded else {
      // The token is valid even if it cannot be cached.
      if let cacheFailure { session.printStatus("warning: \(cacheFailure)") }
      return nil
    }
    let isSignInNeeded =
      [.notFound, .interactionRequired].contains(result.ending.outcome) && result.ending.step != "call"
    session.reportError(reason(result))
    if isSignInNeeded, !isInteractive { session.printStatus("  help: use `--interactive` to sign in") }
    if result.ending.outcome == .ambiguousAccount {
      session.printStatus("  help: select an account, as in `--account megan@contoso.com`")
    }
    if let reason = builder.browserFailure { session.reportError(reason) }
    let networkFailure = builder.networkFailure(result)
    if let help = networkFailure?.help { session.printStatus("  help: \(help)") }
    if let cacheFailure { session.reportError(cacheFailure) }
    let hasEnvironmentFailure =
      networkFailure != nil || cacheFailure != nil || builder.browserFailure != nil
      || options.platform == .live && result.ending.outcome == .offline
    return hasEnvironmentFailure ? .environmentFailure : .failed
  }

  /// Returns the error message from the service or from MSAL. If there is no message, returns the outcome.
  private func reason(_ result: RunResult) -> String {
    let error = result.ending.step.flatMap { result.context.facts.facts(of: .init($0))?["error"] }
    guard let message = error?["description"]?.string ?? error?["message"]?.string, !message.isEmpty else {
      return result.ending.explanation ?? "outcome \(result.ending.outcome)"
    }
    return "\(result.ending.outcome): \(CaretFrame.visible(message))"
  }

  /// Whether the user can sign in interactively. The default is true, except in CI.
  private var isInteractive: Bool { options.interactive ?? (session.world.environment["CI"] == nil) }

  // MARK: The workflow

  /// The name of the generated workflow in diagnostics.
  private static let name = "command line"

  private func input() throws(ExitStatus) -> LoadedWorkflow {
    let files = session.world.files
    let settings = options.settings ?? Self.defaultSettings.first { files.kind(of: $0) == .file }
    guard let settings, !settings.isEmpty else {
      throw session.report(
        .usageError, "no settings found",
        help: "pass `--settings AuthSettings.plist`, or run `authflow init` to create settings")
    }
    let document = Document.of(workflow(settings), name: Self.name)
    let load = session.load(inputs: [settings])
    let (loaded, diagnostics) = LoadedWorkflow.read(
      Self.name, definitions: definitions, environment: options.definitions.environment,
      platform: options.platform == .live ? .live : .emulated,
      options: options.browser.choice == .system ? .loopbackRedirect : [],
      load: { path, options in
        path == Self.name ? ReadResult(document: document, diagnostics: []) : load(path, options)
      })
    let all = diagnostics + (loaded?.situation.failures.map(\.diagnostic) ?? [])
    // The user did not write the generated workflow, so do not show its locations and warnings.
    for error in all where error.place.source.name == Self.name && error.severity == .error {
      session.reportError("\(error.message) [\(error.rule)]", help: error.help)
    }
    session.show(all.filter { $0.place.source.name != Self.name })
    guard let loaded, !all.hasErrors else { throw .usageError }
    return loaded
  }

  private static let defaultSettings = ["AuthSettings.plist", "AuthSettings.yaml", "AuthSettings.json"]

  private func workflow(_ settings: String) -> JSON {
    var account: JSON = [:]
    if let name = options.account { account["username"] = .string(name) }
    var token: JSON = [:]
    if !options.scopes.isEmpty { token["scopes"] = .array(options.scopes.map { .string($0) }) }
    var all: [JSON] = [["loadAccount": account], ["silent": token]]
    if isInteractive {
      var interactive = token
      if let name = options.account { interactive["loginHint"] = .string(name) }
      all.append(["interactive-fallback": interactive])
    }
    return ["authflow": 1, "name": .string(Self.name), "settings": .string(settings), "steps": .array(all + steps)]
  }
}
