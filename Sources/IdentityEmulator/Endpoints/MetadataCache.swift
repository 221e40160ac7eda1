import Synchronization

/// A cache of serialized metadata documents. Most clients start by requesting the same two or three documents.
final class MetadataCache: Sendable {
  /// The maximum number of documents, which is limited because clients choose host and tenant names.
  private static let limit = 256
  private static let longestName = 300

  private let documents = Mutex<[[String]: [UInt8]]>([:])

  /// Returns the document with this name, creating it on first use.
  /// - Parameter name: All values that determine the content, except the keys.
  func document(_ name: [String], _ make: () -> [UInt8]) -> [UInt8] {
    guard name.reduce(0, { $0 + $1.utf8.count }) <= Self.longestName else { return make() }
    if let cached = documents.withLock({ $0[name] }) { return cached }
    let document = make()
    documents.withLock { documents in
      if documents.count >= Self.limit { documents.removeAll() }
      documents[name] = document
    }
    return document
  }
}
