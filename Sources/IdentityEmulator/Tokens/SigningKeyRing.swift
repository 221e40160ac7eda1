import Directory
import OAuth
import OrderedCollections
import Synchronization

/// The keys that the platform signs with: one at a time, the next after each rotation. The key set shows the one in use
/// and, after a rotation, the one before it.
struct SigningKeyRing: Sendable {
  let keys: [SigningKey]
  /// What the platform publishes with these keys, ready to be sent: it is the same for every emulator that has them.
  let documents = MetadataCache()
  /// The P-256 key for ES256, which is used only where a misbehavior asks for it.
  var elliptic: SigningKey? { Self.worthlessElliptic }

  private static let worthlessElliptic = try? SigningKey(
    p256: BuiltInTestKeys.elliptic, keyID: "WorthlessEllipticKeyOfTheEmulator")

  /// The rings that were made last, by their keys. A process that runs scenarios makes thousands of emulators with the
  /// same keys, and to read and prepare a key takes longer than to sign with it.
  private static let made = Mutex<OrderedDictionary<[String], SigningKeyRing>>([:])
  private static let mostMade = 8

  /// The ring of these keys; it is made once and then shared.
  /// - Parameter pems: the directory's own keys; empty for the built-in ones.
  static func of(_ pems: [String]) -> SigningKeyRing {
    if let ring = made.withLock({ $0[pems] }) { return ring }
    // Outside the lock: two threads may both make it, which is worth the same.
    let ring = SigningKeyRing(pems: pems)
    made.withLock { rings in
      if rings.count >= mostMade { rings.removeFirst() }
      rings[pems] = ring
    }
    return ring
  }

  /// - Parameter pems: the directory's own keys; empty for the built-in ones. One that cannot be read is left out.
  private init(pems: [String]) {
    let own = pems.compactMap { pem -> SigningKey? in
      // Named by the certificate that it makes for itself, as the platform's keys are by theirs.
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

  /// - Parameter rotations: how often the keys were rotated.
  func current(after rotations: Int) -> SigningKey? {
    keys.isEmpty ? nil : keys[rotations % keys.count]
  }

  /// What the key set shows.
  func published(after rotations: Int, _ ways: OrderedSet<Misbehavior> = []) -> [SigningKey] {
    if ways.contains(.noKeys) { return [] }
    var shown = usuallyPublished(after: rotations)
    if ways.contains(.severalKeys) { shown = keys }
    if ways.contains(.singleKey) || ways.contains(.lateKeyRotation) { shown = Array(shown.prefix(1)) }
    if ways.contains(.ellipticSignature), let elliptic { shown.append(elliptic) }
    return shown
  }

  private func usuallyPublished(after rotations: Int) -> [SigningKey] {
    guard keys.count > 1 else { return keys }
    // The key of the last rotation stays visible, so that tokens signed a moment ago can be verified.
    let shown = rotations == 0 ? [0] : [rotations % keys.count, (rotations - 1) % keys.count]
    return shown.map { keys[$0] }
  }
}
