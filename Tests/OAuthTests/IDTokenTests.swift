import Crypto
import Documents
import Effects
import OAuth
import RunTrace
import Testing

@Suite("ID tokens")
struct IDTokenTests {
  static let now = Instant(secondsSince1970: 1_735_689_600)
  static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
  static let issuer = "https://h/\(tenant)/v2.0"

  static let validClaims: JSON = [
    "iss": .string(issuer), "sub": "s", "aud": "client", "exp": 1_735_693_200, "nbf": 1_735_689_600,
    "iat": 1_735_689_600, "nonce": "n", "tid": .string(tenant),
  ]

  func parameters(_ change: (inout IDTokenValidationParameters) -> Void = { _ in }) -> IDTokenValidationParameters {
    var parameters = IDTokenValidationParameters(
      issuer: Self.issuer, clientID: "client", nonce: .mustEqual("n"), now: Self.now)
    change(&parameters)
    return parameters
  }

  func failedChecks(_ claims: JSON, _ parameters: IDTokenValidationParameters) throws -> [IDTokenCheckResult.Check] {
    let key = try TestKeys.p256()
    let signed = Secret(try key.token(claims), kind: .idToken)
    do {
      let token = try ValidatedIDToken.check(signed, keys: JWKSet([key.publicKey]), expecting: parameters)
      #expect(token.claims == claims)
      #expect(token.results.first?.check == .signature)
      return []
    } catch {
      #expect(error.unknownKeyID == nil)
      return error.results.filter { !$0.passed }.map(\.check)
    }
  }

  @Test("accepts a valid token")
  func accepted() throws {
    #expect(try failedChecks(Self.validClaims, parameters()) == [])
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var claim: String
    var value: JSON?
    var failedChecks: [IDTokenCheckResult.Check]
    init(_ claim: String, _ value: JSON?, _ failedChecks: IDTokenCheckResult.Check...) {
      self.claim = claim
      self.value = value
      self.failedChecks = failedChecks
    }
    var testDescription: String { "\(claim) \(value.map { "\($0)" } ?? "absent")" }
  }

  @Test(
    "reports the checks that fail if one claim changes",
    arguments: [
      Change("iss", nil, .issuer), Change("iss", "https://h/other/v2.0", .issuer),
      Change("iss", .string(issuer + "/"), .issuer), Change("iss", 1, .issuer),
      Change("sub", nil, .subject), Change("sub", "", .subject),
      Change("aud", nil, .audience), Change("aud", "Client", .audience), Change("aud", ["other"], .audience),
      Change("aud", ["client"]), Change("aud", ["client", "other"], .authorizedParty),
      Change("aud", [1, "client"], .audience),
      Change("azp", "client"), Change("azp", "other", .authorizedParty),
      Change("exp", nil, .expiry), Change("exp", "1735693200", .expiry),
      Change("exp", 1_735_689_301), Change("exp", 1_735_689_300, .expiry),
      Change("nbf", nil), Change("nbf", 1_735_689_900), Change("nbf", 1_735_689_901, .notBefore),
      Change("nbf", "x", .notBefore),
      Change("iat", nil, .issuedAt), Change("iat", 1_735_689_901, .issuedAt), Change("iat", 0),
      Change("nonce", nil, .nonce), Change("nonce", "other", .nonce),
    ])
  func changed(change: Change) throws {
    var claims = Self.validClaims
    claims[change.claim] = change.value
    #expect(try failedChecks(claims, parameters()) == change.failedChecks)
  }

  @Test("replaces the tenant placeholder in the issuer with the `tid` claim")
  func template() throws {
    let validation = parameters { $0.issuer = "https://h/{tenantid}/v2.0" }
    #expect(try failedChecks(Self.validClaims, validation) == [])
    var other = Self.validClaims
    other["tid"] = "11111111-86f1-41af-91ab-2d7cd011db47"
    #expect(try failedChecks(other, validation) == [.issuer])
    other["tid"] = "../evil"
    #expect(try failedChecks(other, validation) == [.issuer])
    other["tid"] = nil
    #expect(try failedChecks(other, validation) == [.issuer])
  }

  @Test("validates hashes that are present")
  func hashes() throws {
    // SHA-256("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") left half, from OpenID Connect Core, appendix A.3.
    let accessToken = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", kind: .accessToken)
    // The code and its hash are from OpenID Connect Core, appendix A.4.
    let code = Secret("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", kind: .authorizationCode)
    var claims = Self.validClaims
    claims["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ"
    claims["c_hash"] = "LDktKdoQak3Pk0cnXxCltA"
    let validation = parameters {
      $0.accessToken = accessToken
      $0.code = code
    }
    #expect(try failedChecks(claims, validation) == [])
    #expect(try failedChecks(claims, parameters()) == [])
    claims["at_hash"] = "77QmUPtjPfzWtF2AnpK9RA"
    claims["c_hash"] = 1
    #expect(try failedChecks(claims, validation) == [.accessTokenHash, .codeHash])
  }

  @Test("requires a recent authentication time if the request specifies `max_age`")
  func maxAge() throws {
    let validation = parameters { $0.maxAge = .seconds(60) }
    var claims = Self.validClaims
    #expect(try failedChecks(claims, validation) == [.authenticationTime])
    claims["auth_time"] = 1_735_689_240
    #expect(try failedChecks(claims, validation) == [])
    claims["auth_time"] = 1_735_689_239
    #expect(try failedChecks(claims, validation) == [.authenticationTime])
  }

  @Test("requires the same subject in a refreshed token, but not a nonce")
  func refreshed() throws {
    var claims = Self.validClaims
    claims["nonce"] = nil
    #expect(
      try failedChecks(
        claims,
        parameters {
          $0.nonce = .notSent
          $0.subject = "s"
        }) == [])
    #expect(
      try failedChecks(
        claims,
        parameters {
          $0.nonce = .notSent
          $0.subject = "another-subject"
        }) == [.subject])
  }

  @Test("reports all failed checks together")
  func several() throws {
    #expect(
      try failedChecks(["iss": "x"], parameters()) == [.issuer, .subject, .audience, .expiry, .issuedAt, .nonce])
  }

  @Test("does not validate the claims if the signature is invalid")
  func signatureFirst() throws {
    let signed = Secret(try TestKeys.p256("new").token(["iss": "x"]), kind: .idToken)
    let keys = JWKSet([try TestKeys.p256("old").publicKey])
    do {
      _ = try ValidatedIDToken.check(signed, keys: keys, expecting: parameters())
      Issue.record("the token was accepted")
    } catch {
      #expect(error.results.map(\.check) == [.signature])
      #expect(error.unknownKeyID == "new")
      #expect(error.explanation == "invalid ID token, signature: the provider does not publish the key `new`")
    }
    #expect(throws: IDTokenValidationError.self) {
      try ValidatedIDToken.check(Secret("x", kind: .idToken), keys: keys, expecting: parameters())
    }
  }

  @Test(
    "rejects tokens with a different type (RFC 8725 §3.11)",
    arguments: [("JWT", true), ("jwt", true), ("at+jwt", false), ("AT+JWT", false), ("application/logout+jwt", false)])
  func types(type: String, isValid: Bool) throws {
    let key = try TestKeys.p256()
    let signed = Secret(try key.token(Self.validClaims, header: ["typ": .string(type)]), kind: .idToken)
    let token = try? ValidatedIDToken.check(signed, keys: JWKSet([key.publicKey]), expecting: parameters())
    #expect((token != nil) == isValid)
  }

  @Test("rejects a token signed with another issuer's key", arguments: [true, false])
  func keyIssuer(matches: Bool) throws {
    let keyIssuer = matches ? "https://h/{tenantid}/v2.0" : "https://h/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
    let key = try TestKeys.rsa(issuer: keyIssuer)
    let signed = Secret(try key.token(Self.validClaims), kind: .idToken)
    let keys = JWKSet([key.publicKey])
    let token = try? ValidatedIDToken.check(signed, keys: keys, expecting: parameters())
    #expect((token != nil) == matches)
  }
}
