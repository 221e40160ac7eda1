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

/// The workflows and scenarios files of a command line's files and folders, loaded with everything that they name.
struct SuiteFiles {
  let session: Session
  private let definitions: Definitions
  private let isStrict: Bool
  /// The workflows that have scenarios, in the order in which they were found; one for each file with scenarios.
  private(set) var workflows: [LoadedWorkflow] = []
  private(set) var cases: [ScenarioCase] = []
  /// Workflows in folders that have none.
  private(set) var withoutScenarios: [String] = []

  /// Reads all of them. What is wrong is shown, whatever file it is in.
  /// - Throws: `.unusable` where anything is an error: nothing is run then.
  /// - Parameter isStrict: whether only directories and settings register tenants, user flows, and APIs.
  init(
    _ paths: [String], definitions: Definitions, isStrict: Bool = true, in session: Session
  ) throws(ExitStatus) {
    self.session = session
    self.definitions = definitions
    self.isStrict = isStrict
    let configurations = try ValidateConfigurations(paths: paths, named: nil, isOff: false, in: session)
    let found = try ProjectFiles(session: session, configurations: configurations).collect(paths)
    let shelf = DocumentCache(load: session.load(inputs: paths), session: session, files: found.files)
    var reading = Progress(diagnostics: found.unreadable, broken: found.unreadable.map(\.place.source.name))
    for file in found.files {
      let isNamed = found.named.contains(file.name)
      guard isNamed || Self.mayBeWorkflow(file.bytes) else { continue }
      guard isNamed || shelf.isWorkflow(file.name) else { continue }
      take(file.name, shelf, &reading)
    }
    for file in reading.lacking where !reading.workflows.values.contains(absolute(file)) {
      guard found.named.contains(file) else {
        withoutScenarios.append(file)
        continue
      }
      reading.diagnostics.append(
        Diagnostic(
          .error, rule: "no-scenarios", "the workflow has no scenarios, so there is nothing to test",
          help: "add `scenarios:`; authflow explore writes one for each path", at: .file(file)))
      reading.broken.append(file)
    }
    let (diagnostics, broken) = (reading.diagnostics, reading.broken)
    session.show(worthSaying(diagnostics))
    guard diagnostics.hasErrors else { return }
    let files = broken.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    session.printStatus(
      "error: nothing was run: \(files.map { CaretFrame.visible($0) }.joined(separator: ", ")) cannot be used as \(files.count == 1 ? "it is" : "they are")"
    )
    throw .usageError
  }

  /// What is known while the files are read.
  private struct Progress {
    var diagnostics: [Diagnostic]
    /// The names of the files that cannot be used.
    var broken: [String]
    /// The names of the files without scenarios.
    var lacking: [String] = []
    /// The workflow of each file with scenarios that was read, as absolute paths.
    var workflows: [String: String] = [:]
    let recordings = RecordingCache()
  }

  /// Loads a workflow with its scenarios, or a scenarios file with its workflow, unless another file led to it already.
  private mutating func take(_ name: String, _ shelf: DocumentCache, _ reading: inout Progress) {
    guard reading.workflows[absolute(name)] == nil else { return }
    var name = name
    if let pair = shelf.pair(of: name) {
      // Whichever of the two comes first: the scenarios keep the name under which their file was found.
      guard reading.workflows[absolute(pair.scenarios)] != absolute(pair.workflow) else { return }
      name = pair.scenarios
    }
    let (loaded, told) = LoadedWorkflow.read(name, definitions: definitions, load: shelf.load)
    reading.diagnostics += told
    let file = loaded?.workflow.scenarioFileName ?? name
    if let loaded {
      let workflow = absolute(loaded.workflow.document.source.name)
      guard reading.workflows.updateValue(workflow, forKey: absolute(file)) == nil else { return }
    }
    guard let loaded, !told.hasErrors else {
      let isInScenarios = told.allSatisfy { $0.severity < .error || $0.place.source.name == file }
      reading.broken.append(isInScenarios ? file : name)
      return
    }
    guard !loaded.workflow.scenarios.isEmpty else {
      if loaded.workflow.scenarioFile == nil { reading.workflows[absolute(file)] = nil }
      return reading.lacking.append(name)
    }
    let (cases, toldOfCases) = loaded.cases(recordings: reading.recordings, isStrict: isStrict)
    reading.diagnostics += toldOfCases
    if toldOfCases.hasErrors { reading.broken.append(file) }
    workflows.append(loaded)
    self.cases += cases
  }

  private func absolute(_ name: String) -> String { FilePath.join(session.world.environment.workingDirectory, name) }

  /// The names of the files that the scenarios are from, and those of their workflows.
  var names: [String] { workflows.flatMap { [$0.workflow.scenarioFileName, $0.workflow.document.source.name] } }

  /// Each once, though many workflows name the same settings; notes are `validate`'s business.
  private func worthSaying(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var seen: Set<String> = []
    return diagnostics.filter { told in
      let place = "\(absolute(told.place.source.name)):\(told.place.span?.start ?? -1)"
      return told.severity > .note && seen.insert("\(place):\(told.rule):\(told.message)").inserted
    }
  }

  /// Most files of a folder need not be read to see that they are no workflows: the key stands in each of them, unless the
  /// text is in a wider encoding.
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

/// Documents by their names, each read once however many workflows name it.
private final class DocumentCache: Sendable {
  private let loadOther: DocumentLoader
  private let workingDirectory: String
  /// By their absolute paths.
  private let files: [String: NamedFile]
  private let readings = Mutex<[String: ReadResult]>([:])

  init(load: @escaping DocumentLoader, session: Session, files: [NamedFile]) {
    loadOther = load
    let folder = session.world.environment.workingDirectory
    workingDirectory = folder
    self.files = files.reduce(into: [:]) { $0[FilePath.join(folder, $1.name)] = $1 }
  }

  /// The file at a path, whatever its spelling.
  private func file(_ path: String) -> NamedFile? {
    files[FilePath.join(workingDirectory, path)]
  }

  /// The names of a workflow that names a scenarios file, and of that file, if both are here and name each other.
  func pair(of path: String) -> (workflow: String, scenarios: String)? {
    guard let root = reading(of: path, ReadingOptions()).document?.root, root["steps"] != nil,
      let scenarios = root["scenarios"]?.string.flatMap({ file(FilePath.join(FilePath.folder(of: path), $0)) }),
      let other = reading(of: scenarios.name, ReadingOptions()).document, WorkflowDecoder.isScenariosFile(other),
      let workflow = other.root["workflow"]?.string,
      let file = file(FilePath.join(FilePath.folder(of: scenarios.name), workflow)), file.name == path
    else { return nil }
    return (path, scenarios.name)
  }

  var load: DocumentLoader {
    { [self] path, options in reading(of: path, options) }
  }

  private func reading(of path: String, _ options: ReadingOptions) -> ReadResult {
    // Whoever wants it read in a way of his own gets it so.
    let isPlain = options.syntax == nil && !options.toleratesComments
    if isPlain, let known = readings.withLock({ $0[path] }) { return known }
    let reading =
      file(path).map { DocumentReader.read($0.bytes, named: path, options: options) }
      ?? loadOther(path, options)
    guard isPlain else { return reading }
    readings.withLock { $0[path] = reading }
    return reading
  }

  /// Whether the file is meant to be a workflow, also where it cannot be read to its end.
  func isWorkflow(_ path: String) -> Bool {
    let reading = reading(of: path, ReadingOptions())
    if let document = reading.document, WorkflowDecoder.isWorkflow(document) { return true }
    guard reading.diagnostics.hasErrors, let bytes = file(path)?.bytes else { return false }
    // A broken file must not go by in silence because of what is broken in it.
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
      let line = line.drop { " \t{\"'".contains($0) }
      guard line.hasPrefix("authflow") else { return line.contains("<key>authflow</key>") }
      let rest = line.dropFirst("authflow".count).drop { "\"' \t".contains($0) }
      let value = rest.dropFirst().drop { " \t\"".contains($0) }.prefix { !"\",".contains($0) }
      return rest.first == ":" && !AuthflowOutput.kinds.contains(String(value))
    }
  }
}
