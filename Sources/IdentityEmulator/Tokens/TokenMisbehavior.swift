import Crypto
import CryptoExtras
import Directory
import Documents
import GraphEmulator
import OAuth
import OrderedCollections

/// How a misbehaving platform changes and signs ID tokens; without misbehaviors, how they are signed.
struct TokenMisbehavior: Sendable {
  let platform: Platform
  let ways: OrderedSet<Misbehavior>

  /// Breaks the claims, all of them right so far.
  func change(_ claims: inout OrderedDictionary<String, JSON>) {
    for way in ways {
      switch way {
      case .wrongIssuer: claims["iss"] = .string("\(Self.stranger)/\(claims["tid"]?.string ?? "")/v2.0")
      case .wrongAudience: claims["aud"] = .string(Self.nobody)
      case .missingAudience: claims["aud"] = nil
      case .missingSubject: claims["sub"] = nil
      case .missingIssuedAt: claims["iat"] = nil
      case .wrongNonce: if claims["nonce"] != nil { claims["nonce"] = "another-nonce" }
      case .missingNonce: claims["nonce"] = nil
      case .expiredToken: shift(&claims, by: -90_000)
      case .futureToken: shift(&claims, by: 90_000)
      case .wrongAccount:
        claims["sub"] = "somebody-else"
        claims["oid"] = .string(Self.nobody)
        claims["preferred_username"] = "mallory@evil.example"
      case .wrongTokenHash: claims["at_hash"] = .string(TokenIssuer.half("another access token"))
      default: break
      }
    }
  }

  private func shift(_ claims: inout OrderedDictionary<String, JSON>, by seconds: Int64) {
    for name in ["iat", "nbf", "exp"] {
      if let moment = claims[name]?.integer { claims[name] = .integer(moment + seconds) }
    }
  }

  /// Where another provider would be.
  static let stranger = "https://login.evil.example"
  private static let nobody = "00000000-0000-0000-0000-00000000dead"

  /// The signed text of an ID token's claims.
  /// - Parameter withThumbprint: whether the header names the key as `x5t` too, as that of older tokens does.
  func sign(_ claims: JSON, withThumbprint: Bool = false) -> String {
    let isLate = ways.contains(.lateKeyRotation)
    let rotations = platform.withState { state in
      if isLate { state.rotations += 1 }
      return state.rotations
    }
    let usual = platform.keys.current(after: rotations)
    guard let key = ways.contains(.ellipticSignature) ? platform.keys.elliptic : usual else { return "" }
    var header: OrderedDictionary<String, JSON> = ["typ": "JWT", "alg": .string(key.algorithm.rawValue)]
    if let keyID = key.publicKey.keyID { header["kid"] = .string(keyID) }
    if withThumbprint { header["x5t"] = header["kid"] }
    if ways.contains(.unknownKey) { header["kid"] = "AnUnknownKeyThatNoKeySetHolds" }
    if ways.contains(.missingKeyId) { header["kid"] = nil }
    if ways.contains(.criticalExtension) {
      header["crit"] = ["exp"]
      header["exp"] = claims["exp"]
    }
    if ways.contains(.unsignedToken) {
      return UnverifiedJWT.compact(header: ["typ": "JWT", "alg": "none"], claims: claims, signature: [])
    }
    if ways.contains(.sharedSecretSignature) {
      header["alg"] = "HS256"
      let input = UnverifiedJWT.signingInput(header: .object(header), claims: claims)
      let code = HMAC<SHA256>.authenticationCode(
        for: Array(input.utf8), using: SymmetricKey(data: publicText(of: key.publicKey)))
      return "\(input).\(Base64URL.encode(code))"
    }
    let input = UnverifiedJWT.signingInput(header: .object(header), claims: claims)
    var signature = (try? key.signature(over: Array(input.utf8))) ?? []
    if ways.contains(.wrongSignature) { signature = signature.map { $0 ^ 0x55 } }
    return "\(input).\(Base64URL.encode(signature))"
  }

  /// The public key as the PEM text that everybody can have: the secret of an attacker who confuses keys (RFC 8725 §2.1).
  private func publicText(of key: JWK) -> [UInt8] {
    guard case .rsa(let modulus, let exponent) = key.material,
      let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
    else { return Array(key.json.text().utf8) }
    return Array(key.pemRepresentation.utf8)
  }
}
