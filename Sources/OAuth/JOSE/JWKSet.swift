import Documents

/// A provider's public keys, RFC 7517 §5. A key that cannot be used is set aside and spoils nothing.
package struct JWKSet: Sendable {
  package let keys: [JWK]
  /// The keys that were set aside, and why.
  package let unusable: [JWKFailure]

  package init(_ keys: [JWK]) {
    self.keys = keys
    unusable = []
  }

  /// Reads a `jwks_uri`'s answer; nil where it has no list `keys`.
  package init?(_ json: JSON) {
    guard let members = json["keys"]?.array else { return nil }
    var keys: [JWK] = []
    var unusable: [JWKFailure] = []
    for member in members {
      do {
        keys.append(try JWK(member))
      } catch {
        unusable.append(error)
      }
    }
    self.keys = keys
    self.unusable = unusable
  }

  package var json: JSON { ["keys": .array(keys.map(\.json))] }

  /// Checks a token's signature with the key that its header names.
  ///
  /// A header without `kid` is believed only where exactly one key comes into question. `crit` is refused whatever it
  /// names, since authflow knows no extension (RFC 7515 §4.1.11), and so is `b64`, which no token may have (RFC 7797 §7).
  /// Keys that the header itself brings or points to (`jwk`, `jku`, `x5c`, `x5u`) are not looked at.
  /// - Returns: the key that made the signature.
  @discardableResult
  package func verify(
    _ token: UnverifiedJWT, allowing algorithms: Set<SignatureAlgorithm> = [.rs256, .es256]
  ) throws(SignatureValidationError) -> JWK {
    guard let named = token.header["alg"]?.string else { throw .algorithm("the header has no “alg”") }
    guard let algorithm = SignatureAlgorithm(rawValue: named), algorithms.contains(algorithm) else {
      throw .algorithm("“\(named)” is not accepted")
    }
    guard token.header["crit"] == nil, token.header["b64"] == nil else { throw .criticalHeader }
    let suitable = keys.filter {
      $0.keyType == algorithm.keyType && ($0.algorithm == nil || $0.algorithm == algorithm)
    }
    let candidates: [JWK]
    if let member = token.header["kid"] {
      guard let keyID = member.string else { throw .keyIDIsNoText }
      guard keys.contains(where: { $0.keyID == keyID }) else {
        throw .unknownKey(keyID, setAside: unusable.first { $0.keyID == keyID }?.reason)
      }
      candidates = suitable.filter { $0.keyID == keyID }
      guard !candidates.isEmpty else { throw .wrongKeyType(keyID, algorithm) }
    } else {
      guard suitable.count == 1 else { throw .keyIDMissing(candidates: suitable.count) }
      candidates = suitable
    }
    for key in candidates where key.verifies(token.signature, over: token.signingInput, by: algorithm) { return key }
    throw .signature
  }
}

/// Why a signature is not believed.
package enum SignatureValidationError: Error, Hashable, Sendable {
  case algorithm(String)
  case criticalHeader
  case keyIDIsNoText
  /// The set may be older than the key: who fetched it may fetch it again, once. `setAside` says why a key of that name
  /// is in the set and yet unusable.
  case unknownKey(String, setAside: String?)
  case keyIDMissing(candidates: Int)
  case wrongKeyType(String, SignatureAlgorithm)
  case signature

  package var explanation: String {
    switch self {
    case .algorithm(let reason): "the signature algorithm: \(reason)"
    case .criticalHeader: "the header demands extensions (crit, b64), of which none is known"
    case .keyIDIsNoText: "the header's kid is no text"
    case .unknownKey(let keyID, nil): "the provider has no key “\(keyID)”"
    case .unknownKey(let keyID, let reason?): "the provider's key “\(keyID)” cannot be used: \(reason)"
    case .keyIDMissing(0): "the header names no key, and the provider has none that fits"
    case .keyIDMissing(let count): "the header names no key, and \(count) keys come into question"
    case .wrongKeyType(let keyID, let algorithm): "the key “\(keyID)” is not for \(algorithm.rawValue)"
    case .signature: "the signature was not made by the provider's key"
    }
  }
}
