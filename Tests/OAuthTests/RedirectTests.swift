import Effects
import OAuth
import RunTrace
import Testing

@Suite("Authorization responses")
struct RedirectTests {
  static let sent = Secret("c3RhdGU", kind: .state)

  func validationError(_ url: String, issuer: String? = nil) -> RedirectValidationError? {
    do {
      _ = try ValidatedRedirect.check(url, state: .mustEqual(Self.sent), issuer: issuer)
      return nil
    } catch {
      return error
    }
  }

  @Test("accepts a code with the expected state")
  func accepted() throws {
    let redirect = try ValidatedRedirect.check(
      "msauth.x://auth?code=M.C&state=c3RhdGU&client_info=eyJ1aWQiOiIxIiwgInV0aWQiOiIyIn0&cloud_instance_host_name=h#",
      state: .mustEqual(Self.sent), issuer: nil)
    #expect(redirect.code.reveal() == "M.C")
    #expect(redirect.clientInfo == ClientInfo(uid: "1", utid: "2"))
    #expect(redirect.cloudInstanceHostName == "h")
  }

  @Test("validates the state, the issuer, the error, and the code in that order")
  func order() {
    #expect(validationError("x://a?error=access_denied&code=1") == .stateMissing)
    #expect(validationError("x://a?state=&code=1") == .stateMissing)
    #expect(validationError("x://a?state=b3RoZXI&error=access_denied") == .stateMismatch)
    #expect(validationError("x://a?state=c3RhdGU=&code=1") == .stateMissing)
    #expect(validationError("x://a?state=c3RhdGU&code=1", issuer: "https://i") == .issuerMissing(expected: "https://i"))
    #expect(
      validationError("x://a?state=c3RhdGU&error=e&iss=https%3A%2F%2Fm", issuer: "https://i")
        == .issuerMismatch(actual: "https://m", expected: "https://i"))
    #expect(validationError("x://a?state=c3RhdGU&iss=https%3A%2F%2Fi&code=1", issuer: "https://i") == nil)
    #expect(
      validationError("x://a?state=c3RhdGU&error=access_denied&error_description=user+canceled&code=1")
        == .oauthError(OAuthError("access_denied", description: "user canceled")))
    #expect(validationError("x://a?state=c3RhdGU&code=") == .missingCodeAndError)
    #expect(validationError("x://a?state=c3RhdGU&code=a=b") == .missingCodeAndError)
  }

  @Test(
    "rejects a redirect with a duplicate parameter before validating the state",
    arguments: [
      ("x://a?code=1&state=c3RhdGU&state=c3RhdGU", "state"), ("x://a?code=1&state=c3RhdGU&code=1", "code"),
      ("x://a?iss=a&code=1&state=c3RhdGU&i%73s=b", "iss"), ("x://a?error=x&state=c3RhdGU&error=y", "error"),
      ("x://a#code=1&code=2&state=c3RhdGU", "code"), ("x://a?code=1&code=a=b&state=b3RoZXI", "code"),
    ])
  func repeated(_ url: String, name: String) {
    #expect(validationError(url) == .repeated(name))
  }

  @Test("accepts duplicates of parameters that OAuth does not define")
  func repeatedOther() {
    #expect(validationError("x://a?code=1&state=c3RhdGU&hint=a&hint=b") == nil)
  }

  @Test("prefers query parameters to fragment parameters")
  func fragment() throws {
    let redirect = try ValidatedRedirect.check(
      "x://a?code=query#code=fragment&state=c3RhdGU", state: .mustEqual(Self.sent), issuer: nil)
    #expect(redirect.code.reveal() == "query")
  }

  @Test(
    "validates the issuer if it is present or declared (RFC 9207 §2.4)",
    arguments: [
      (nil, false, true), (nil, true, false), ("https://i", false, true), ("https://i", true, true),
      ("https://m", false, false), ("https://i/", true, false), ("HTTPS://i", true, false), ("", false, false),
    ] as [(String?, Bool, Bool)])
  func issuer(issuer: String?, isDeclared: Bool, isValid: Bool) {
    let parameters: Parameters = issuer.map { ["iss": $0] } ?? [:]
    let url = URLReference("x://a?state=c3RhdGU&code=1").appending(parameters).text
    let redirect = try? ValidatedRedirect.check(
      url, state: .mustEqual(Self.sent), issuer: "https://i", issuerIsAnnounced: isDeclared)
    #expect((redirect != nil) == isValid)
  }

  @Test(
    "accepts any tenant for the issuer of a multitenant endpoint",
    arguments: [
      ("https://h/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0", true), ("https://h/{tenantid}/v2.0", true),
      ("https://h/../evil/v2.0", false), ("https://h//v2.0", false), ("https://h/v2.0", false),
      ("https://m/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0", false),
    ])
  func multitenantIssuer(issuer: String, isValid: Bool) {
    let url = URLReference("x://a?state=c3RhdGU&code=1").appending(["iss": issuer]).text
    let redirect = try? ValidatedRedirect.check(
      url, state: .mustEqual(Self.sent), issuer: "https://h/{tenantid}/v2.0", issuerIsAnnounced: false)
    #expect((redirect != nil) == isValid)
  }
}
