import AppRegistration
import DeclaredFields
import Diagnostics
import Directory
import Documents
import WorkflowModel

/// What validating found.
package struct ValidationReport: Sendable {
  /// In reading order, each said once.
  package var diagnostics: [Diagnostic]
  /// Every file that was looked at, with what it was taken for.
  package var files: [(name: String, kind: AppRegistrationKind)]

  package var hasErrors: Bool { diagnostics.hasErrors }
}

/// Validates files, each by itself and against the others.
package struct ProjectValidator: Sendable {
  package var rules: RuleSet
  /// Values for build-setting references; one that has none is a warning here.
  package var definitions: Definitions
  /// Reads the files that the given ones name.
  package var load: DocumentLoad

  package init(rules: RuleSet = .all, definitions: [String: String] = [:], load: @escaping DocumentLoad) {
    self.rules = rules
    self.definitions = Definitions(definitions, severity: .warning)
    self.load = load
  }

  package func validate(_ files: [NamedFile]) -> ValidationReport {
    var project = Project()
    for file in files {
      var validated = self.file(RegistrationDocument.read(file.bytes, named: file.name), named: file.name)
      // Among many files some are of no concern here; somebody who names a single one wants to know.
      if files.count > 1 { validated.diagnostics.removeAll { $0.rule == "unknown-kind" } }
      project.files.append(validated)
    }
    for file in project.files { addSettings(namedBy: file, to: &project) }
    var diagnostics: [Diagnostic] = []
    for file in project.files {
      diagnostics += file.diagnostics.filter { !rules.speaks($0.rule) }
      for rule in rules.rules { diagnostics += rule.check(file, in: project) }
    }
    return ValidationReport(
      diagnostics: Self.once(diagnostics.inReadingOrder()), files: project.files.map { ($0.name, $0.kind) })
  }

  private func file(_ read: RegistrationDocument, named name: String) -> ValidatedFile {
    var file = ValidatedFile(name: name, kind: read.kind, document: read.document, diagnostics: read.diagnostics)
    guard let document = read.document else { return file }
    switch read.kind {
    case .authSettings, .androidConfig, .appsettings: addSettings(read, to: &file)
    case .workflow: addWorkflow(Reading(document: document, diagnostics: read.diagnostics), to: &file)
    case .directory:
      var problems = Problems()
      _ = EmulatedDirectory.read(document.root, &problems)
      file.diagnostics += problems.diagnostics
    case .unknown where !read.diagnostics.hasErrors:
      file.diagnostics.append(
        Diagnostic(
          .note, rule: "unknown-kind", "this is \(AppRegistrationKind.unknown.words), so nothing was checked",
          help: "a workflow has the key authflow, a directory the key directory, settings the key AppId",
          at: document.root.place))
    default: break
    }
    return file
  }

  private func addSettings(_ read: RegistrationDocument, to file: inout ValidatedFile) {
    let loaded = SettingsLoader(definitions: definitions, load: load).load([.document(read)], named: file.name)
    file.loadedSettings = [loaded]
    file.diagnostics = loaded.allDiagnostics
  }

  private func addWorkflow(_ reading: Reading, to file: inout ValidatedFile) {
    let load = load
    let (workflow, told) = WorkflowReading.read(reading) { load($0, ReadingOptions()) }
    file.diagnostics = told
    file.workflow = workflow
    if let workflow { file.diagnostics += WorkflowChecks.run(workflow) }
    // What stands inside a workflow may be filled in from its inputs, when it runs.
    var definitions = definitions
    definitions.severity = .note
    let loader = SettingsLoader(definitions: definitions, load: load)
    for node in file.settingsNodes where node.kind == .mapping {
      let loaded = loader.load(node)
      file.loadedSettings.append(loaded)
      file.diagnostics += loaded.allDiagnostics
    }
  }

  /// Settings files that a workflow names and that were not among the files given are read, and judged too.
  private func addSettings(namedBy file: ValidatedFile, to project: inout Project) {
    for node in file.settingsNodes {
      guard let path = node.string, !Definitions.holdsReference(path) else { continue }
      let name = SettingsLoader.path(path, besides: file.name)
      guard project.file(named: name) == nil else { continue }
      var read = RegistrationDocument.read(name, load: load)
      if read.document == nil {
        for index in read.diagnostics.indices {
          read.diagnostics[index].related.append(.init("the settings are named here", at: node.place))
        }
      }
      // A document that is named as settings is read as settings, whatever it looks like.
      var named = ValidatedFile(name: name, kind: read.kind, document: read.document, diagnostics: read.diagnostics)
      if read.document != nil { addSettings(read, to: &named) }
      project.files.append(named)
    }
  }

  /// A settings file that two workflows name is judged once.
  private static func once(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    struct Identity: Hashable {
      var file: String
      var span: SourceSpan?
      var rule: String
      var message: String
    }
    var told: Set<Identity> = []
    return diagnostics.filter {
      told.insert(Identity(file: $0.place.source.name, span: $0.place.span, rule: $0.rule, message: $0.message))
        .inserted
    }
  }
}
