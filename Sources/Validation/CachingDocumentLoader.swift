import AppRegistration
import Documents
import Synchronization

/// A loader that reads each document only once, because a thousand scenarios can use the same settings or directory.
final class CachingDocumentLoader: Sendable {
  /// The path of a document and the options with which it was read.
  struct Key: Hashable {
    var path: String
    var options: ReadingOptions
  }

  private let cached = Mutex<[Key: ReadResult]>([:])
  private let loadUncached: DocumentLoader

  private init(_ load: @escaping DocumentLoader) {
    loadUncached = load
  }

  /// Returns a loader that caches the documents that another loader reads.
  static func wrapping(_ load: @escaping DocumentLoader) -> DocumentLoader {
    let loader = CachingDocumentLoader(load)
    return { path, options in loader.load(path, options) }
  }

  private func load(_ path: String, _ options: ReadingOptions) -> ReadResult {
    let key = Key(path: path, options: options)
    if let result = cached.withLock({ $0[key] }) { return result }
    let result = loadUncached(path, options)
    cached.withLock { $0[key] = result }
    return result
  }
}
