import Crypto
import CryptoExtras
import Documents
import OrderedCollections

/// A public key as JSON, RFC 7517 §4; only keys that can check an RS256 or ES256 signature.
package struct JWK: Sendable {
  package enum Material: Hashable, Sendable {
    /// Modulus and exponent, big-endian.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// The point on P-256, 32 bytes each.
    case p256(x: [UInt8], y: [UInt8])
  }

  package let material: Material
  package let keyID: String?
  /// Nil where the key does not say.
  package let algorithm: SignatureAlgorithm?
  /// SHA-1 of the certificate, base64url.
  package let thumbprint: String?
  /// The certificate chain, base64 DER.
  package let certificates: [String]
  /// Entra's extra member: whose tokens the key signs, with `{tenantid}` where any tenant's.
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

  /// Reads one key of a set.
  package init(_ json: JSON) throws(JWKFailure) {
    let keyID = json["kid"]?.string
    func refuse(_ reason: String) -> JWKFailure { JWKFailure(keyID: keyID, reason: reason) }
    func bytes(_ name: String) throws(JWKFailure) -> [UInt8] {
      guard let text = json[name]?.string else { throw refuse("“\(name)” is missing") }
      do {
        return try Base64URL.decode(text)
      } catch {
        throw refuse("“\(name)” is no base64url text: \(error.reason)")
      }
    }
    guard json.object != nil else { throw refuse("it is no object") }
    guard let keyType = json["kty"]?.string else { throw refuse("“kty” is missing") }
    if json["kid"] != nil, keyID == nil { throw refuse("“kid” is no text") }
    if let use = json["use"], use.string != "sig" { throw refuse("“use” is not “sig”: the key is not for signatures") }
    if let operations = json["key_ops"], operations.array?.contains(.string("verify")) != true {
      throw refuse("“key_ops” does not allow to verify")
    }
    let algorithm = json["alg"]?.string.flatMap { SignatureAlgorithm(rawValue: $0) }
    if let named = json["alg"], algorithm == nil {
      throw refuse("“alg” is \(named.string.map { "“\($0)”" } ?? "no text"), not RS256 or ES256")
    }
    if let algorithm, algorithm.keyType != keyType { throw refuse("“alg” and “kty” do not belong together") }
    switch keyType {
    case "RSA":
      let material = Material.rsa(modulus: try bytes("n"), exponent: try bytes("e"))
      guard (try? material.rsaKey()) != nil else { throw refuse("it is no RSA key of at least 2048 bits") }
      self.material = material
    case "EC":
      guard json["crv"]?.string == "P-256" else { throw refuse("the curve is not P-256") }
      let material = Material.p256(x: try bytes("x"), y: try bytes("y"))
      guard (try? material.p256Key()) != nil else { throw refuse("its point is not on the curve P-256") }
      self.material = material
    default:
      throw refuse("“kty” is “\(keyType)”, not RSA or EC")
    }
    self.keyID = keyID
    self.algorithm = algorithm
    thumbprint = json["x5t"]?.string
    certificates = (json["x5c"]?.array ?? []).compactMap(\.string)
    issuer = json["issuer"]?.string
  }

  /// The key as a member of a set.
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

  /// Whether the signature over the bytes was made with this key's private half.
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

  /// What kind of key it is, as `kty` says it.
  package var keyType: String {
    switch material {
    case .rsa: SignatureAlgorithm.rs256.keyType
    case .p256: SignatureAlgorithm.es256.keyType
    }
  }
}

extension JWK.Material {
  func rsaKey() throws -> _RSA.Signing.PublicKey {
    guard case .rsa(let modulus, let exponent) = self else { throw JWKFailure(keyID: nil, reason: "it is no RSA key") }
    let number = modulus.drop { $0 == 0 }
    let bits = number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
    // Below 2048 bits a key can be broken (RFC 7518 §3.3); above 16384 checking it takes seconds, which is an attack.
    guard (2048...16_384).contains(bits) else { throw JWKFailure(keyID: nil, reason: "it has \(bits) bits") }
    // With the exponent 1 every number is its own signature, and an even one belongs to no key.
    let power = exponent.drop { $0 == 0 }
    guard let last = power.last, last & 1 == 1, power.count > 1 || last > 1 else {
      throw JWKFailure(keyID: nil, reason: "its exponent belongs to no key")
    }
    return try _RSA.Signing.PublicKey(n: modulus, e: exponent)
  }

  func p256Key() throws -> P256.Signing.PublicKey {
    guard case .p256(let x, let y) = self, x.count == 32, y.count == 32 else {
      throw JWKFailure(keyID: nil, reason: "a coordinate of P-256 has 32 bytes")
    }
    return try P256.Signing.PublicKey(rawRepresentation: x + y)
  }
}

/// Why a key of a set cannot be used.
package struct JWKFailure: Error, Hashable, Sendable {
  package var keyID: String?
  package var reason: String
}
