import AppRegistration
import Diagnostics
import Directory
import Documents
import OrderedCollections
import WorkflowModel

/// The apps of a run and the directory that they meet: what a workflow says, or one of its scenarios instead.
package struct AppConfiguration: Sendable {
  /// The apps by name; a single one is called `app`.
  package var clients: OrderedDictionary<String, ResolvedSettings> = [:]
  package var directory = EmulatedDirectory.contoso
  /// The directory's file, where it has one.
  package var directoryPath: String?
  /// Why MSAL could not make an app's application object: a run ends before its first step, a scenario may expect it.
  package var failures: [ApplicationFailure] = []
}

/// A workflow with everything that it names, read and checked: its settings, its directory.
package struct LoadedWorkflow: Sendable {
  package var workflow: Workflow
  package var situation: AppConfiguration
  private let loader: SettingsLoader
  /// What was said of the workflow's own settings and directory.
  private let told: Set<FindingKey>

  package var clients: OrderedDictionary<String, ResolvedSettings> { situation.clients }
  package var directory: EmulatedDirectory { situation.directory }
  package var directoryPath: String? { situation.directoryPath }

  /// Reads the workflow, or a scenarios file and the workflow that it names, and everything that they name.
  /// - Parameters:
  ///   - environment: whose own settings are laid over the settings files that are named: see `SettingsOverlay`.
  ///   - platform: where it is about to run; by default what the workflow says.
  ///   - acceptsLoopbackRedirect: see `SettingsLoader`.
  ///   - load: reads documents by their paths, the workflow's own too.
  /// - Returns: the workflow, as far as it could be read, and everything there is to say about it. What stands in the
  ///   way of an application object is in `situation.failures` alone.
  package static func read(
    _ path: String, definitions: Definitions = .none, environment: String? = nil,
    platform: Workflow.Platform? = nil, acceptsLoopbackRedirect: Bool = false, load: @escaping DocumentLoader
  ) -> (loaded: LoadedWorkflow?, diagnostics: [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let reading = load(path, ReadingOptions())
    if let document = reading.document, AuthflowOutput.isOne(document.root) {
      let told = Diagnostic(
        .error, rule: "not-a-workflow", "this is a result of `authflow test`, not a workflow",
        help: "name the workflow, or join results with `authflow merge`", at: document.root.place)
      return (nil, [told])
    }
    if let document = reading.document, !WorkflowDecoder.isWorkflow(document), !reading.diagnostics.hasErrors {
      let kind = AppRegistrationKind.recognize(document)
      if kind != .unknown {
        let told = Diagnostic(
          .error, rule: "not-a-workflow", "this is \(kind.words), not a workflow",
          help: "a workflow has the key `authflow: 1`; name its file", at: document.root.place)
        return (nil, [told])
      }
    }
    let (workflow, told) = WorkflowDecoder.read(reading) { load($0, ReadingOptions()) }
    diagnostics += told
    guard let workflow else { return (nil, diagnostics) }
    let path = workflow.document.source.name
    var served = ServedDirectory()
    var toldOfDirectory: [Diagnostic] = []
    if let source = workflow.directory {
      served.take(
        source, isFirst: true, besides: path, load: { load($0, ReadingOptions()) }, &toldOfDirectory)
    }
    let surroundings = CheckContext(
      directory: toldOfDirectory.hasErrors ? nil : served.directory, load: { load($0, ReadingOptions()) })
    diagnostics += WorkflowChecks.run(workflow, platform: platform, surroundings: surroundings)
    var loader = SettingsLoader(
      definitions: definitions, environment: environment, acceptsLoopbackRedirect: acceptsLoopbackRedirect, load: load)
    loader.acceptsPlaceholderAppID = (platform ?? workflow.platform ?? .emulated) == .emulated
    var situation = AppConfiguration()
    for (name, source) in workflow.settingsSources {
      Self.take([source], as: name, besides: path, loader, into: &situation, &diagnostics)
    }
    if workflow.settingsSources.isEmpty {
      diagnostics.append(
        Diagnostic(
          .error, rule: "missing-key", "the workflow names no settings",
          help: "add `settings: AuthSettings.plist`, or the settings themselves", at: workflow.document.root.place))
    }
    diagnostics += toldOfDirectory
    (situation.directory, situation.directoryPath) = (served.directory, served.path)
    let known = Set(diagnostics.map(FindingKey.init))
    return (LoadedWorkflow(workflow: workflow, situation: situation, loader: loader, told: known), diagnostics)
  }

  /// The situation of one scenario: the workflow's, with the scenario's own settings and directory laid over it.
  ///
  /// What was told of the workflow's own is not told again.
  package func situation(for scenario: Scenario) -> (situation: AppConfiguration, diagnostics: [Diagnostic]) {
    var situation = self.situation
    var diagnostics: [Diagnostic] = []
    let path = workflow.scenarioFileName
    if scenario.body.changesSettings {
      situation.failures = []
      for (name, sources) in workflow.settingsSources(of: scenario) {
        Self.take(sources, as: name, besides: path, loader, into: &situation, &diagnostics)
      }
    }
    if !scenario.body.directory.isEmpty {
      var served = ServedDirectory()
      (served.directory, served.path) = (situation.directory, situation.directoryPath)
      for source in scenario.body.directory {
        served.take(source, besides: path, load: { loader.load($0, ReadingOptions()) }, &diagnostics)
      }
      (situation.directory, situation.directoryPath) = (served.directory, served.path)
    }
    return (situation, diagnostics.filter { !told.contains(FindingKey($0)) })
  }

  private static func take(
    _ sources: [Workflow.Source], as name: String, besides path: String, _ loader: SettingsLoader,
    into situation: inout AppConfiguration, _ diagnostics: inout [Diagnostic]
  ) {
    let loaded = loader.load(
      sources.map { source in
        switch source {
        case .file(let file): .file(file)
        case .inline(let node): .inline(node)
        }
      }, besides: path)
    diagnostics += loaded.diagnostics
    if let failure = loaded.failure { situation.failures.append(failure) }
    if let resolved = loaded.resolved { situation.clients[name] = resolved }
  }
}

/// What a finding says and where, so that it is said once.
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
