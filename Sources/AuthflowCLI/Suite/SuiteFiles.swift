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

/// The workflows of a command line's files and folders, loaded with everything that they name.
struct SuiteFiles {
  let session: Session
  /// The workflows that have scenarios, in the order in which they were found.
  private(set) var workflows: [LoadedWorkflow] = []
  private(set) var cases: [ScenarioCase] = []
  /// Workflows in folders that have none.
  private(set) var withoutScenarios: [String] = []

  /// Reads all of them. What is wrong is shown, whatever file it is in.
  /// - Throws: `.unusable` where anything is an error: nothing is run then.
  init(_ paths: [String], in session: Session) throws(ExitStatus) {
    self.session = session
    let configurations = try ValidateConfigurations(paths: paths, named: nil, isOff: false, in: session)
    let found = try ProjectFiles(session: session, configurations: configurations).collect(paths)
    let shelf = DocumentShelf(session: session, files: found.files)
    let tapes = TapeShelf()
    var diagnostics = found.unreadable
    var broken: [String] = found.unreadable.map(\.place.source.name)
    for file in found.files {
      let isNamed = found.named.contains(file.name)
      guard isNamed || Self.mayBeWorkflow(file.bytes) else { continue }
      guard isNamed || shelf.isWorkflow(file.name) else { continue }
      let (loaded, told) = LoadedWorkflow.read(file.name, load: shelf.load)
      diagnostics += told
      guard let loaded, !told.hasErrors else {
        broken.append(file.name)
        continue
      }
      guard !loaded.workflow.scenarios.isEmpty else {
        if isNamed {
          diagnostics.append(
            Diagnostic(
              .error, rule: "no-scenarios", "the workflow has no scenarios, so there is nothing to test",
              help: "add `scenarios:`; authflow explore writes one for each path", at: .file(file.name)))
          broken.append(file.name)
        } else {
          withoutScenarios.append(file.name)
        }
        continue
      }
      let (cases, toldOfCases) = loaded.cases(tapes: tapes)
      diagnostics += toldOfCases
      if toldOfCases.hasErrors { broken.append(file.name) }
      workflows.append(loaded)
      self.cases += cases
    }
    session.show(Self.worthSaying(diagnostics))
    guard diagnostics.hasErrors else { return }
    let files = broken.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    session.remark(
      "error: nothing was run: \(files.map { CaretFrame.visible($0) }.joined(separator: ", ")) cannot be used as \(files.count == 1 ? "it is" : "they are")"
    )
    throw .unusable
  }

  /// The names of the files that the scenarios are from.
  var names: [String] { workflows.map(\.workflow.document.source.name) }

  /// Each once, though many workflows name the same settings; notes are `validate`'s business.
  private static func worthSaying(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var seen: Set<String> = []
    return diagnostics.filter { told in
      let place = "\(told.place.source.name):\(told.place.span?.start ?? -1)"
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
private final class DocumentShelf: Sendable {
  private let session: Session
  private let bytes: [String: [UInt8]]
  private let readings = Mutex<[String: Reading]>([:])

  init(session: Session, files: [NamedFile]) {
    self.session = session
    bytes = files.reduce(into: [:]) { $0[$1.name] = $1.bytes }
  }

  var load: DocumentLoad {
    { [self] path, options in reading(of: path, options) }
  }

  private func reading(of path: String, _ options: ReadingOptions) -> Reading {
    // Whoever wants it read in a way of his own gets it so.
    let isPlain = options.syntax == nil && !options.toleratesComments
    if isPlain, let known = readings.withLock({ $0[path] }) { return known }
    let reading =
      bytes[path].map { DocumentReader.read($0, named: path, options: options) }
      ?? session.reading(of: path, options: options)
    guard isPlain else { return reading }
    readings.withLock { $0[path] = reading }
    return reading
  }

  /// Whether the file is meant to be a workflow, also where it cannot be read to its end.
  func isWorkflow(_ path: String) -> Bool {
    let reading = reading(of: path, ReadingOptions())
    if let document = reading.document, WorkflowReading.isWorkflow(document) { return true }
    guard reading.diagnostics.hasErrors, let bytes = bytes[path] else { return false }
    // A broken file must not go by in silence because of what is broken in it.
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
      let line = line.drop { " \t{\"'".contains($0) }
      guard line.hasPrefix("authflow") else { return line.contains("<key>authflow</key>") }
      return line.dropFirst("authflow".count).drop { "\"' \t".contains($0) }.first == ":"
    }
  }
}
