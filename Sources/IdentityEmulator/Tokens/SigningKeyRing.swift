import Directory
import Documents
import OAuth
import OrderedCollections
import Synchronization

/// The platform's signing keys. Each rotation selects the next key. The key set contains the current key and, after a
/// rotation, the previous key.
struct SigningKeyRing: Sendable {
  let keys: [SigningKey]
  /// Serialized metadata documents, shared by all emulators with these keys.
  let documents = MetadataCache()
  /// The P-256 key for ES256, which only a misbehavior uses.
  var elliptic: SigningKey? { Self.worthlessElliptic }

  private static let worthlessElliptic = try? SigningKey(
    p256: BuiltInTestKeys.elliptic, keyID: "WorthlessEllipticKeyOfTheEmulator")

  /// The recently created key rings, indexed by their keys. A process that runs scenarios creates thousands of
  /// emulators with the same keys, and parsing a key takes longer than signing with it.
  private static let cache = Mutex<OrderedDictionary<[String], SigningKeyRing>>([:])
  private static let cacheLimit = 8

  /// Returns the shared key ring for these keys.
  /// - Parameter pems: The directory's keys, or an empty list for the built-in keys.
  static func of(_ pems: [String]) -> SigningKeyRing {
    if let ring = cache.withLock({ $0[pems] }) { return ring }
    // The key ring is created outside the lock. If two threads create the same key ring, one copy is discarded.
    let ring = SigningKeyRing(pems: pems)
    cache.withLock { rings in
      if rings.count >= cacheLimit { rings.removeFirst() }
      rings[pems] = ring
    }
    return ring
  }

  /// - Parameter pems: The directory's keys, or an empty list for the built-in keys. Invalid keys are ignored.
  private init(pems: [String]) {
    let own = pems.compactMap { pem -> SigningKey? in
      // The key ID is the thumbprint of a self-signed certificate, as in the live service.
      guard let key = try? SigningKey(rsaPEM: pem, keyID: nil), let certificate = Certificate(selfSigned: key) else {
        return nil
      }
      return try? SigningKey(
        rsaPEM: pem, keyID: certificate.thumbprint, thumbprint: certificate.thumbprint,
        certificates: [Base64.encode(certificate.der)])
    }
    guard own.isEmpty else {
      keys = own
      return
    }
    keys = BuiltInTestKeys.pairs.compactMap { pair in
      try? SigningKey(
        rsaPEM: pair.privateKeyPEM, keyID: pair.keyID, thumbprint: pair.keyID, certificates: [pair.certificate])
    }
  }

  /// Returns the current signing key.
  /// - Parameter rotations: The number of key rotations.
  func current(after rotations: Int) -> SigningKey? {
    keys.isEmpty ? nil : keys[rotations % keys.count]
  }

  /// Returns the keys in the published key set.
  func published(after rotations: Int, _ misbehaviors: OrderedSet<Misbehavior> = []) -> [SigningKey] {
    if misbehaviors.contains(.noKeys) { return [] }
    var published = defaultKeys(after: rotations)
    if misbehaviors.contains(.severalKeys) { published = keys }
    if misbehaviors.contains(.singleKey) || misbehaviors.contains(.lateKeyRotation) {
      published = Array(published.prefix(1))
    }
    if misbehaviors.contains(.ellipticSignature), let elliptic { published.append(elliptic) }
    return published
  }

  private func defaultKeys(after rotations: Int) -> [SigningKey] {
    guard keys.count > 1 else { return keys }
    // The previous key stays published, so that clients can verify recent tokens.
    let indices = rotations == 0 ? [0] : [rotations % keys.count, (rotations - 1) % keys.count]
    return indices.map { keys[$0] }
  }
}
