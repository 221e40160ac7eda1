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

  @Test("RFC 7515, appendices A.2 and A.3", arguments: [(rfcRSAToken, rfcRSAKey), (rfcECToken, rfcECKey)])
  func rfcVectors(text: String, key: JSON) throws {
    let token = try UnverifiedJWT(parsing: text)
    try JWKSet([JWK(key)]).verify(token)
    #expect(token.claims["iss"] == "joe")
    #expect(token.claims["exp"] == 1_300_819_380)
  }

  @Test(
    "Every flipped bit, truncation and extension of a signature is refused",
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

  @Test("A token of ours names its key and is verified")
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
    let twice = [try TestKeys.rsa().token(["a": 1]), try TestKeys.rsa().token(["a": 1])]
    #expect(twice[0] == twice[1])
  }

  func refusal(_ token: String, _ set: JWKSet, allowing: Set<SignatureAlgorithm> = [.rs256, .es256])
    -> SignatureValidationError?
  {
    do {
      try set.verify(UnverifiedJWT(parsing: token), allowing: allowing)
      return nil
    } catch let error as SignatureValidationError {
      return error
    } catch {
      return .algorithm("\(error)")
    }
  }

  @Test("Which tokens are not believed, and why")
  func refusals() throws {
    let rsa = try TestKeys.rsa()
    let ec = try TestKeys.p256()
    let set = JWKSet([rsa.publicKey, ec.publicKey])
    let claims: JSON = ["sub": "x"]
    func compact(_ header: JSON, _ signature: [UInt8] = [1]) -> String {
      UnverifiedJWT.compact(header: header, claims: claims, signature: signature)
    }
    for named in [
      "none", "None", "NONE", "nOnE", " none", "none ", "", "HS256", "hs256", "RS384", "PS256", "ES384", "EdDSA",
      "rs256",
      "RS256 ", "ES256K",
    ] {
      #expect(
        refusal(compact(["alg": .string(named), "kid": "rsa-1"]), set) == .algorithm("“\(named)” is not accepted"))
    }
    #expect(refusal(compact(["alg": "none"], []), set) == .algorithm("“none” is not accepted"))
    #expect(refusal(compact(["kid": "rsa-1"]), set) == .algorithm("the header has no “alg”"))
    #expect(refusal(compact(["alg": 1, "kid": "rsa-1"]), set) == .algorithm("the header has no “alg”"))
    #expect(refusal(compact(["alg": ["RS256"], "kid": "rsa-1"]), set) == .algorithm("the header has no “alg”"))
    for more: JSON in [
      ["crit": ["exp"]], ["crit": []], ["crit": ["b64"], "b64": false], ["b64": false], ["b64": true],
    ] {
      #expect(refusal(try rsa.token(claims, header: more), set) == .criticalHeader, "\(more)")
    }
    #expect(refusal(try rsa.token(claims, header: ["kid": 1]), set) == .keyIDIsNoText)
    #expect(refusal(try rsa.token(claims, header: ["kid": "new"]), set) == .unknownKey("new", setAside: nil))
    #expect(refusal(try rsa.token(claims, header: ["kid": "ec-1"]), set) == .wrongKeyType("ec-1", .rs256))
    #expect(refusal(try rsa.token(claims), set, allowing: [.es256]) == .algorithm("“RS256” is not accepted"))
    #expect(refusal(compact(["alg": "RS256", "kid": "rsa-1"]), set) == .signature)
    #expect(refusal(try rsa.token(claims), set) == nil)
  }

  @Test("A header without kid needs a single key that fits")
  func keyIDAbsent() throws {
    let token = try TestKeys.rsa(nil).token(["sub": "x"])
    let one = try TestKeys.rsa("a").publicKey
    #expect(refusal(token, JWKSet([one])) == nil)
    #expect(refusal(token, JWKSet([one, try TestKeys.p256().publicKey])) == nil)
    #expect(refusal(token, JWKSet([one, one])) == .keyIDMissing(candidates: 2))
    #expect(refusal(token, JWKSet([])) == .keyIDMissing(candidates: 0))
  }

  @Test("The public key is no shared secret: HS256 over whatever of it everybody can read")
  func keyConfusion() throws {
    let rsa = try TestKeys.rsa().publicKey
    guard case .rsa(let modulus, let exponent) = rsa.material else { return }
    let input = UnverifiedJWT.signingInput(header: ["alg": "HS256", "kid": "rsa-1"], claims: ["sub": "x"])
    let pem = try _RSA.Signing.PublicKey(n: modulus, e: exponent).pemRepresentation
    let texts = [rsa.json.text(), Base64URL.encode(modulus), pem, pem + "\n"]
    for secret in texts.map({ Array($0.utf8) }) + [modulus, exponent, []] {
      let code = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: SymmetricKey(data: secret))
      let token = "\(input).\(Base64URL.encode(code))"
      #expect(refusal(token, JWKSet([rsa])) == .algorithm("“HS256” is not accepted"))
      #expect(
        refusal(token, JWKSet([rsa]), allowing: Set(SignatureAlgorithm.allCases))
          == .algorithm("“HS256” is not accepted"))
    }
  }

  @Test("Keys that the token itself brings are not believed")
  func ownKeys() throws {
    let provider = try TestKeys.p256()
    let mallory = try SigningKey(p256: Array(repeating: 7, count: 32), keyID: "mallory")
    for more: JSON in [
      ["jwk": mallory.publicKey.json], ["jku": "https://evil.example/keys"], ["x5c": ["MII="]],
      ["x5u": "https://evil.example/x"],
    ] {
      let set = JWKSet([provider.publicKey])
      #expect(refusal(try mallory.token(["sub": "x"], header: more), set) == .unknownKey("mallory", setAside: nil))
      var named = more
      named["kid"] = "ec-1"
      #expect(refusal(try mallory.token(["sub": "x"], header: named), set) == .signature)
    }
  }

  @Test("Two keys of one name: the one that signed counts, a third party's does not")
  func duplicateNames() throws {
    let first = try TestKeys.p256("same")
    let second = try SigningKey(p256: Array(repeating: 7, count: 32), keyID: "same")
    let stranger = try SigningKey(p256: Array(repeating: 8, count: 32), keyID: "same")
    let set = JWKSet([first.publicKey, try TestKeys.rsa("same").publicKey, second.publicKey])
    #expect(refusal(try first.token(["sub": "x"]), set) == nil)
    #expect(refusal(try second.token(["sub": "x"]), set) == nil)
    #expect(refusal(try TestKeys.rsa("same").token(["sub": "x"]), set) == nil)
    #expect(refusal(try stranger.token(["sub": "x"]), set) == .signature)
  }

  @Test("A key is for its own algorithm only")
  func ownAlgorithm() throws {
    var json = try TestKeys.rsa().publicKey.json
    for (algorithm, isGood) in [("RS256", true), ("RS512", false), ("PS256", false), ("ES256", false), ("none", false)]
    {
      json["alg"] = .string(algorithm)
      #expect(((try? JWK(json)) != nil) == isGood, "\(algorithm)")
    }
    json["alg"] = nil
    for operations: JSON in [["sign"], [], ["encrypt", "wrapKey"], "verify"] {
      json["key_ops"] = operations
      #expect(throws: JWKFailure.self) { try JWK(json) }
    }
    json["key_ops"] = ["verify"]
    #expect(throws: Never.self) { try JWK(json) }
  }

  /// Numbers of a size, not keys of anybody: only their form is looked at.
  @Test("RSA keys below 2048 bits, above 16384, and with exponents that sign nothing are no keys")
  func rsaSizes() throws {
    guard case .rsa(let modulus, _) = try TestKeys.rsa().publicKey.material else { return }
    func key(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) -> JSON {
      ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
    }
    #expect(throws: Never.self) { try JWK(key(modulus)) }
    #expect(throws: Never.self) { try JWK(key([0] + modulus)) }
    // 2047 bits, 1024 bits, and more than can be checked in reasonable time.
    let refused = [
      key([modulus[0] >> 1] + modulus.dropFirst()), key(Array(modulus.suffix(128))), key([0, 0] + modulus.suffix(255)),
      key(Array(repeating: 0xFF, count: 2049)), key([]), key([0]), key(modulus, []), key(modulus, [0]),
      key(modulus, [1]), key(modulus, [0, 1]), key(modulus, [2]), key(modulus, [1, 0, 0]),
      key(modulus, Array(repeating: 0xFF, count: 64)),
    ]
    for (index, json) in refused.enumerated() {
      #expect(throws: JWKFailure.self, "case \(index)") { try JWK(json) }
    }
  }

  @Test("An ES256 signature is 64 bytes, neither DER nor zeros (RFC 7518 §3.4)")
  func ellipticForms() throws {
    let key = try TestKeys.p256()
    let input = Array(UnverifiedJWT.signingInput(header: ["alg": "ES256"], claims: ["sub": "x"]).utf8)
    let good = try key.signature(over: input)
    #expect(good.count == 64)
    #expect(key.publicKey.verifies(good, over: input, by: .es256))
    let der = Array(try P256.Signing.ECDSASignature(rawRepresentation: good).derRepresentation)
    let zeros = [UInt8](repeating: 0, count: 32)
    let order: [UInt8] = [
      0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7,
      0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    let (left, right) = (Array(good[..<32]), Array(good[32...]))
    var bad: [[UInt8]] = [der, zeros + zeros, left + zeros, zeros + right, order + right, left + order]
    bad += [good + good, Array(good.dropLast()), good + [0], [0] + good, zeros + good]
    for (index, signature) in bad.enumerated() {
      #expect(!key.publicKey.verifies(signature, over: input, by: .es256), "case \(index)")
    }
  }

  @Test("Of header members that stand twice the last counts, for the check as for every reader (RFC 7515 §4)")
  func repeatedMembers() throws {
    let rsa = try TestKeys.rsa()
    let set = JWKSet([rsa.publicKey])
    let claims = Base64URL.encode(Array(#"{"sub":"x"}"#.utf8))
    func token(_ header: String) throws -> String {
      let input = "\(Base64URL.encode(Array(header.utf8))).\(claims)"
      return "\(input).\(Base64URL.encode(try rsa.signature(over: Array(input.utf8))))"
    }
    #expect(refusal(try token(#"{"alg":"none","alg":"RS256","kid":"rsa-1"}"#), set) == nil)
    #expect(
      refusal(try token(#"{"alg":"RS256","kid":"rsa-1","alg":"none"}"#), set) == .algorithm("“none” is not accepted"))
    #expect(
      refusal(try token(#"{"alg":"RS256","kid":"rsa-1","kid":"other"}"#), set) == .unknownKey("other", setAside: nil))
  }

  @Test("A key that cannot be used spoils nothing, and is named when a token asks for it")
  func unusable() throws {
    let rsa = try TestKeys.rsa()
    var weak = rsa.publicKey.json
    weak["kid"] = "enc"
    weak["use"] = "enc"
    let set = try #require(
      JWKSet([
        "keys": [
          ["kty": "oct", "kid": "hmac", "k": "AAAA"], ["kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": "AA"], 7, weak,
          ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"], ["kty": "RSA", "n": "AQAB", "e": "AQAB"],
          ["kty": "RSA", "n": "AQAB==", "e": "AQAB"], rsa.publicKey.json,
        ]
      ]))
    #expect(set.keys.count == 1)
    #expect(set.unusable.count == 7)
    #expect(refusal(try rsa.token(["sub": "x"]), set) == nil)
    let asksForIt = refusal(try rsa.token(["sub": "x"], header: ["kid": "enc"]), set)
    #expect(asksForIt == .unknownKey("enc", setAside: "“use” is not “sig”: the key is not for signatures"))
    #expect(JWKSet(["keys": "x"]) == nil)
    #expect(JWKSet([:]) == nil)
  }

  @Test("A key set is written and read again")
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
    "What is no token",
    arguments: [
      "", ".", "..", "...", "a.b", "a.b.c.d", "e30.e30.AA.", ".e30.e30.AA", "e30.e30.ＡＡ", "e30．e30．AA", "e30.W10.AA",
      "W10.e30.AA", "e30=.e30.AA", "e30.e30.A",
    ])
  func noToken(text: String) {
    #expect(throws: JWTFailure.self) { try UnverifiedJWT(parsing: text) }
  }

  @Test("MSAL's loose reading of claims")
  func loose() {
    #expect(UnverifiedJWT.looseClaims(of: "e30.eyJhIjoxfQ.not base64")?["a"] == 1)
    #expect(UnverifiedJWT.looseClaims(of: "e30.eyJhIjoxfQ")?["a"] == 1)
    #expect(UnverifiedJWT.looseClaims(of: "e30.W10.x") == nil)
    #expect(UnverifiedJWT.looseClaims(of: "eyJhIjoxfQ") == nil)
  }
}
