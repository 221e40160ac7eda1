import AppRegistration
import Diagnostics
import Documents
import Scenarios
import Synchronization
import Trust
import WorkflowModel
import WorkflowRunner

/// The documents and workflows of an earlier search. Watch mode decodes only workflows that depend on a changed file.
final class SuiteFileCache: Sendable {
  /// A workflow with its scenarios.
  struct DecodedWorkflow {
    var loaded: LoadedWorkflow?
    var diagnostics: [Diagnostic]
    var cases: [ScenarioCase] = []
    var caseDiagnostics: [Diagnostic] = []
  }

  private struct Dependency {
    var path: String
    var options: ReadingOptions
    var content: Content
  }

  /// The bytes of a document, or the errors if it cannot be read.
  private enum Content: Equatable {
    case bytes([UInt8])
    case errors([String])

    init(_ result: ReadResult) {
      self = result.document.map { .bytes($0.source.bytes) } ?? .errors(result.diagnostics.map(\.message))
    }
  }

  private struct Entry {
    var workflow: DecodedWorkflow
    var dependencies: [Dependency]
    /// The content of the recording that the workflow replays, if any.
    var recording: [UInt8]?
  }

  private struct State {
    var documents: [String: (bytes: [UInt8], result: ReadResult)] = [:]
    var entries: [String: Entry] = [:]
    var decoded: Set<String> = []
  }

  private let state = Mutex(State())

  /// Returns the names of the workflows that were decoded since the last call.
  func takeDecoded() -> Set<String> {
    state.withLock { state in
      defer { state.decoded = [] }
      return state.decoded
    }
  }

  /// Returns the document with this content, which is parsed only if the content changed.
  func document(_ path: String, _ bytes: [UInt8]) -> ReadResult {
    if let known = state.withLock({ $0.documents[path] }), known.bytes == bytes { return known.result }
    let result = DocumentReader.read(bytes, named: path)
    state.withLock { $0.documents[path] = (bytes, result) }
    return result
  }

  /// Returns the workflow from the earlier search if none of its documents changed. Otherwise, decodes it.
  /// - Parameter decode: A closure that decodes the workflow with a loader that records the documents.
  func workflow(
    _ name: String, load: @escaping DocumentLoader, in session: Session,
    decode: (_ load: @escaping DocumentLoader) -> DecodedWorkflow
  ) -> DecodedWorkflow {
    if let entry = state.withLock({ $0.entries[name] }) {
      for dependency in entry.dependencies { session.watched?.add(file: dependency.path) }
      let isSame = entry.dependencies.allSatisfy { Content(load($0.path, $0.options)) == $0.content }
      if isSame, recording(of: entry.workflow, in: session) == entry.recording { return entry.workflow }
    }
    let recorded = Mutex<[Dependency]>([])
    let workflow = decode { path, options in
      session.watched?.add(file: path)
      let result = load(path, options)
      recorded.withLock { $0.append(Dependency(path: path, options: options, content: Content(result))) }
      return result
    }
    let entry = Entry(
      workflow: workflow, dependencies: recorded.withLock { $0 }, recording: recording(of: workflow, in: session))
    state.withLock { state in
      state.entries[name] = entry
      state.decoded.insert(name)
    }
    return workflow
  }

  /// Watches the recording that a workflow replays, and returns its content.
  private func recording(of workflow: DecodedWorkflow, in session: Session) -> [UInt8]? {
    guard let loaded = workflow.loaded, case .replay(let name)? = loaded.workflow.platform else { return nil }
    let path = SettingsLoader.path(name, relativeTo: loaded.workflow.document.source.name)
    session.watched?.add(file: path)
    guard ProjectRoots(of: [loaded.workflow.document.source.name], in: session.world).violation(reading: path) == nil
    else { return nil }
    return try? session.world.bytes(of: path).get()
  }
}
