import Crypto
import CryptoExtras
import Directory
import Documents
import GraphEmulator
import OAuth
import OrderedCollections

/// A signer of ID tokens that changes claims and signatures according to the active misbehaviors.
struct TokenMisbehavior: Sendable {
  let platform: Platform
  let misbehaviors: OrderedSet<Misbehavior>

  /// Changes the claims according to the active misbehaviors.
  func change(_ claims: inout OrderedDictionary<String, JSON>) {
    for misbehavior in misbehaviors {
      switch misbehavior {
      case .wrongIssuer: claims["iss"] = .string("\(Self.otherProvider)/\(claims["tid"]?.string ?? "")/v2.0")
      case .wrongAudience: claims["aud"] = .string(Self.unknownID)
      case .missingAudience: claims["aud"] = nil
      case .missingSubject: claims["sub"] = nil
      case .missingIssuedAt: claims["iat"] = nil
      case .wrongNonce: if claims["nonce"] != nil { claims["nonce"] = "another-nonce" }
      case .missingNonce: claims["nonce"] = nil
      case .expiredToken: shift(&claims, by: -90_000)
      case .futureToken: shift(&claims, by: 90_000)
      case .wrongAccount:
        claims["sub"] = "another-user"
        claims["oid"] = .string(Self.unknownID)
        claims["preferred_username"] = "mallory@evil.example"
      case .wrongTokenHash: claims["at_hash"] = .string(TokenIssuer.leftHalfOfHash("another access token"))
      default: break
      }
    }
  }

  private func shift(_ claims: inout OrderedDictionary<String, JSON>, by seconds: Int64) {
    for name in ["iat", "nbf", "exp"] {
      if let time = claims[name]?.integer { claims[name] = .integer(time + seconds) }
    }
  }

  /// The URL of another provider.
  static let otherProvider = "https://login.evil.example"
  private static let unknownID = "00000000-0000-0000-0000-00000000dead"

  /// Returns the claims as a signed JWT.
  /// - Parameter withThumbprint: Whether the header also contains `x5t`, as in version 1 tokens.
  func sign(_ claims: JSON, withThumbprint: Bool = false) -> String {
    let isLate = misbehaviors.contains(.lateKeyRotation)
    let rotations = platform.withState { state in
      if isLate { state.rotations += 1 }
      return state.rotations
    }
    let usual = platform.keys.current(after: rotations)
    guard let key = misbehaviors.contains(.ellipticSignature) ? platform.keys.elliptic : usual else { return "" }
    var header: OrderedDictionary<String, JSON> = ["typ": "JWT", "alg": .string(key.algorithm.rawValue)]
    if let keyID = key.publicKey.keyID { header["kid"] = .string(keyID) }
    if withThumbprint { header["x5t"] = header["kid"] }
    if misbehaviors.contains(.unknownKey) { header["kid"] = "AnUnknownKeyThatNoKeySetHolds" }
    if misbehaviors.contains(.missingKeyId) { header["kid"] = nil }
    if misbehaviors.contains(.criticalExtension) {
      header["crit"] = ["exp"]
      header["exp"] = claims["exp"]
    }
    if misbehaviors.contains(.unsignedToken) {
      return UnverifiedJWT.compact(header: ["typ": "JWT", "alg": "none"], claims: claims, signature: [])
    }
    if misbehaviors.contains(.sharedSecretSignature) {
      header["alg"] = "HS256"
      let input = UnverifiedJWT.signingInput(header: .object(header), claims: claims)
      let code = HMAC<SHA256>.authenticationCode(
        for: Array(input.utf8), using: SymmetricKey(data: publicText(of: key.publicKey)))
      return "\(input).\(Base64URL.encode(code))"
    }
    let input = UnverifiedJWT.signingInput(header: .object(header), claims: claims)
    var signature = (try? key.signature(over: Array(input.utf8))) ?? []
    if misbehaviors.contains(.wrongSignature) { signature = signature.map { $0 ^ 0x55 } }
    return "\(input).\(Base64URL.encode(signature))"
  }

  /// Returns the public key in PEM format. In an algorithm confusion attack, an attacker uses this text as an HMAC
  /// secret (RFC 8725 §2.1).
  private func publicText(of key: JWK) -> [UInt8] {
    guard case .rsa(let modulus, let exponent) = key.material,
      let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
    else { return Array(key.json.text().utf8) }
    return Array(key.pemRepresentation.utf8)
  }
}
