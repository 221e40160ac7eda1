import Documents
import JWTKit
import OAuth
import Testing

/// Interoperability with an independent JWT library.
@Suite("Interoperability with jwt-kit")
struct JWTKitTests {
  struct Claims: JWTPayload, Equatable {
    var sub: String
    var n: Int
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  @Test("jwt-kit accepts keys and tokens from the OAuth module")
  func ownTokens() async throws {
    for key in [try TestKeys.rsa(), try TestKeys.p256()] {
      let keys = JWTKeyCollection()
      // jwt-kit requires an algorithm in each key.
      var json = key.publicKey.json
      json["alg"] = .string(key.algorithm.rawValue)
      let set: JSON = ["keys": [json]]
      try await keys.add(jwksJSON: set.text())
      let claims = try await keys.verify(key.token(["sub": "megan", "n": 7]), as: Claims.self)
      #expect(claims == Claims(sub: "megan", n: 7))
      let other = try SigningKey(p256: Array(repeating: 5, count: 32), keyID: key.publicKey.keyID)
      await #expect(throws: (any Error).self) {
        try await keys.verify(other.token(["sub": "x", "n": 1]), as: Claims.self)
      }
    }
  }

  @Test("accepts tokens from jwt-kit")
  func otherTokens() async throws {
    let keys = JWTKeyCollection()
    await keys.add(
      rsa: try Insecure.RSA.PrivateKey(pem: TestKeys.rsaPEM), digestAlgorithm: .sha256,
      kid: JWKIdentifier(string: "rsa-1"))
    let signed = try await keys.sign(Claims(sub: "megan", n: 7), kid: JWKIdentifier(string: "rsa-1"))
    let token = try UnverifiedJWT(parsing: signed)
    #expect(token.claims == ["sub": "megan", "n": 7])
    try JWKSet([TestKeys.rsa().publicKey]).verify(token)
    let other = OAuth.JWK(try OAuth.JWK(SignatureTests.rfcRSAKey).material, keyID: "rsa-1")
    #expect(throws: SignatureValidationError.signature) { try JWKSet([other]).verify(token) }
  }
}
