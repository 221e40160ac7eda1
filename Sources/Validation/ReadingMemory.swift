import AppRegistration
import Documents
import Synchronization

/// Reads each document once: a thousand scenarios may name the same settings or the same directory.
final class ReadingMemory: Sendable {
  private let known = Mutex<[String: ReadResult]>([:])
  private let load: DocumentLoader

  private init(_ load: @escaping DocumentLoader) {
    self.load = load
  }

  /// The same reader with a memory.
  static func remembering(_ load: @escaping DocumentLoader) -> DocumentLoader {
    let memory = ReadingMemory(load)
    return { path, options in memory.reading(of: path, options) }
  }

  private func reading(of path: String, _ options: ReadingOptions) -> ReadResult {
    let key = "\(path)\u{0}\(options)"
    if let reading = known.withLock({ $0[key] }) { return reading }
    let reading = load(path, options)
    known.withLock { $0[key] = reading }
    return reading
  }
}
