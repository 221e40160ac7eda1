import Synchronization

/// Public documents as bytes, by all that decides about them: most clients begin by reading the same two or three.
final class MetadataCache: Sendable {
  /// Hosts and tenants can be made up without end.
  private static let limit = 256

  private let documents = Mutex<[String: [UInt8]]>([:])

  /// The document of that name, made when it is asked for first.
  func document(_ name: String, _ make: () -> [UInt8]) -> [UInt8] {
    if let known = documents.withLock({ $0[name] }) { return known }
    let made = make()
    documents.withLock { documents in
      if documents.count >= Self.limit { documents.removeAll() }
      documents[name] = made
    }
    return made
  }
}
