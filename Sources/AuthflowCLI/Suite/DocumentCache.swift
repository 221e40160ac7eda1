import AppRegistration
import Diagnostics
import Documents
import Synchronization
import Validation
import WorkflowModel

/// A cache of documents. Each file is read only once.
final class DocumentCache: Sendable {
  private let loadOther: DocumentLoader
  private let session: Session
  /// The files by absolute path.
  private let files: [String: NamedFile]
  private let results = Mutex<[String: ReadResult]>([:])
  private let earlier: SuiteFileCache?

  /// - Parameter earlier: The documents of an earlier search, which are reused if their files are unchanged.
  init(load: @escaping DocumentLoader, session: Session, files: [NamedFile], earlier: SuiteFileCache?) {
    loadOther = load
    self.earlier = earlier
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
    let result: ReadResult =
      if let file = file(path) {
        isCacheable && earlier != nil
          ? earlier?.document(path, file.bytes) ?? loadOther(path, options)
          : DocumentReader.read(file.bytes, named: path, options: options)
      } else {
        loadOther(path, options)
      }
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
