import Synchronization

/// Public documents as bytes, by all that decides about them besides the keys: most clients begin by reading the same two
/// or three.
final class MetadataCache: Sendable {
  /// Hosts and tenants can be made up without end, and with names of any length.
  private static let limit = 256
  private static let longestName = 300

  private let documents = Mutex<[[String]: [UInt8]]>([:])

  /// The document of that name, made when it is asked for first.
  /// - Parameter name: the words that decide what is in it.
  func document(_ name: [String], _ make: () -> [UInt8]) -> [UInt8] {
    guard name.reduce(0, { $0 + $1.utf8.count }) <= Self.longestName else { return make() }
    if let known = documents.withLock({ $0[name] }) { return known }
    let made = make()
    documents.withLock { documents in
      if documents.count >= Self.limit { documents.removeAll() }
      documents[name] = made
    }
    return made
  }
}
