import AppRegistration
import Diagnostics
import Directory
import Documents
import OrderedCollections
import WorkflowModel

/// The result of a validation.
package struct ValidationReport: Sendable {
  /// The findings in reading order, without duplicates.
  package var diagnostics: [Diagnostic]
  /// All validated files with their detected kinds.
  package var files: [(name: String, kind: AppRegistrationKind)]
  /// The decoded files.
  package var project = Project()

  package var hasErrors: Bool { diagnostics.hasErrors }
}

/// Validates files individually and against each other.
package struct ProjectValidator: Sendable {
  package var rules: RuleSet
  /// The values for build setting references. A reference without a value is reported as a note.
  package var definitions: Definitions
  /// The loader for files to which the validated files refer.
  package var load: DocumentLoader
  /// Decoded files of earlier validations with the same definitions.
  package var cache: ValidatedFileCache?

  /// A closure that receives the progress of reading and checking files.
  package var onProgress: @Sendable (Progress) -> Void = { _ in }

  package enum Progress: Sendable, Equatable {
    /// Validation has started for the given number of files.
    case started(files: Int)
    case read
    case checked
  }

  /// The current time in seconds since 1970. If nil, rules do not check expiration dates.
  package var now: Int64?
  /// The base folder for relative names. The validator uses it to recognize different paths to the same file.
  package var workingDirectory = ""

  package init(
    rules: RuleSet = .all, definitions: [String: String] = [:], now: Int64? = nil, load: @escaping DocumentLoader
  ) {
    self.rules = rules
    self.now = now
    self.definitions = Definitions(definitions, severity: .note)
    self.load = load
  }

  /// Validates files. If the task is canceled, the report is incomplete.
  package func validate(_ files: [NamedFile]) -> ValidationReport {
    onProgress(.started(files: files.count))
    var reader = self
    reader.load = CachingDocumentLoader.wrapping(load)
    let project = reader.project(of: files)
    let diagnostics = project.files.concurrentMap { file in
      var findings: [Diagnostic] = []
      for rule in rules.rules where !Task.isCancelled {
        findings += file.adjustedForPreprocessing(rule.check(file, in: project))
      }
      onProgress(.checked)
      return file.diagnostics.filter { !rules.contains($0.rule) } + ValuePlaceholder.removingDuplicates(findings)
    }
    return ValidationReport(
      diagnostics: Self.limited(removingDuplicates(diagnostics.flatMap(\.self).inReadingOrder())),
      files: project.files.map { ($0.name, $0.kind) }, project: project)
  }

  /// The maximum number of findings that one rule reports in one file. The limit prevents a malicious file from
  /// producing an unlimited report.
  static let mostFindings = 100

  /// Limits the findings for each rule and file to `mostFindings`. An additional finding reports the number of omitted
  /// findings and has the highest severity of these findings.
  static func limited(_ findings: [Diagnostic]) -> [Diagnostic] {
    guard findings.count > mostFindings else { return findings }
    struct Identity: Hashable {
      var file: String
      var rule: String
    }
    var counts: [Identity: Int] = [:]
    var omitted: [Identity: (worst: Diagnostic, order: Int)] = [:]
    var included = findings.filter { finding in
      let identity = Identity(file: finding.place.source.name, rule: finding.rule)
      let count = counts[identity, default: 0] + 1
      counts[identity] = count
      guard count > mostFindings else { return true }
      if omitted[identity].map({ $0.worst.severity < finding.severity }) ?? true {
        omitted[identity] = (finding, omitted[identity]?.order ?? omitted.count)
      }
      return false
    }
    for (identity, (worst, _)) in omitted.sorted(by: { $0.value.order < $1.value.order }) {
      included.append(
        Diagnostic(
          worst.severity, rule: worst.rule,
          "\(counts[identity, default: 0] - mostFindings) more findings of this rule omitted",
          help: "fix the listed findings first", at: worst.place))
    }
    return omitted.isEmpty ? findings : included.inReadingOrder()
  }

  /// Reads and decodes files, and groups them into apps.
  package func project(of files: [NamedFile]) -> Project {
    var project = Project(now: now)
    project.definitions = definitions
    let names = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let bases = Set(files.compactMap { SettingsOverlay.base(of: $0.name) })
    let validated = files.concurrentMap { file in
      let base = SettingsOverlay.base(of: file.name).flatMap { names[$0] }
      var validated =
        cache.map { $0.file(file, over: base, load: load) { read(file, over: base, load: $0) } }
        ?? read(file, over: base)
      // A folder can contain many unrelated files. Syntax errors in a file of unknown kind are relevant only if the
      // user passed the file itself.
      if file.root != nil, !file.isOpen, validated.kind == .unknown {
        validated.diagnostics = validated.diagnostics.filter { Self.isMalformedAppFile($0, file.name) }
      }
      if validated.kind == .authSettings, bases.contains(file.name) {
        // Each environment can provide its own value.
        for index in validated.diagnostics.indices where validated.diagnostics[index].rule == "missing-key" {
          validated.diagnostics[index].severity = .note
        }
      }
      if files.count > 1 { validated.diagnostics.removeAll { $0.rule == "unknown-kind" } }
      onProgress(.read)
      return validated
    }
    cache?.keep(only: Set(files.map(\.name)))
    for file in validated { project.add(file) }
    var known = Set(project.files.map { absolute($0.name) })
    for file in project.files where !Task.isCancelled { addCounterpart(of: file, to: &project, &known) }
    for file in project.files where !Task.isCancelled { addSettings(referencedBy: file, to: &project) }
    project.groupIntoApps()
    return project
  }

  /// Returns whether a diagnostic is a syntax error in an Info.plist or entitlements file, which the
  /// file name identifies.
  private static func isMalformedAppFile(_ diagnostic: Diagnostic, _ path: String) -> Bool {
    let name = FilePath.name(of: path).lowercased()
    return diagnostic.rule == "plist-syntax" && diagnostic.severity == .error
      && ["info.plist", ".entitlements", "entitlements.plist"].contains(where: name.hasSuffix)
  }

  /// Reads a file with a different loader for the files to which it refers.
  private func read(_ named: NamedFile, over base: NamedFile?, load: @escaping DocumentLoader) -> ValidatedFile {
    var reader = self
    reader.load = load
    return reader.read(named, over: base)
  }

  /// - Parameter base: The file whose values this file overrides, as indicated by the names of the files.
  private func read(_ named: NamedFile, over base: NamedFile? = nil) -> ValidatedFile {
    if AndroidManifest.recognizes(named.bytes) {
      let (manifest, diagnostics) = AndroidManifest.read(named.bytes, named: named.name)
      var file = ValidatedFile(name: named.name, kind: .androidManifest, diagnostics: diagnostics)
      file.root = named.root
      file.androidManifest = manifest
      file.source = manifest?.source
      return file
    }
    let read = RegistrationDocument.read(named.bytes, named: named.name)
    var file = ValidatedFile(
      name: named.name, kind: read.kind, document: read.document, source: read.document?.source, root: named.root,
      diagnostics: read.diagnostics)
    file.isIgnored = named.isIgnored
    if let base = base.map({ RegistrationDocument.read($0.bytes, named: $0.name) }), base.kind == .authSettings,
      read.kind == .authSettings || read.kind == .unknown, read.document?.root.kind == .mapping
    {
      file.kind = .authSettings
      addSettings(read, over: base, to: &file)
    } else if let document = read.document {
      decode(document, read, to: &file)
    }
    file.findScopes()
    return file
  }

  private func decode(_ document: Document, _ read: RegistrationDocument, to file: inout ValidatedFile) {
    var problems = DiagnosticCollector()
    switch read.kind {
    case .authSettings: addSettings(read, to: &file)
    case .appsettings: addSections(read, to: &file)
    case .androidConfig:
      addSettings(read, to: &file)
      file.androidConfig = AndroidConfig.read(document.root)
    case .msalJS:
      addSettings(read, to: &file)
      // The settings loader has already reported these diagnostics.
      var reported = DiagnosticCollector()
      file.msalJS = MSALJSConfig.read(document.root, &reported)
    case .workflow: addWorkflow(ReadResult(document: document, diagnostics: read.diagnostics), to: &file)
    case .scenarios: addScenarios(ReadResult(document: document, diagnostics: read.diagnostics), to: &file)
    case .directory: _ = EmulatedDirectory.read(document.root, &problems)
    case .infoPlist:
      var plist = InfoPlist.read(document.root, filling: definitions.preservingReferences, &problems)
      if file.isPreprocessed, read.isOneBranchOnly || plist.bundleID?.value.contains(".") == false {
        plist.bundleID = nil
      }
      file.infoPlist = plist
    case .entitlements: file.entitlements = Entitlements.read(document.root, &problems)
    case .appManifest: file.appManifests = AppManifest.read(document.root, &problems)
    case .xcodeProject: file.xcodeProject = XcodeProject.read(document.root, load: load)
    case .tokenCache, .appAuth, .androidManifest: break
    case .unknown where !read.diagnostics.hasErrors:
      file.diagnostics.append(
        Diagnostic(
          .note, rule: "unknown-kind", "unknown file type; the content was not checked",
          help: "add the `authflow` key to a workflow, `directory` to a directory, or `AppId` to settings",
          at: document.root.place))
    case .unknown: break
    }
    file.diagnostics += problems.diagnostics
  }

  /// - Parameter base: The general settings, if the file overrides them for one environment.
  private func addSettings(
    _ read: RegistrationDocument, over base: RegistrationDocument? = nil, to file: inout ValidatedFile
  ) {
    // Remove these diagnostics, because the settings loader reports them again.
    file.diagnostics = []
    let layers = [base, read].compactMap { $0.map { SettingsLayer.document($0) } }
    file.add(SettingsLoader(definitions: definitions, load: load).load(layers, named: file.name))
    file.relaxCustomKeyFindings()
    guard file.isOfAnotherLibrary else { return }
    // Settings for other libraries can contain keys that are unknown to authflow.
    for index in file.diagnostics.indices where file.diagnostics[index].rule == "unknown-key" {
      file.diagnostics[index].severity = .note
    }
  }

  private func addSections(_ read: RegistrationDocument, to file: inout ValidatedFile) {
    let (sections, diagnostics) = SettingsLoader(definitions: definitions, load: load).loadSections(read)
    file.diagnostics = diagnostics
    for (section, loaded) in sections {
      file.azureAdSections.append(section)
      file.add(loaded)
    }
  }

  private func addWorkflow(_ reading: ReadResult, to file: inout ValidatedFile) {
    let load = load
    let (workflow, diagnostics) = WorkflowDecoder.read(reading) { load($0, ReadingOptions()) }
    file.diagnostics = diagnostics
    file.workflow = workflow
    if let workflow { check(workflow, of: &file) }
    // When a workflow runs, inputs can provide values for its references.
    var definitions = definitions
    definitions.severity = .note
    let loader = SettingsLoader(definitions: definitions, load: load)
    for node in file.settingsNodes where node.kind == .mapping { file.add(loader.load(node)) }
    if let workflow { file.diagnostics += scenarioDiagnostics(of: workflow, loader) }
  }

  /// Checks the scenarios in a scenarios file against its workflow.
  private func addScenarios(_ reading: ReadResult, to file: inout ValidatedFile) {
    let load = load
    let (workflow, diagnostics) = WorkflowDecoder.read(reading) { load($0, ReadingOptions()) }
    file.diagnostics = diagnostics
    guard let workflow else { return }
    check(workflow, of: &file)
    var definitions = definitions
    definitions.severity = .note
    file.diagnostics += scenarioDiagnostics(of: workflow, SettingsLoader(definitions: definitions, load: load))
  }

  /// Adds the workflow that belongs to a scenarios file, or the scenarios file that belongs to a workflow, unless the
  /// project already contains it.
  /// - Parameter known: The absolute paths of all files.
  private func addCounterpart(of file: ValidatedFile, to project: inout Project, _ known: inout Set<String>) {
    let keys: [AppRegistrationKind: String] = [.scenarios: "workflow", .workflow: "scenarios"]
    guard let key = keys[file.kind], let path = file.node?[key]?.string, !path.isEmpty else { return }
    let name = SettingsLoader.path(path, relativeTo: file.name)
    guard !known.contains(absolute(name)) else { return }
    let read = RegistrationDocument.read(name, load: load)
    guard let document = read.document, read.kind != file.kind, keys[read.kind] != nil else { return }
    var counterpart = ValidatedFile(
      name: name, kind: read.kind, document: document, source: document.source, root: file.root,
      diagnostics: read.diagnostics)
    decode(document, read, to: &counterpart)
    counterpart.findScopes()
    known.insert(absolute(name))
    project.add(counterpart)
  }

  private func absolute(_ name: String) -> String { FilePath.join(workingDirectory, name) }

  /// Returns diagnostics for the settings and directories in scenarios that override the workflow's settings and
  /// directory.
  private func scenarioDiagnostics(of workflow: Workflow, _ loader: SettingsLoader) -> [Diagnostic] {
    let name = workflow.scenarioFileName
    var diagnostics: [Diagnostic] = []
    for scenario in workflow.scenarios.flatMap(\.cases) {
      if scenario.body.changesSettings {
        for sources in workflow.settingsSources(of: scenario).values {
          diagnostics += loader.load(sources.map(SettingsSource.init), relativeTo: name).diagnostics
        }
      }
      guard !scenario.body.directory.isEmpty else { continue }
      var served = ServedDirectory()
      for (number, source) in ([workflow.directory].compactMap { $0 } + scenario.body.directory).enumerated() {
        served.apply(
          source, isFirst: number == 0 && workflow.directory != nil, relativeTo: name,
          load: { load($0, ReadingOptions()) }, &diagnostics)
      }
    }
    // Diagnostics in other files are reported when those files are validated.
    return diagnostics.filter { $0.place.source.name == name }
  }

  /// Checks a workflow together with its directory and adds the findings to the workflow's file.
  private func check(_ workflow: Workflow, of file: inout ValidatedFile) {
    let load: @Sendable (String) -> ReadResult = { [load] path in load(path, ReadingOptions()) }
    var served = ServedDirectory()
    var directoryDiagnostics: [Diagnostic] = []
    if let source = workflow.directory {
      served.apply(source, isFirst: true, relativeTo: workflow.document.source.name, load: load, &directoryDiagnostics)
    }
    // All other findings are reported when the directory file is validated. Only an invalid reference to the directory
    // is a finding in the workflow.
    file.diagnostics += directoryDiagnostics.filter {
      [ReadResult.unreadableFile, ReadResult.outsideProject].contains($0.rule)
    }
    let context = CheckContext(directory: directoryDiagnostics.hasErrors ? nil : served.directory, load: load)
    file.diagnostics += WorkflowChecks.run(workflow, context: context)
  }

  /// Adds the settings files that a workflow refers to, unless the project already contains them.
  private func addSettings(referencedBy file: ValidatedFile, to project: inout Project) {
    for node in file.settingsNodes {
      guard let path = node.string, !Definitions.containsReference(path) else { continue }
      let name = SettingsLoader.path(path, relativeTo: file.name)
      guard project.file(named: name) == nil else { continue }
      var read = RegistrationDocument.read(name, load: load)
      if read.document == nil {
        for index in read.diagnostics.indices {
          read.diagnostics[index].related.append(.init("the settings file is referenced here", at: node.place))
        }
      }
      // A document that a workflow refers to as settings is always read as settings, regardless of its content.
      var settings = ValidatedFile(
        name: name, kind: read.kind, document: read.document, source: read.document?.source, root: file.root,
        diagnostics: read.diagnostics)
      if read.document != nil { addSettings(read, to: &settings) }
      settings.findScopes()
      project.add(settings)
    }
  }

  /// Removes duplicates, such as findings in a settings file that two workflows use.
  private func removingDuplicates(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    struct Identity: Hashable {
      var file: String
      var span: SourceSpan?
      var rule: String
      var message: String
    }
    var reported: Set<Identity> = []
    return diagnostics.filter {
      let file = absolute($0.place.source.name)
      return reported.insert(Identity(file: file, span: $0.place.span, rule: $0.rule, message: $0.message)).inserted
    }
  }
}

extension SettingsSource {
  fileprivate init(_ source: Workflow.Source) {
    switch source {
    case .file(let file): self = .file(file)
    case .inline(let node): self = .inline(node)
    }
  }
}
