import AppRegistration
import DeclaredFields
import Diagnostics
import Directory
import Documents
import OrderedCollections
import WorkflowModel

/// The apps of a run and the directory that they meet: what a workflow says, or one of its scenarios instead.
package struct Situation: Sendable {
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
  package var situation: Situation
  private let loader: SettingsLoader

  package var clients: OrderedDictionary<String, ResolvedSettings> { situation.clients }
  package var directory: EmulatedDirectory { situation.directory }
  package var directoryPath: String? { situation.directoryPath }

  /// Reads the workflow and all that it names.
  /// - Parameters:
  ///   - platform: where it is about to run; by default what the workflow says.
  ///   - load: reads documents by their paths, the workflow's own too.
  /// - Returns: the workflow, as far as it could be read, and everything there is to say about it. What stands in the
  ///   way of an application object is in `situation.failures` alone.
  package static func read(
    _ path: String, definitions: Definitions = .none, platform: Workflow.Platform? = nil, load: @escaping DocumentLoad
  ) -> (loaded: LoadedWorkflow?, diagnostics: [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let reading = load(path, ReadingOptions())
    if let document = reading.document, !WorkflowReading.isWorkflow(document), !reading.diagnostics.hasErrors {
      let kind = AppRegistrationKind.recognise(document)
      if kind != .unknown {
        let told = Diagnostic(
          .error, rule: "not-a-workflow", "this is \(kind.words), not a workflow",
          help: "a workflow has the key `authflow: 1`; name its file", at: document.root.place)
        return (nil, [told])
      }
    }
    let (workflow, told) = WorkflowReading.read(reading) { load($0, ReadingOptions()) }
    diagnostics += told
    guard let workflow else { return (nil, diagnostics) }
    diagnostics += WorkflowChecks.run(workflow, platform: platform)
    let loader = SettingsLoader(definitions: definitions, load: load)
    var situation = Situation()
    for (name, source) in workflow.settingsSources {
      Self.take(source, as: name, besides: path, loader, into: &situation, &diagnostics)
    }
    if workflow.settingsSources.isEmpty {
      diagnostics.append(
        Diagnostic(
          .error, rule: "missing-key", "the workflow names no settings",
          help: "add `settings: AuthSettings.plist`, or the settings themselves", at: workflow.document.root.place))
    }
    (situation.directory, situation.directoryPath) = Self.directory(
      workflow.directory, over: nil, besides: path, load, &diagnostics)
    return (LoadedWorkflow(workflow: workflow, situation: situation, loader: loader), diagnostics)
  }

  /// The situation of one scenario: the workflow's, with the scenario's own settings and directory laid over it.
  package func situation(for scenario: Scenario) -> (situation: Situation, diagnostics: [Diagnostic]) {
    var situation = self.situation
    var diagnostics: [Diagnostic] = []
    let path = workflow.document.source.name
    if let source = scenario.body.settings, let name = workflow.settingsSources.keys.first {
      situation.failures = []
      Self.take(source, as: name, besides: path, loader, into: &situation, &diagnostics)
    }
    if let source = scenario.body.directory {
      (situation.directory, situation.directoryPath) = Self.directory(
        source, over: situation.directory, besides: path, loader.load, &diagnostics)
    }
    return (situation, diagnostics)
  }

  private static func take(
    _ source: Workflow.Source, as name: String, besides path: String, _ loader: SettingsLoader,
    into situation: inout Situation, _ diagnostics: inout [Diagnostic]
  ) {
    let loaded: LoadedSettings
    switch source {
    case .inline(let node): loaded = loader.load(node)
    case .file(let file):
      let name = SettingsLoader.path(file.value, besides: path)
      var fromFile = loader.load(name)
      // What cannot be said about a place in the file is said where the file is named.
      for index in fromFile.diagnostics.indices {
        guard fromFile.diagnostics[index].rule == "unreadable-file",
          fromFile.diagnostics[index].place.source.name == name
        else { continue }
        fromFile.diagnostics[index].message = "\(name): \(fromFile.diagnostics[index].message)"
        fromFile.diagnostics[index].place = file.place
      }
      loaded = fromFile
    }
    diagnostics += loaded.diagnostics
    if let failure = loaded.failure { situation.failures.append(failure) }
    if let resolved = loaded.resolved { situation.clients[name] = resolved }
  }

  private static func directory(
    _ source: Workflow.DirectorySource?, over base: EmulatedDirectory?, besides path: String,
    _ load: DocumentLoad, _ diagnostics: inout [Diagnostic]
  ) -> (EmulatedDirectory, path: String?) {
    switch source {
    case nil, .contoso: return (.contoso, nil)
    case .inline(let node):
      return (read(node, over: base, &diagnostics), path)
    case .file(let file):
      let name = SettingsLoader.path(file.value, besides: path)
      let reading = load(name, ReadingOptions())
      diagnostics += reading.diagnostics
      guard let document = reading.document else { return (.contoso, name) }
      return (read(document.root, over: nil, &diagnostics), name)
    }
  }

  /// Reads a directory document; what cannot be read at all is Contoso, with an error told.
  package static func read(
    _ node: Node, over base: EmulatedDirectory? = nil, _ diagnostics: inout [Diagnostic]
  ) -> EmulatedDirectory {
    let (directory, told) = EmulatedDirectory.read(node, over: base)
    diagnostics += told
    return directory ?? .contoso
  }
}

extension Workflow {
  /// The settings of each app by its name; a single app is called `app`.
  package var settingsSources: OrderedDictionary<String, Source> {
    if !clients.isEmpty { return clients }
    return settings.map { ["app": $0] } ?? [:]
  }
}
