import AppRegistration
import Diagnostics
import Directory
import Documents
import OrderedCollections
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
  /// Values for build-setting references; one that has none is a note here.
  package var definitions: Definitions
  /// Reads the files that the given ones name.
  package var load: DocumentLoader

  /// Is called for each file that is read and checked.
  package var tell: @Sendable (Progress) -> Void = { _ in }

  package enum Progress: Sendable, Equatable {
    /// A pass over so many files begins.
    case begins(files: Int)
    case read
    case checked
  }

  /// Seconds since 1970; nil where nothing shall be said of what has expired.
  package var now: Int64?
  /// What relative names are relative to, so that two spellings of a path are one file.
  package var workingDirectory = ""

  package init(
    rules: RuleSet = .all, definitions: [String: String] = [:], now: Int64? = nil, load: @escaping DocumentLoader
  ) {
    self.rules = rules
    self.now = now
    self.definitions = Definitions(definitions, severity: .note)
    self.load = load
  }

  /// Validates the files. In a canceled task it ends early, and the report is not complete.
  package func validate(_ files: [NamedFile]) -> ValidationReport {
    tell(.begins(files: files.count))
    var reader = self
    reader.load = ReadingMemory.remembering(load)
    let project = reader.project(of: files)
    let diagnostics = project.files.concurrentMap { file in
      var found: [Diagnostic] = []
      for rule in rules.rules where !Task.isCancelled { found += file.judged(rule.check(file, in: project)) }
      tell(.checked)
      return file.diagnostics.filter { !rules.speaks($0.rule) } + ValuePlaceholder.withoutRepeats(found)
    }
    return ValidationReport(
      diagnostics: Self.bounded(once(diagnostics.flatMap(\.self).inReadingOrder())),
      files: project.files.map { ($0.name, $0.kind) })
  }

  /// What may be said of one file under one name; a file that was made to be wrong shall not fill a disk with complaints.
  static let mostFindings = 100

  /// At most that many of each name and file; of what is left out one finding tells, as grave as the gravest of them.
  static func bounded(_ findings: [Diagnostic]) -> [Diagnostic] {
    guard findings.count > mostFindings else { return findings }
    struct Identity: Hashable {
      var file: String
      var rule: String
    }
    var counts: [Identity: Int] = [:]
    var rest: [Identity: (worst: Diagnostic, order: Int)] = [:]
    var kept = findings.filter { finding in
      let identity = Identity(file: finding.place.source.name, rule: finding.rule)
      let count = counts[identity, default: 0] + 1
      counts[identity] = count
      guard count > mostFindings else { return true }
      if rest[identity].map({ $0.worst.severity < finding.severity }) ?? true {
        rest[identity] = (finding, rest[identity]?.order ?? rest.count)
      }
      return false
    }
    for (identity, (worst, _)) in rest.sorted(by: { $0.value.order < $1.value.order }) {
      kept.append(
        Diagnostic(
          worst.severity, rule: worst.rule,
          "\(counts[identity, default: 0] - mostFindings) more findings of this rule are not listed",
          help: "mend these first", at: worst.place))
    }
    return rest.isEmpty ? findings : kept.inReadingOrder()
  }

  /// The files read, decoded, and sorted into apps.
  package func project(of files: [NamedFile]) -> Project {
    var project = Project(now: now)
    project.definitions = definitions
    let names = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let bases = Set(files.compactMap { SettingsOverlay.base(of: $0.name) })
    let validated = files.concurrentMap { file in
      var validated = read(file, over: SettingsOverlay.base(of: file.name).flatMap { names[$0] })
      // Of what is found in a folder much is of no concern here, and may be in a syntax of its own; somebody who names a single
      // file wants to know.
      if file.root != nil, validated.kind == .unknown {
        validated.diagnostics = validated.diagnostics.filter { Self.isBrokenByName($0, file.name) }
      }
      if validated.kind == .authSettings, bases.contains(file.name) {
        // Each environment may have a value of its own.
        for index in validated.diagnostics.indices where validated.diagnostics[index].rule == "missing-key" {
          validated.diagnostics[index].severity = .note
        }
      }
      if files.count > 1 { validated.diagnostics.removeAll { $0.rule == "unknown-kind" } }
      tell(.read)
      return validated
    }
    for file in validated { project.add(file) }
    var known = Set(project.files.map { absolute($0.name) })
    for file in project.files where !Task.isCancelled { addOtherHalf(of: file, to: &project, &known) }
    for file in project.files where !Task.isCancelled { addSettings(namedBy: file, to: &project) }
    project.sortIntoApps()
    return project
  }

  /// Whether a property list is broken that an app is built with: of what kind it is only its name can tell then.
  private static func isBrokenByName(_ diagnostic: Diagnostic, _ path: String) -> Bool {
    let name = FilePath.name(of: path).lowercased()
    return diagnostic.rule == "plist-syntax" && diagnostic.severity == .error
      && ["info.plist", ".entitlements", "entitlements.plist"].contains(where: name.hasSuffix)
  }

  /// - Parameter base: the file that this one would be laid over, going by its name.
  private func read(_ named: NamedFile, over base: NamedFile? = nil) -> ValidatedFile {
    if AndroidManifest.isOne(named.bytes) {
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
      var told = DiagnosticCollector()
      file.msalJS = MSALJSConfig.read(document.root, &told)
    case .workflow: addWorkflow(ReadResult(document: document, diagnostics: read.diagnostics), to: &file)
    case .scenarios: addScenarios(ReadResult(document: document, diagnostics: read.diagnostics), to: &file)
    case .directory: _ = EmulatedDirectory.read(document.root, &problems)
    case .infoPlist:
      var plist = InfoPlist.read(document.root, filling: definitions.leavingReferences, &problems)
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
          .note, rule: "unknown-kind", "this is \(AppRegistrationKind.unknown.words), so nothing was checked",
          help: "a workflow has the key authflow, a directory the key directory, settings the key AppId",
          at: document.root.place))
    case .unknown: break
    }
    file.diagnostics += problems.diagnostics
  }

  /// - Parameter base: what the settings are laid over, where they are those of one environment alone.
  private func addSettings(
    _ read: RegistrationDocument, over base: RegistrationDocument? = nil, to file: inout ValidatedFile
  ) {
    // Loading repeats what reading said.
    file.diagnostics = []
    let layers = [base, read].compactMap { $0.map { SettingsLayer.document($0) } }
    file.add(SettingsLoader(definitions: definitions, load: load).load(layers, named: file.name))
    file.leaveOwnKeysAlone()
    guard file.isOfAnotherLibrary else { return }
    // It has keys of its own.
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
    let (workflow, told) = WorkflowDecoder.read(reading) { load($0, ReadingOptions()) }
    file.diagnostics = told
    file.workflow = workflow
    if let workflow { check(workflow, of: &file) }
    // What stands inside a workflow may be filled in from its inputs, when it runs.
    var definitions = definitions
    definitions.severity = .note
    let loader = SettingsLoader(definitions: definitions, load: load)
    for node in file.settingsNodes where node.kind == .mapping { file.add(loader.load(node)) }
    if let workflow { file.diagnostics += scenarioDiagnostics(of: workflow, loader) }
  }

  /// Checks scenarios against the workflow that their file names.
  private func addScenarios(_ reading: ReadResult, to file: inout ValidatedFile) {
    let load = load
    let (workflow, told) = WorkflowDecoder.read(reading) { load($0, ReadingOptions()) }
    file.diagnostics = told
    guard let workflow else { return }
    check(workflow, of: &file)
    var definitions = definitions
    definitions.severity = .note
    file.diagnostics += scenarioDiagnostics(of: workflow, SettingsLoader(definitions: definitions, load: load))
  }

  /// Adds the workflow that a scenarios file names, or the other way around, if it was not among the files given.
  /// - Parameter known: the absolute paths of all files.
  private func addOtherHalf(of file: ValidatedFile, to project: inout Project, _ known: inout Set<String>) {
    let keys: [AppRegistrationKind: String] = [.scenarios: "workflow", .workflow: "scenarios"]
    guard let key = keys[file.kind], let path = file.node?[key]?.string, !path.isEmpty else { return }
    let name = SettingsLoader.path(path, besides: file.name)
    guard !known.contains(absolute(name)) else { return }
    let read = RegistrationDocument.read(name, load: load)
    guard let document = read.document, read.kind != file.kind, keys[read.kind] != nil else { return }
    var named = ValidatedFile(
      name: name, kind: read.kind, document: document, source: document.source, root: file.root,
      diagnostics: read.diagnostics)
    decode(document, read, to: &named)
    known.insert(absolute(name))
    project.add(named)
  }

  private func absolute(_ name: String) -> String { FilePath.join(workingDirectory, name) }

  /// What there is to say about the settings and directories that scenarios lay over the workflow's own.
  private func scenarioDiagnostics(of workflow: Workflow, _ loader: SettingsLoader) -> [Diagnostic] {
    let name = workflow.scenarioFileName
    var told: [Diagnostic] = []
    for scenario in workflow.scenarios.flatMap(\.cases) {
      if scenario.body.changesSettings {
        for sources in workflow.settingsSources(of: scenario).values {
          told += loader.load(sources.map(SettingsSource.init), besides: name).diagnostics
        }
      }
      guard !scenario.body.directory.isEmpty else { continue }
      var served = ServedDirectory()
      for (number, source) in ([workflow.directory].compactMap { $0 } + scenario.body.directory).enumerated() {
        served.take(
          source, isFirst: number == 0 && workflow.directory != nil, besides: name,
          load: { load($0, ReadingOptions()) }, &told)
      }
    }
    // Files are judged by themselves.
    return told.filter { $0.place.source.name == name }
  }

  /// Checks a workflow with the directory that it names, and adds the findings in the file itself.
  private func check(_ workflow: Workflow, of file: inout ValidatedFile) {
    let load: @Sendable (String) -> ReadResult = { [load] path in load(path, ReadingOptions()) }
    var served = ServedDirectory()
    var found: [Diagnostic] = []
    if let source = workflow.directory {
      served.take(source, isFirst: true, besides: workflow.document.source.name, load: load, &found)
    }
    // A directory file has findings of its own. Here belong only those about the reference to it.
    file.diagnostics += found.filter { [ReadResult.unreadableFile, ReadResult.outsideProject].contains($0.rule) }
    let surroundings = CheckContext(directory: found.hasErrors ? nil : served.directory, load: load)
    file.diagnostics += WorkflowChecks.run(workflow, surroundings: surroundings)
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
      var named = ValidatedFile(
        name: name, kind: read.kind, document: read.document, source: read.document?.source, root: file.root,
        diagnostics: read.diagnostics)
      if read.document != nil { addSettings(read, to: &named) }
      project.add(named)
    }
  }

  /// A settings file that two workflows name is judged once.
  private func once(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    struct Identity: Hashable {
      var file: String
      var span: SourceSpan?
      var rule: String
      var message: String
    }
    var told: Set<Identity> = []
    return diagnostics.filter {
      let file = absolute($0.place.source.name)
      return told.insert(Identity(file: file, span: $0.place.span, rule: $0.rule, message: $0.message)).inserted
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
