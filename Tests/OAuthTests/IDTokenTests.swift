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

  static let good: JSON = [
    "iss": .string(issuer), "sub": "s", "aud": "client", "exp": 1_735_693_200, "nbf": 1_735_689_600,
    "iat": 1_735_689_600, "nonce": "n", "tid": .string(tenant),
  ]

  func expectation(_ change: (inout IDTokenValidationParameters) -> Void = { _ in }) -> IDTokenValidationParameters {
    var expected = IDTokenValidationParameters(
      issuer: Self.issuer, clientID: "client", nonce: .mustEqual("n"), now: Self.now)
    change(&expected)
    return expected
  }

  func failures(_ claims: JSON, _ expected: IDTokenValidationParameters) throws -> [IDTokenCheckResult.Check] {
    let key = try TestKeys.p256()
    let raw = Secret(try key.token(claims), kind: .idToken)
    do {
      let checked = try ValidatedIDToken.check(raw, keys: JWKSet([key.publicKey]), expecting: expected)
      #expect(checked.claims == claims)
      #expect(checked.verdicts.first?.check == .signature)
      return []
    } catch {
      let refusal = error
      #expect(refusal.unknownKeyID == nil)
      return refusal.verdicts.filter { !$0.passed }.map(\.check)
    }
  }

  @Test("A good token passes every check")
  func accepted() throws {
    #expect(try failures(Self.good, expectation()) == [])
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var claim: String
    var value: JSON?
    var fails: [IDTokenCheckResult.Check]
    init(_ claim: String, _ value: JSON?, _ fails: IDTokenCheckResult.Check...) {
      self.claim = claim
      self.value = value
      self.fails = fails
    }
    var testDescription: String { "\(claim) \(value.map { "\($0)" } ?? "absent")" }
  }

  @Test(
    "One claim changed",
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
    var claims = Self.good
    claims[change.claim] = change.value
    #expect(try failures(claims, expectation()) == change.fails)
  }

  @Test("The tenant placeholder of multi-tenant endpoints is filled with tid")
  func template() throws {
    let expected = expectation { $0.issuer = "https://h/{tenantid}/v2.0" }
    #expect(try failures(Self.good, expected) == [])
    var other = Self.good
    other["tid"] = "11111111-86f1-41af-91ab-2d7cd011db47"
    #expect(try failures(other, expected) == [.issuer])
    other["tid"] = "../evil"
    #expect(try failures(other, expected) == [.issuer])
    other["tid"] = nil
    #expect(try failures(other, expected) == [.issuer])
  }

  @Test("Hashes are checked when present")
  func hashes() throws {
    // SHA-256("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") left half, from OpenID Connect Core, appendix A.3.
    let accessToken = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", kind: .accessToken)
    // The same for the code of appendix A.4.
    let code = Secret("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", kind: .authorizationCode)
    var claims = Self.good
    claims["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ"
    claims["c_hash"] = "LDktKdoQak3Pk0cnXxCltA"
    let expected = expectation {
      $0.accessToken = accessToken
      $0.code = code
    }
    #expect(try failures(claims, expected) == [])
    #expect(try failures(claims, expectation()) == [])
    claims["at_hash"] = "77QmUPtjPfzWtF2AnpK9RA"
    claims["c_hash"] = 1
    #expect(try failures(claims, expected) == [.accessTokenHash, .codeHash])
  }

  @Test("The time since the user signed in, where it was limited")
  func maxAge() throws {
    let expected = expectation { $0.maxAge = .seconds(60) }
    var claims = Self.good
    #expect(try failures(claims, expected) == [.authenticationTime])
    claims["auth_time"] = 1_735_689_240
    #expect(try failures(claims, expected) == [])
    claims["auth_time"] = 1_735_689_239
    #expect(try failures(claims, expected) == [.authenticationTime])
  }

  @Test("A refreshed token stays with its user and needs no nonce")
  func refreshed() throws {
    var claims = Self.good
    claims["nonce"] = nil
    #expect(
      try failures(
        claims,
        expectation {
          $0.nonce = .noneWasSent
          $0.subject = "s"
        }) == [])
    #expect(
      try failures(
        claims,
        expectation {
          $0.nonce = .noneWasSent
          $0.subject = "somebody"
        }) == [.subject])
  }

  @Test("All that is wrong is told at once")
  func several() throws {
    #expect(
      try failures(["iss": "x"], expectation()) == [.issuer, .subject, .audience, .expiry, .issuedAt, .nonce])
  }

  @Test("Where the signature is not believed, the claims are not looked at")
  func signatureFirst() throws {
    let raw = Secret(try TestKeys.p256("new").token(["iss": "x"]), kind: .idToken)
    let keys = JWKSet([try TestKeys.p256("old").publicKey])
    do {
      _ = try ValidatedIDToken.check(raw, keys: keys, expecting: expectation())
      Issue.record("the token was believed")
    } catch {
      #expect(error.verdicts.map(\.check) == [.signature])
      #expect(error.unknownKeyID == "new")
      #expect(error.explanation == "ID token refused, signature: the provider has no key “new”")
    }
    #expect(throws: IDTokenValidationError.self) {
      try ValidatedIDToken.check(Secret("x", kind: .idToken), keys: keys, expecting: expectation())
    }
  }

  @Test(
    "A token of another kind is no ID token (RFC 8725 §3.11)",
    arguments: [("JWT", true), ("jwt", true), ("at+jwt", false), ("AT+JWT", false), ("application/logout+jwt", false)])
  func kinds(type: String, isGood: Bool) throws {
    let key = try TestKeys.p256()
    let raw = Secret(try key.token(Self.good, header: ["typ": .string(type)]), kind: .idToken)
    let checked = try? ValidatedIDToken.check(raw, keys: JWKSet([key.publicKey]), expecting: expectation())
    #expect((checked != nil) == isGood)
  }

  @Test("A key that is reserved for one issuer signs for no other", arguments: [true, false])
  func keyIssuer(matches: Bool) throws {
    let owner = matches ? "https://h/{tenantid}/v2.0" : "https://h/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
    let key = try TestKeys.rsa(issuer: owner)
    let raw = Secret(try key.token(Self.good), kind: .idToken)
    let keys = JWKSet([key.publicKey])
    let checked = try? ValidatedIDToken.check(raw, keys: keys, expecting: expectation())
    #expect((checked != nil) == matches)
  }
}
