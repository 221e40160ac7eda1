import Documents

/// A provider's public keys (RFC 7517 §5). Unusable keys are skipped.
package struct JWKSet: Sendable {
  package let keys: [JWK]
  /// The keys that were skipped, with the reason for each.
  package let unusable: [JWKFailure]

  package init(_ keys: [JWK]) {
    self.keys = keys
    unusable = []
  }

  /// Parses the response of a `jwks_uri`. Returns nil if the response does not contain a `keys` list.
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

  /// Verifies a token's signature with the key that the token's header identifies (RFC 7515 §5.2).
  ///
  /// Accepts a header without `kid` only if exactly one key is suitable. Rejects `crit`, because authflow does not
  /// support extensions (RFC 7515 §4.1.11), and `b64`, which JWTs must not use (RFC 7797 §7). Ignores keys in the
  /// header (`jwk`, `jku`, `x5c`, and `x5u`), because an attacker could have added them.
  /// - Returns: The key that verifies the signature.
  @discardableResult
  package func verify(
    _ token: UnverifiedJWT, allowing algorithms: Set<SignatureAlgorithm> = [.rs256, .es256]
  ) throws(SignatureValidationError) -> JWK {
    guard let name = token.header["alg"]?.string else { throw .algorithm("the header does not contain `alg`") }
    guard let algorithm = SignatureAlgorithm(rawValue: name), algorithms.contains(algorithm) else {
      throw .algorithm("`\(name)` is not allowed")
    }
    guard token.header["crit"] == nil, token.header["b64"] == nil else { throw .criticalHeader }
    let suitable = keys.filter {
      $0.keyType == algorithm.keyType && ($0.algorithm == nil || $0.algorithm == algorithm)
    }
    let candidates: [JWK]
    if let member = token.header["kid"] {
      guard let keyID = member.string else { throw .keyIDNotString }
      guard keys.contains(where: { $0.keyID == keyID }) else {
        throw .unknownKey(keyID, unusable: unusable.first { $0.keyID == keyID }?.reason)
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

/// A signature that failed validation.
package enum SignatureValidationError: Error, Hashable, Sendable {
  case algorithm(String)
  case criticalHeader
  case keyIDNotString
  /// The provider may have rotated its keys, so the client may fetch the key set once more. If the set contains a key
  /// with this ID that cannot be used, `unusable` is the reason.
  case unknownKey(String, unusable: String?)
  case keyIDMissing(candidates: Int)
  case wrongKeyType(String, SignatureAlgorithm)
  case signature

  package var explanation: String {
    switch self {
    case .algorithm(let reason): "unsupported signature algorithm: \(reason)"
    case .criticalHeader: "the header requires unsupported extensions (`crit` or `b64`)"
    case .keyIDNotString: "`kid` in the header is not a string"
    case .unknownKey(let keyID, nil): "the provider does not publish the key `\(keyID)`"
    case .unknownKey(let keyID, let reason?): "the provider's key `\(keyID)` is unusable: \(reason)"
    case .keyIDMissing(0): "the header does not contain `kid`, and the provider does not publish a suitable key"
    case .keyIDMissing(let count): "the header does not contain `kid`, and \(count) keys are suitable"
    case .wrongKeyType(let keyID, let algorithm): "the key `\(keyID)` cannot be used with \(algorithm.rawValue)"
    case .signature: "the provider's key does not verify the signature"
    }
  }
}
