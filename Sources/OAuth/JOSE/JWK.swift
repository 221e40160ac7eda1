import Crypto
import CryptoExtras
import Documents
import OrderedCollections

/// A public JSON Web Key (RFC 7517 §4) that can verify RS256 or ES256 signatures.
package struct JWK: Sendable {
  package enum Material: Hashable, Sendable {
    /// The modulus and the exponent, in big-endian order.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// The coordinates of a point on P-256, 32 bytes each.
    case p256(x: [UInt8], y: [UInt8])
  }

  package let material: Material
  package let keyID: String?
  /// The algorithm, or nil if the key does not declare one.
  package let algorithm: SignatureAlgorithm?
  /// The certificate's SHA-1 thumbprint, base64url-encoded.
  package let thumbprint: String?
  /// The certificate chain as base64-encoded DER.
  package let certificates: [String]
  /// The only issuer that may use the key, a Microsoft Entra ID extension. `{tenantid}` matches any tenant.
  package let issuer: String?

  package init(
    _ material: Material, keyID: String?, algorithm: SignatureAlgorithm? = nil, thumbprint: String? = nil,
    certificates: [String] = [], issuer: String? = nil
  ) {
    self.material = material
    self.keyID = keyID
    self.algorithm = algorithm
    self.thumbprint = thumbprint
    self.certificates = certificates
    self.issuer = issuer
  }

  /// Parses one key from a key set.
  package init(_ json: JSON) throws(JWKFailure) {
    let keyID = json["kid"]?.string
    func failure(_ reason: String) -> JWKFailure { JWKFailure(keyID: keyID, reason: reason) }
    func bytes(_ name: String) throws(JWKFailure) -> [UInt8] {
      guard let text = json[name]?.string else { throw failure("`\(name)` is missing") }
      do {
        return try Base64URL.decode(text)
      } catch {
        throw failure("`\(name)` is not base64url: \(error.reason)")
      }
    }
    guard json.object != nil else { throw failure("not an object") }
    guard let keyType = json["kty"]?.string else { throw failure("`kty` is missing") }
    if json["kid"] != nil, keyID == nil { throw failure("`kid` is not a string") }
    // RFC 7517 §4.2 and §4.3.
    if let use = json["use"], use.string != "sig" { throw failure("`use` is not `sig`") }
    if let operations = json["key_ops"], operations.array?.contains(.string("verify")) != true {
      throw failure("`key_ops` does not contain `verify`")
    }
    let algorithm = json["alg"]?.string.flatMap { SignatureAlgorithm(rawValue: $0) }
    if let declared = json["alg"], algorithm == nil {
      throw failure("`alg` is \(declared.string.map { "`\($0)`" } ?? "not a string"), expected RS256 or ES256")
    }
    if let algorithm, algorithm.keyType != keyType { throw failure("`alg` does not match `kty`") }
    switch keyType {
    case "RSA":
      let material = Material.rsa(modulus: try bytes("n"), exponent: try bytes("e"))
      guard (try? material.rsaKey()) != nil else { throw failure("not a valid RSA key of at least 2048 bits") }
      self.material = material
    case "EC":
      guard json["crv"]?.string == "P-256" else { throw failure("`crv` is not P-256") }
      let material = Material.p256(x: try bytes("x"), y: try bytes("y"))
      guard (try? material.p256Key()) != nil else { throw failure("the point is not on the curve P-256") }
      self.material = material
    default:
      throw failure("`kty` is `\(keyType)`, expected RSA or EC")
    }
    self.keyID = keyID
    self.algorithm = algorithm
    thumbprint = json["x5t"]?.string
    certificates = (json["x5c"]?.array ?? []).compactMap(\.string)
    issuer = json["issuer"]?.string
  }

  /// The key as an element of a key set.
  package var json: JSON {
    var members: OrderedDictionary<String, JSON> = [:]
    switch material {
    case .rsa(let modulus, let exponent):
      members["kty"] = "RSA"
      members["n"] = .string(Base64URL.encode(modulus))
      members["e"] = .string(Base64URL.encode(exponent))
    case .p256(let x, let y):
      members["kty"] = "EC"
      members["crv"] = "P-256"
      members["x"] = .string(Base64URL.encode(x))
      members["y"] = .string(Base64URL.encode(y))
    }
    members["use"] = "sig"
    if let keyID { members["kid"] = .string(keyID) }
    if let algorithm { members["alg"] = .string(algorithm.rawValue) }
    if let thumbprint { members["x5t"] = .string(thumbprint) }
    if !certificates.isEmpty { members["x5c"] = .array(certificates.map { .string($0) }) }
    if let issuer { members["issuer"] = .string(issuer) }
    return .object(members)
  }

  /// Whether the signature of the bytes is valid for this key.
  package func verifies(_ signature: [UInt8], over bytes: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
    switch (material, algorithm) {
    case (.rsa, .rs256):
      guard let key = try? material.rsaKey() else { return false }
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
        padding: .insecurePKCS1v1_5)
    case (.p256, .es256):
      guard let key = try? material.p256Key(),
        let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      else { return false }
      return key.isValidSignature(parsed, for: SHA256.hash(data: bytes))
    default:
      return false
    }
  }

  /// The value of `kty`.
  package var keyType: String {
    switch material {
    case .rsa: SignatureAlgorithm.rs256.keyType
    case .p256: SignatureAlgorithm.es256.keyType
    }
  }
}

extension JWK.Material {
  func rsaKey() throws -> _RSA.Signing.PublicKey {
    guard case .rsa(let modulus, let exponent) = self else { throw JWKFailure(keyID: nil, reason: "not an RSA key") }
    let number = modulus.drop { $0 == 0 }
    let bits = number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
    // RFC 7518 §3.3 requires at least 2048 bits. Verification with a key of more than 16384 bits takes seconds, so an
    // attacker could use such keys for a denial-of-service attack.
    guard (2048...16_384).contains(bits) else { throw JWKFailure(keyID: nil, reason: "the key has \(bits) bits") }
    // With an exponent of 1, every number would be its own signature. Even exponents are not valid.
    let power = exponent.drop { $0 == 0 }
    guard let last = power.last, last & 1 == 1, power.count > 1 || last > 1 else {
      throw JWKFailure(keyID: nil, reason: "invalid exponent")
    }
    return try _RSA.Signing.PublicKey(n: modulus, e: exponent)
  }

  func p256Key() throws -> P256.Signing.PublicKey {
    guard case .p256(let x, let y) = self, x.count == 32, y.count == 32 else {
      throw JWKFailure(keyID: nil, reason: "P-256 coordinates must be 32 bytes long")
    }
    return try P256.Signing.PublicKey(rawRepresentation: x + y)
  }
}

/// An unusable key in a key set.
package struct JWKFailure: Error, Hashable, Sendable {
  package var keyID: String?
  package var reason: String
}
