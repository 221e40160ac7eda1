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
  private let cache: SuiteFileCache?
  /// The workflows with scenarios in search order, with one entry for each file that contains scenarios.
  private(set) var workflows: [LoadedWorkflow] = []
  private(set) var cases: [ScenarioCase] = []
  /// The names of workflows without scenarios that were found in folders.
  private(set) var withoutScenarios: [String] = []

  /// Reads all files and shows their diagnostics.
  /// - Parameters:
  ///   - isStrict: Whether to reject tenants, user flows, and APIs that are missing from the settings and directories.
  ///   - cache: The results of an earlier search, which are reused for unchanged files.
  /// - Throws: `.usageError` if a file has errors.
  init(
    _ paths: [String], definitions: Definitions, isStrict: Bool = true, cache: SuiteFileCache? = nil,
    in session: Session
  ) throws(ExitStatus) {
    self.session = session
    self.definitions = definitions
    self.isStrict = isStrict
    self.cache = cache
    let project = try session.searchProject(paths, session.validationConfigurations(for: paths))
    session.watched?.add(project, named: paths)
    let documents = DocumentCache(
      load: session.load(inputs: paths), session: session, files: project.files, earlier: cache)
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
    let decoded = decode(name, documents, progress.recordings)
    let (loaded, diagnostics) = (decoded.loaded, decoded.diagnostics)
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
    progress.diagnostics += decoded.caseDiagnostics
    if decoded.caseDiagnostics.hasErrors { progress.filesWithErrors.append(file) }
    workflows.append(loaded)
    cases += decoded.cases
  }

  /// Decodes a workflow with its scenarios, or returns the result of the earlier search if no file changed.
  private func decode(
    _ name: String, _ documents: DocumentCache, _ recordings: RecordingCache
  ) -> SuiteFileCache.DecodedWorkflow {
    func decode(_ load: @escaping DocumentLoader) -> SuiteFileCache.DecodedWorkflow {
      let (loaded, diagnostics) = LoadedWorkflow.read(name, definitions: definitions, load: load)
      var decoded = SuiteFileCache.DecodedWorkflow(loaded: loaded, diagnostics: diagnostics)
      if let loaded, !diagnostics.hasErrors {
        (decoded.cases, decoded.caseDiagnostics) = loaded.cases(recordings: recordings, isStrict: isStrict)
      }
      return decoded
    }
    guard let cache else { return decode(documents.load) }
    return cache.workflow(name, load: documents.load, in: session, decode: decode)
  }

  private func absolute(_ name: String) -> String { session.absolutePath(name) }

  /// The names of all files with scenarios and of their workflows.
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

  /// Whether the bytes may be a workflow. Most files in a folder do not contain the `authflow` key, so they are not
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
