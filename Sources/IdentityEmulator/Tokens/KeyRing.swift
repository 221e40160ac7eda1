import Directory
import OAuth
import OrderedCollections

/// The keys that the platform signs with: one at a time, the next after each rotation. The key set shows the one in use
/// and, after a rotation, the one before it.
struct KeyRing: Sendable {
  let keys: [SigningKey]
  /// The P-256 key for ES256, which is used only where a misbehaviour asks for it.
  let elliptic = try? SigningKey(p256: WorthlessKeys.elliptic, keyID: "WorthlessEllipticKeyOfTheEmulator")

  /// - Parameter pems: the directory's own keys; empty for the built-in ones. One that cannot be read is left out.
  init(pems: [String]) {
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
    keys = WorthlessKeys.pairs.compactMap { pair in
      try? SigningKey(
        rsaPEM: pair.privateKeyPEM, keyID: pair.keyID, thumbprint: pair.keyID, certificates: [pair.certificate])
    }
  }

  /// - Parameter rotations: how often the keys were rotated.
  func current(after rotations: Int) -> SigningKey? {
    keys.isEmpty ? nil : keys[rotations % keys.count]
  }

  /// What the key set shows.
  func published(after rotations: Int, _ ways: OrderedSet<Misbehaviour> = []) -> [SigningKey] {
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
