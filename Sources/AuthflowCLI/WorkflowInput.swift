import AppRegistration
import DeclaredFields
import Diagnostics
import Directory
import Documents
import Effects
import OrderedCollections
import WorkflowModel

/// A workflow with everything that it names, read and checked: its settings, its directory.
struct WorkflowInput: Sendable {
  var workflow: Workflow
  var clients: OrderedDictionary<String, ResolvedSettings>
  var directory: EmulatedDirectory
  /// The directory's file, where it has one.
  var directoryPath: String?

  /// Reads the workflow and all that it names, tells everything that is wrong, and stops where anything is an error.
  /// - Throws: `.unusable`.
  static func load(
    _ path: String, definitions: Definitions, in session: Session
  ) throws(ExitStatus) -> WorkflowInput {
    var diagnostics: [Diagnostic] = []
    let input = read(path, definitions: definitions, in: session, &diagnostics)
    session.show(diagnostics)
    guard let input, !diagnostics.hasErrors else { throw .unusable }
    return input
  }

  private static func read(
    _ path: String, definitions: Definitions, in session: Session, _ diagnostics: inout [Diagnostic]
  ) -> WorkflowInput? {
    let reading = session.reading(of: path)
    if let document = reading.document, !WorkflowReading.isWorkflow(document), !reading.diagnostics.hasErrors {
      let kind = AppRegistrationKind.recognise(document)
      if kind != .unknown {
        diagnostics.append(
          Diagnostic(
            .error, rule: "not-a-workflow", "this is \(kind.words), not a workflow",
            help: "a workflow has the key `authflow: 1`; name its file", at: document.root.place))
        return nil
      }
    }
    let (workflow, told) = WorkflowReading.read(reading) { session.reading(of: $0) }
    diagnostics += told
    guard let workflow else { return nil }
    diagnostics += WorkflowChecks.run(workflow)

    var clients: OrderedDictionary<String, ResolvedSettings> = [:]
    for (name, source) in workflow.settingsSources {
      let loaded = settings(source, definitions: definitions, besides: path, in: session)
      diagnostics += loaded.allDiagnostics
      if let resolved = loaded.resolved { clients[name] = resolved }
    }
    if workflow.settingsSources.isEmpty {
      diagnostics.append(
        Diagnostic(
          .error, rule: "missing-key", "the workflow names no settings",
          help: "add `settings: AuthSettings.plist`, or the settings themselves", at: workflow.document.root.place))
    }
    let (directory, directoryPath) = self.directory(of: workflow, besides: path, in: session, &diagnostics)
    return WorkflowInput(workflow: workflow, clients: clients, directory: directory, directoryPath: directoryPath)
  }

  static func settings(
    _ source: Workflow.Source, definitions: Definitions, besides path: String, in session: Session
  ) -> LoadedSettings {
    let loader = SettingsLoader(definitions: definitions, load: session.load)
    switch source {
    case .inline(let node): return loader.load(node)
    case .file(let file):
      let name = SettingsLoader.path(file.value, besides: path)
      switch session.bytes(of: name) {
      case .success(let bytes): return loader.load(bytes, named: name)
      case .failure(let unreadable):
        var diagnostic = unreadable.diagnostic
        diagnostic.message = "\(name): \(diagnostic.message)"
        diagnostic.place = file.place
        return LoadedSettings(settings: AppSettings(), diagnostics: [diagnostic])
      }
    }
  }

  private static func directory(
    of workflow: Workflow, besides path: String, in session: Session, _ diagnostics: inout [Diagnostic]
  ) -> (EmulatedDirectory, path: String?) {
    switch workflow.directory {
    case nil, .contoso: return (.contoso, nil)
    case .inline(let node):
      return (read(node, &diagnostics), path)
    case .file(let file):
      let name = SettingsLoader.path(file.value, besides: path)
      let reading = session.reading(of: name)
      diagnostics += reading.diagnostics
      guard let document = reading.document else { return (.contoso, name) }
      return (read(document.root, &diagnostics), name)
    }
  }

  /// Reads a directory's file, and tells what is wrong with it.
  /// - Throws: `.unusable` where anything is an error.
  static func directory(at path: String, in session: Session) throws(ExitStatus) -> EmulatedDirectory {
    let reading = session.reading(of: path)
    var diagnostics = reading.diagnostics
    let directory = reading.document.map { read($0.root, &diagnostics) }
    session.show(diagnostics)
    guard let directory, !diagnostics.hasErrors else { throw .unusable }
    return directory
  }

  private static func read(_ node: Node, _ diagnostics: inout [Diagnostic]) -> EmulatedDirectory {
    var problems = Problems()
    let directory = EmulatedDirectory.read(node, &problems)
    diagnostics += problems.diagnostics
    return directory ?? .contoso
  }
}

extension Workflow {
  /// The settings of each app by its name; a single app is called `app`.
  var settingsSources: OrderedDictionary<String, Source> {
    if !clients.isEmpty { return clients }
    return settings.map { ["app": $0] } ?? [:]
  }
}

extension Session {
  /// Reads the documents that other documents name.
  var load: DocumentLoad {
    { path, options in reading(of: path, options: options) }
  }
}
