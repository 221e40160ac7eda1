import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import Scenarios
import Synchronization
import Validation
import WorkflowModel
import WorkflowRunner

/// Finds and loads the workflows and scenarios files in the files and folders of a command line.
struct SuiteFiles {
  let session: Session
  private let definitions: Definitions
  private let isStrict: Bool
  /// The workflows with scenarios in search order, with one entry for each file that contains scenarios.
  private(set) var workflows: [LoadedWorkflow] = []
  private(set) var cases: [ScenarioCase] = []
  /// The names of workflows without scenarios that were found in folders.
  private(set) var withoutScenarios: [String] = []

  /// Reads all files, and shows their diagnostics.
  /// - Parameter isStrict: Whether to reject tenants, user flows, and APIs that are missing from the settings and
  ///   directories.
  /// - Throws: `.usageError` if a file has errors.
  init(
    _ paths: [String], definitions: Definitions, isStrict: Bool = true, in session: Session
  ) throws(ExitStatus) {
    self.session = session
    self.definitions = definitions
    self.isStrict = isStrict
    let project = try session.searchProject(paths, session.validationConfigurations(for: paths))
    let documents = DocumentCache(load: session.load(inputs: paths), session: session, files: project.files)
    var progress = Progress(
      diagnostics: project.unreadable, filesWithErrors: project.unreadable.map(\.place.source.name))
    for file in project.files {
      let isNamed = project.named.contains(file.name)
      guard isNamed || Self.mayBeWorkflow(file.bytes) else { continue }
      guard isNamed || documents.isWorkflow(file.name) else { continue }
      load(file.name, documents, &progress)
    }
    for file in progress.filesWithoutScenarios where !progress.workflows.values.contains(absolute(file)) {
      guard project.named.contains(file) else {
        withoutScenarios.append(file)
        continue
      }
      progress.diagnostics.append(
        Diagnostic(
          .error, rule: "no-scenarios", "workflow without scenarios",
          help: "add `scenarios:`, or run `authflow explore --write` to generate them", at: .file(file)))
      progress.filesWithErrors.append(file)
    }
    session.show(relevant(progress.diagnostics))
    guard progress.diagnostics.hasErrors else { return }
    let files = OrderedSet(progress.filesWithErrors)
    throw session.report(
      .usageError,
      "no scenarios ran, because of errors in \(files.map { CaretFrame.visible($0) }.joined(separator: ", "))")
  }

  /// The intermediate results while files are read.
  private struct Progress {
    var diagnostics: [Diagnostic]
    /// The names of the files with errors.
    var filesWithErrors: [String]
    /// The names of the files without scenarios.
    var filesWithoutScenarios: [String] = []
    /// The workflow for each file with scenarios. Both are absolute paths.
    var workflows: [String: String] = [:]
    let recordings = RecordingCache()
  }

  /// Loads a workflow with its scenarios, or a scenarios file with its workflow, unless it is already loaded.
  private mutating func load(_ name: String, _ documents: DocumentCache, _ progress: inout Progress) {
    guard progress.workflows[absolute(name)] == nil else { return }
    var name = name
    if let pair = documents.pair(of: name) {
      // Regardless of the search order, load the pair once, under the name of the scenarios file.
      guard progress.workflows[absolute(pair.scenarios)] != absolute(pair.workflow) else { return }
      name = pair.scenarios
    }
    let (loaded, diagnostics) = LoadedWorkflow.read(name, definitions: definitions, load: documents.load)
    progress.diagnostics += diagnostics
    let file = loaded?.workflow.scenarioFileName ?? name
    if let loaded {
      let workflow = absolute(loaded.workflow.document.source.name)
      guard progress.workflows.updateValue(workflow, forKey: absolute(file)) == nil else { return }
    }
    guard let loaded, !diagnostics.hasErrors else {
      let isInScenarios = diagnostics.allSatisfy { $0.severity < .error || $0.place.source.name == file }
      progress.filesWithErrors.append(isInScenarios ? file : name)
      return
    }
    guard !loaded.workflow.scenarios.isEmpty else {
      if loaded.workflow.scenarioFile == nil { progress.workflows[absolute(file)] = nil }
      return progress.filesWithoutScenarios.append(name)
    }
    let (cases, caseDiagnostics) = loaded.cases(recordings: progress.recordings, isStrict: isStrict)
    progress.diagnostics += caseDiagnostics
    if caseDiagnostics.hasErrors { progress.filesWithErrors.append(file) }
    workflows.append(loaded)
    self.cases += cases
  }

  private func absolute(_ name: String) -> String { session.absolutePath(name) }

  /// The names of all files with scenarios, and of their workflows.
  var names: [String] { workflows.flatMap { [$0.workflow.scenarioFileName, $0.workflow.document.source.name] } }

  /// Removes notes, which only `validate` shows, and duplicates, which occur if several workflows use the same
  /// settings.
  private func relevant(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var shown: Set<String> = []
    return diagnostics.filter { diagnostic in
      let location = "\(absolute(diagnostic.place.source.name)):\(diagnostic.place.span?.start ?? -1)"
      return diagnostic.severity > .note
        && shown.insert("\(location):\(diagnostic.rule):\(diagnostic.message)").inserted
    }
  }

  /// Whether the bytes may be a workflow. Most files in a folder do not contain the key `authflow`, so they are not
  /// parsed. Files in UTF-16 or UTF-32 are always parsed.
  static func mayBeWorkflow(_ bytes: [UInt8]) -> Bool {
    let key = Array("authflow".utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      guard bytes.count >= key.count else { return false }
      for index in 0...(bytes.count - key.count) where bytes[index] == key[0] {
        if bytes[index..<(index + key.count)].elementsEqual(key) { return true }
      }
      return bytes.prefix(64).contains(0)
    }
  }
}

/// A cache of documents. Each file is read only once.
private final class DocumentCache: Sendable {
  private let loadOther: DocumentLoader
  private let session: Session
  /// The files by absolute path.
  private let files: [String: NamedFile]
  private let results = Mutex<[String: ReadResult]>([:])

  init(load: @escaping DocumentLoader, session: Session, files: [NamedFile]) {
    loadOther = load
    self.session = session
    self.files = files.reduce(into: [:]) { $0[session.absolutePath($1.name)] = $1 }
  }

  /// Returns the file at a path, which can be relative or contain `..`.
  private func file(_ path: String) -> NamedFile? { files[session.absolutePath(path)] }

  /// Returns the names of a workflow and its scenarios file if the search found both and they refer to each other.
  func pair(of path: String) -> (workflow: String, scenarios: String)? {
    guard let root = read(path).document?.root, root["steps"] != nil,
      let scenarios = root["scenarios"]?.string.flatMap({ file(FilePath.join(FilePath.folder(of: path), $0)) }),
      let other = read(scenarios.name).document, WorkflowDecoder.isScenariosFile(other),
      let workflow = other.root["workflow"]?.string,
      let file = file(FilePath.join(FilePath.folder(of: scenarios.name), workflow)), file.name == path
    else { return nil }
    return (path, scenarios.name)
  }

  var load: DocumentLoader {
    { [self] path, options in read(path, options) }
  }

  private func read(_ path: String, _ options: ReadingOptions = ReadingOptions()) -> ReadResult {
    // Only documents that are read with the default options are cached.
    let isCacheable = options.syntax == nil && !options.toleratesComments
    if isCacheable, let cached = results.withLock({ $0[path] }) { return cached }
    let result =
      file(path).map { DocumentReader.read($0.bytes, named: path, options: options) } ?? loadOther(path, options)
    if isCacheable { results.withLock { $0[path] = result } }
    return result
  }

  /// Whether the file is a workflow, even if it has syntax errors.
  func isWorkflow(_ path: String) -> Bool {
    let result = read(path)
    if let document = result.document, WorkflowDecoder.isWorkflow(document) { return true }
    guard result.diagnostics.hasErrors, let bytes = file(path)?.bytes else { return false }
    // A workflow with a syntax error must not be skipped silently.
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
      let line = line.drop { " \t{\"'".contains($0) }
      guard line.hasPrefix("authflow") else { return line.contains("<key>authflow</key>") }
      let rest = line.dropFirst("authflow".count).drop { "\"' \t".contains($0) }
      let value = rest.dropFirst().drop { " \t\"".contains($0) }.prefix { !"\",".contains($0) }
      return rest.first == ":" && !AuthflowOutput.kinds.contains(String(value))
    }
  }
}
