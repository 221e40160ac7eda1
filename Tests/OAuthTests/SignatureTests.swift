import Crypto
import CryptoExtras
import Documents
import OAuth
import Testing

@Suite("Signed tokens")
struct SignatureTests {
  static let rfcRSAKey: JSON = [
    "kty": "RSA", "e": "AQAB",
    "n":
      "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
  ]
  static let rfcECKey: JSON = [
    "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  ]
  static let payload =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
  static let rfcRSAToken =
    "eyJhbGciOiJSUzI1NiJ9.\(payload)."
    + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
  static let rfcECToken =
    "eyJhbGciOiJFUzI1NiJ9.\(payload)."
    + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

  @Test(
    "verifies the tokens from RFC 7515, appendices A.2 and A.3",
    arguments: [(rfcRSAToken, rfcRSAKey), (rfcECToken, rfcECKey)])
  func rfcVectors(text: String, key: JSON) throws {
    let token = try UnverifiedJWT(parsing: text)
    try JWKSet([JWK(key)]).verify(token)
    #expect(token.claims["iss"] == "joe")
    #expect(token.claims["exp"] == 1_300_819_380)
  }

  @Test(
    "rejects altered, truncated, and extended signatures",
    arguments: [(rfcRSAToken, rfcRSAKey), (rfcECToken, rfcECKey)])
  func altered(text: String, key: JSON) throws {
    let token = try UnverifiedJWT(parsing: text)
    let key = try JWK(key)
    let algorithm = key.keyType == "RSA" ? SignatureAlgorithm.rs256 : .es256
    #expect(key.verifies(token.signature, over: token.signingInput, by: algorithm))
    for index in stride(from: 0, to: token.signature.count, by: 7) {
      var flipped = token.signature
      flipped[index] ^= UInt8(1) << (index % 8)
      #expect(!key.verifies(flipped, over: token.signingInput, by: algorithm), "bit in byte \(index)")
    }
    for length in [0, 1, token.signature.count / 2, token.signature.count - 1] {
      #expect(!key.verifies(Array(token.signature.prefix(length)), over: token.signingInput, by: algorithm))
    }
    #expect(!key.verifies(token.signature + [0], over: token.signingInput, by: algorithm))
    #expect(!key.verifies([0] + token.signature, over: token.signingInput, by: algorithm))
    #expect(!key.verifies(token.signature, over: token.signingInput + [0], by: algorithm))
    #expect(!key.verifies(token.signature, over: token.signingInput, by: algorithm == .rs256 ? .es256 : .rs256))
  }

  @Test("signs tokens with a key ID and verifies them")
  func signed() throws {
    for key in [try TestKeys.rsa(), try TestKeys.p256()] {
      let token = try UnverifiedJWT(parsing: key.token(["sub": "megan"], header: ["x5t": "thumb"]))
      #expect(
        token.header == [
          "typ": "JWT", "alg": .string(key.algorithm.rawValue), "kid": .string(key.publicKey.keyID ?? ""),
          "x5t": "thumb",
        ])
      let set = JWKSet([try TestKeys.p256("other").publicKey, key.publicKey])
      #expect(try set.verify(token).keyID == key.publicKey.keyID)
    }
    let tokens = [try TestKeys.rsa().token(["a": 1]), try TestKeys.rsa().token(["a": 1])]
    #expect(tokens[0] == tokens[1])
  }

  func validationError(
    _ token: String, _ set: JWKSet, allowing: Set<SignatureAlgorithm> = [.rs256, .es256]
  ) -> SignatureValidationError? {
    do {
      try set.verify(UnverifiedJWT(parsing: token), allowing: allowing)
      return nil
    } catch let error as SignatureValidationError {
      return error
    } catch {
      return .algorithm("\(error)")
    }
  }

  @Test("reports why a token is rejected")
  func errors() throws {
    let rsa = try TestKeys.rsa()
    let ec = try TestKeys.p256()
    let set = JWKSet([rsa.publicKey, ec.publicKey])
    let claims: JSON = ["sub": "x"]
    func compact(_ header: JSON, _ signature: [UInt8] = [1]) -> String {
      UnverifiedJWT.compact(header: header, claims: claims, signature: signature)
    }
    for algorithm in [
      "none", "None", "NONE", "nOnE", " none", "none ", "", "HS256", "hs256", "RS384", "PS256", "ES384", "EdDSA",
      "rs256",
      "RS256 ", "ES256K",
    ] {
      #expect(
        validationError(compact(["alg": .string(algorithm), "kid": "rsa-1"]), set)
          == .algorithm("`\(algorithm)` is not allowed"))
    }
    #expect(validationError(compact(["alg": "none"], []), set) == .algorithm("`none` is not allowed"))
    #expect(validationError(compact(["kid": "rsa-1"]), set) == .algorithm("the header does not contain `alg`"))
    #expect(
      validationError(compact(["alg": 1, "kid": "rsa-1"]), set) == .algorithm("the header does not contain `alg`"))
    #expect(
      validationError(compact(["alg": ["RS256"], "kid": "rsa-1"]), set)
        == .algorithm("the header does not contain `alg`"))
    for header: JSON in [
      ["crit": ["exp"]], ["crit": []], ["crit": ["b64"], "b64": false], ["b64": false], ["b64": true],
    ] {
      #expect(validationError(try rsa.token(claims, header: header), set) == .criticalHeader, "\(header)")
    }
    #expect(validationError(try rsa.token(claims, header: ["kid": 1]), set) == .keyIDNotString)
    #expect(validationError(try rsa.token(claims, header: ["kid": "new"]), set) == .unknownKey("new", unusable: nil))
    #expect(validationError(try rsa.token(claims, header: ["kid": "ec-1"]), set) == .wrongKeyType("ec-1", .rs256))
    #expect(validationError(try rsa.token(claims), set, allowing: [.es256]) == .algorithm("`RS256` is not allowed"))
    #expect(validationError(compact(["alg": "RS256", "kid": "rsa-1"]), set) == .signature)
    #expect(validationError(try rsa.token(claims), set) == nil)
  }

  @Test("requires a single matching key if the header has no `kid`")
  func missingKeyID() throws {
    let token = try TestKeys.rsa(nil).token(["sub": "x"])
    let one = try TestKeys.rsa("a").publicKey
    #expect(validationError(token, JWKSet([one])) == nil)
    #expect(validationError(token, JWKSet([one, try TestKeys.p256().publicKey])) == nil)
    #expect(validationError(token, JWKSet([one, one])) == .keyIDMissing(candidates: 2))
    #expect(validationError(token, JWKSet([])) == .keyIDMissing(candidates: 0))
  }

  @Test("rejects an HS256 token signed with the public key")
  func keyConfusion() throws {
    let rsa = try TestKeys.rsa().publicKey
    guard case .rsa(let modulus, let exponent) = rsa.material else { return }
    let input = UnverifiedJWT.signingInput(header: ["alg": "HS256", "kid": "rsa-1"], claims: ["sub": "x"])
    let pem = try _RSA.Signing.PublicKey(n: modulus, e: exponent).pemRepresentation
    let texts = [rsa.json.text(), Base64URL.encode(modulus), pem, pem + "\n"]
    for sharedSecret in texts.map({ Array($0.utf8) }) + [modulus, exponent, []] {
      let code = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: SymmetricKey(data: sharedSecret))
      let token = "\(input).\(Base64URL.encode(code))"
      #expect(validationError(token, JWKSet([rsa])) == .algorithm("`HS256` is not allowed"))
      #expect(
        validationError(token, JWKSet([rsa]), allowing: Set(SignatureAlgorithm.allCases))
          == .algorithm("`HS256` is not allowed"))
    }
  }

  @Test("does not trust keys in the token header")
  func embeddedKeys() throws {
    let provider = try TestKeys.p256()
    let mallory = try SigningKey(p256: Array(repeating: 7, count: 32), keyID: "mallory")
    for header: JSON in [
      ["jwk": mallory.publicKey.json], ["jku": "https://evil.example/keys"], ["x5c": ["MII="]],
      ["x5u": "https://evil.example/x"],
    ] {
      let set = JWKSet([provider.publicKey])
      #expect(
        validationError(try mallory.token(["sub": "x"], header: header), set) == .unknownKey("mallory", unusable: nil))
      var headerWithKeyID = header
      headerWithKeyID["kid"] = "ec-1"
      #expect(validationError(try mallory.token(["sub": "x"], header: headerWithKeyID), set) == .signature)
    }
  }

  @Test("tries all keys with the same key ID")
  func duplicateKeyIDs() throws {
    let first = try TestKeys.p256("same")
    let second = try SigningKey(p256: Array(repeating: 7, count: 32), keyID: "same")
    let other = try SigningKey(p256: Array(repeating: 8, count: 32), keyID: "same")
    let set = JWKSet([first.publicKey, try TestKeys.rsa("same").publicKey, second.publicKey])
    #expect(validationError(try first.token(["sub": "x"]), set) == nil)
    #expect(validationError(try second.token(["sub": "x"]), set) == nil)
    #expect(validationError(try TestKeys.rsa("same").token(["sub": "x"]), set) == nil)
    #expect(validationError(try other.token(["sub": "x"]), set) == .signature)
  }

  @Test("accepts a key only for its declared algorithm and operations")
  func declaredAlgorithm() throws {
    var json = try TestKeys.rsa().publicKey.json
    for (algorithm, isValid) in [
      ("RS256", true), ("RS512", false), ("PS256", false), ("ES256", false), ("none", false),
    ] {
      json["alg"] = .string(algorithm)
      #expect(((try? JWK(json)) != nil) == isValid, "\(algorithm)")
    }
    json["alg"] = nil
    for operations: JSON in [["sign"], [], ["encrypt", "wrapKey"], "verify"] {
      json["key_ops"] = operations
      #expect(throws: JWKFailure.self) { try JWK(json) }
    }
    json["key_ops"] = ["verify"]
    #expect(throws: Never.self) { try JWK(json) }
  }

  /// The keys are not part of real key pairs. The test checks only their sizes.
  @Test("rejects RSA keys with insecure sizes or exponents")
  func rsaSizes() throws {
    guard case .rsa(let modulus, _) = try TestKeys.rsa().publicKey.material else { return }
    func key(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) -> JSON {
      ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
    }
    #expect(throws: Never.self) { try JWK(key(modulus)) }
    #expect(throws: Never.self) { try JWK(key([0] + modulus)) }
    // 2047 bits, 1024 bits, keys that take too long to verify, and invalid exponents.
    let invalidKeys = [
      key([modulus[0] >> 1] + modulus.dropFirst()), key(Array(modulus.suffix(128))), key([0, 0] + modulus.suffix(255)),
      key(Array(repeating: 0xFF, count: 2049)), key([]), key([0]), key(modulus, []), key(modulus, [0]),
      key(modulus, [1]), key(modulus, [0, 1]), key(modulus, [2]), key(modulus, [1, 0, 0]),
      key(modulus, Array(repeating: 0xFF, count: 64)),
    ]
    for (index, json) in invalidKeys.enumerated() {
      #expect(throws: JWKFailure.self, "case \(index)") { try JWK(json) }
    }
  }

  @Test("accepts an ES256 signature only as 64 bytes (RFC 7518 §3.4)")
  func ellipticCurveFormat() throws {
    let key = try TestKeys.p256()
    let input = Array(UnverifiedJWT.signingInput(header: ["alg": "ES256"], claims: ["sub": "x"]).utf8)
    let valid = try key.signature(over: input)
    #expect(valid.count == 64)
    #expect(key.publicKey.verifies(valid, over: input, by: .es256))
    let der = Array(try P256.Signing.ECDSASignature(rawRepresentation: valid).derRepresentation)
    let zeros = [UInt8](repeating: 0, count: 32)
    let order: [UInt8] = [
      0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7,
      0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    let (left, right) = (Array(valid[..<32]), Array(valid[32...]))
    var invalid: [[UInt8]] = [der, zeros + zeros, left + zeros, zeros + right, order + right, left + order]
    invalid += [valid + valid, Array(valid.dropLast()), valid + [0], [0] + valid, zeros + valid]
    for (index, signature) in invalid.enumerated() {
      #expect(!key.publicKey.verifies(signature, over: input, by: .es256), "case \(index)")
    }
  }

  @Test("uses the last of several header members with the same name (RFC 7515 §4)")
  func repeatedMembers() throws {
    let rsa = try TestKeys.rsa()
    let set = JWKSet([rsa.publicKey])
    let claims = Base64URL.encode(Array(#"{"sub":"x"}"#.utf8))
    func token(_ header: String) throws -> String {
      let input = "\(Base64URL.encode(Array(header.utf8))).\(claims)"
      return "\(input).\(Base64URL.encode(try rsa.signature(over: Array(input.utf8))))"
    }
    #expect(validationError(try token(#"{"alg":"none","alg":"RS256","kid":"rsa-1"}"#), set) == nil)
    #expect(
      validationError(try token(#"{"alg":"RS256","kid":"rsa-1","alg":"none"}"#), set)
        == .algorithm("`none` is not allowed"))
    #expect(
      validationError(try token(#"{"alg":"RS256","kid":"rsa-1","kid":"other"}"#), set)
        == .unknownKey("other", unusable: nil))
  }

  @Test("ignores unusable keys, and reports why a key is unusable if a token refers to it")
  func unusable() throws {
    let rsa = try TestKeys.rsa()
    var encryptionKey = rsa.publicKey.json
    encryptionKey["kid"] = "enc"
    encryptionKey["use"] = "enc"
    let set = try #require(
      JWKSet([
        "keys": [
          ["kty": "oct", "kid": "hmac", "k": "AAAA"], ["kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": "AA"], 7,
          encryptionKey,
          ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"], ["kty": "RSA", "n": "AQAB", "e": "AQAB"],
          ["kty": "RSA", "n": "AQAB==", "e": "AQAB"], rsa.publicKey.json,
        ]
      ]))
    #expect(set.keys.count == 1)
    #expect(set.unusable.count == 7)
    #expect(validationError(try rsa.token(["sub": "x"]), set) == nil)
    let error = validationError(try rsa.token(["sub": "x"], header: ["kid": "enc"]), set)
    #expect(error == .unknownKey("enc", unusable: "`use` is not `sig`"))
    #expect(JWKSet(["keys": "x"]) == nil)
    #expect(JWKSet([:]) == nil)
  }

  @Test("serializes and parses a key set without loss")
  func keySet() throws {
    let set = JWKSet([
      try SigningKey(
        rsaPEM: TestKeys.rsaPEM, keyID: "k", thumbprint: "t", certificates: ["MII="],
        issuer: "https://h/{tenantid}/v2.0"
      ).publicKey, try TestKeys.p256().publicKey,
    ])
    let again = try #require(JWKSet(set.json))
    #expect(again.json == set.json)
    #expect(again.keys.first?.certificates == ["MII="])
    #expect(again.keys.first?.issuer == "https://h/{tenantid}/v2.0")
  }

  @Test(
    "rejects malformed tokens",
    arguments: [
      "", ".", "..", "...", "a.b", "a.b.c.d", "e30.e30.AA.", ".e30.e30.AA", "e30.e30.ＡＡ", "e30．e30．AA", "e30.W10.AA",
      "W10.e30.AA", "e30=.e30.AA", "e30.e30.A",
    ])
  func malformed(text: String) {
    #expect(throws: JWTFailure.self) { try UnverifiedJWT(parsing: text) }
  }

  @Test("reads the claims of malformed tokens as MSAL does")
  func loose() {
    #expect(UnverifiedJWT.looseClaims(of: "e30.eyJhIjoxfQ.not base64")?["a"] == 1)
    #expect(UnverifiedJWT.looseClaims(of: "e30.eyJhIjoxfQ")?["a"] == 1)
    #expect(UnverifiedJWT.looseClaims(of: "e30.W10.x") == nil)
    #expect(UnverifiedJWT.looseClaims(of: "eyJhIjoxfQ") == nil)
  }
}
