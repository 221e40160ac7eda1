import Crypto
import CryptoExtras
import Documents
import OrderedCollections

/// A private key that signs tokens with RS256 or ES256.
package struct SigningKey: Sendable {
  private enum Material: Sendable {
    /// An RSA key. The case includes the public key, because deriving it is expensive.
    case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.PublicKey)
    case p256(P256.Signing.PrivateKey)
  }

  private let material: Material
  /// The public key. Its key ID is the `kid` of the signed tokens.
  package let publicKey: JWK

  /// Creates an RSA key for RS256 from PEM (PKCS#1 or PKCS#8).
  package init(
    rsaPEM: String, keyID: String?, thumbprint: String? = nil, certificates: [String] = [], issuer: String? = nil
  ) throws {
    let key = try _RSA.Signing.PrivateKey(pemRepresentation: rsaPEM)
    let verifying = key.publicKey
    let primitives = try verifying.getKeyPrimitives()
    material = .rsa(key, verifying)
    publicKey = JWK(
      .rsa(modulus: Array(primitives.modulus), exponent: Array(primitives.publicExponent)), keyID: keyID,
      thumbprint: thumbprint, certificates: certificates, issuer: issuer)
  }

  /// Creates a P-256 key for ES256 from the 32 bytes of the private key.
  package init(p256 bytes: [UInt8], keyID: String?, issuer: String? = nil) throws {
    let key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
    let point = Array(key.publicKey.rawRepresentation)
    material = .p256(key)
    publicKey = JWK(.p256(x: Array(point[..<32]), y: Array(point[32...])), keyID: keyID, issuer: issuer)
  }

  package var algorithm: SignatureAlgorithm {
    switch material {
    case .rsa: .rs256
    case .p256: .es256
    }
  }

  /// Signs the bytes. RS256 signatures are deterministic, but ES256 signatures are not.
  package func signature(over bytes: [UInt8]) throws -> [UInt8] {
    switch material {
    case .rsa(let key, _):
      Array(try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
    case .p256(let key):
      Array(try key.signature(for: SHA256.hash(data: bytes)).rawRepresentation)
    }
  }

  /// Whether the signature of the bytes is valid for this key.
  package func verifies(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
    switch material {
    case .rsa(_, let key):
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
        padding: .insecurePKCS1v1_5)
    case .p256: publicKey.verifies(signature, over: bytes, by: .es256)
    }
  }

  /// Returns a compact token with the claims. The token's header contains `typ`, `alg`, `kid`, and the members of
  /// `header`.
  package func token(_ claims: JSON, header more: JSON = [:]) throws -> String {
    var header: OrderedDictionary<String, JSON> = ["typ": "JWT", "alg": .string(algorithm.rawValue)]
    if let keyID = publicKey.keyID { header["kid"] = .string(keyID) }
    header.merge(more.object ?? [:]) { $1 }
    let input = UnverifiedJWT.signingInput(header: .object(header), claims: claims)
    return "\(input).\(Base64URL.encode(try signature(over: Array(input.utf8))))"
  }
}
