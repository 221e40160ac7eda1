import OAuth
import RunTrace
import Testing

@Suite("The authorization response")
struct RedirectTests {
  static let sent = Secret("c3RhdGU", kind: .state)

  func refusal(_ url: String, issuer: String? = nil) -> RedirectValidationError? {
    do {
      _ = try ValidatedRedirect.check(url, state: .mustEqual(Self.sent), issuer: issuer)
      return nil
    } catch {
      return error
    }
  }

  @Test("A code with the right state")
  func good() throws {
    let redirect = try ValidatedRedirect.check(
      "msauth.x://auth?code=M.C&state=c3RhdGU&client_info=eyJ1aWQiOiIxIiwgInV0aWQiOiIyIn0&cloud_instance_host_name=h#",
      state: .mustEqual(Self.sent), issuer: nil)
    #expect(redirect.code.reveal() == "M.C")
    #expect(redirect.clientInfo == ClientInfo(uid: "1", utid: "2"))
    #expect(redirect.cloudInstanceHostName == "h")
  }

  @Test("State first, then issuer, then error, then code")
  func order() {
    #expect(refusal("x://a?error=access_denied&code=1") == .stateMissing)
    #expect(refusal("x://a?state=&code=1") == .stateMissing)
    #expect(refusal("x://a?state=b3RoZXI&error=access_denied") == .stateMismatch)
    #expect(refusal("x://a?state=c3RhdGU=&code=1") == .stateMissing)
    #expect(refusal("x://a?state=c3RhdGU&code=1", issuer: "https://i") == .issuerMissing(expected: "https://i"))
    #expect(
      refusal("x://a?state=c3RhdGU&error=e&iss=https%3A%2F%2Fm", issuer: "https://i")
        == .issuerMismatch(found: "https://m", expected: "https://i"))
    #expect(refusal("x://a?state=c3RhdGU&iss=https%3A%2F%2Fi&code=1", issuer: "https://i") == nil)
    #expect(
      refusal("x://a?state=c3RhdGU&error=access_denied&error_description=no+way&code=1")
        == .refused(OAuthError("access_denied", description: "no way")))
    #expect(refusal("x://a?state=c3RhdGU&code=") == .neitherCodeNorError)
    #expect(refusal("x://a?state=c3RhdGU&code=a=b") == .neitherCodeNorError)
  }

  @Test(
    "refuses a redirect that repeats a parameter, before it compares the state",
    arguments: [
      ("x://a?code=1&state=c3RhdGU&state=c3RhdGU", "state"), ("x://a?code=1&state=c3RhdGU&code=1", "code"),
      ("x://a?iss=a&code=1&state=c3RhdGU&i%73s=b", "iss"), ("x://a?error=x&state=c3RhdGU&error=y", "error"),
      ("x://a#code=1&code=2&state=c3RhdGU", "code"), ("x://a?code=1&code=a=b&state=b3RoZXI", "code"),
    ])
  func repeated(_ url: String, name: String) {
    #expect(refusal(url) == .repeated(name))
  }

  @Test("accepts a redirect that repeats other parameters")
  func repeatedOther() {
    #expect(refusal("x://a?code=1&state=c3RhdGU&hint=a&hint=b") == nil)
  }

  @Test("Query parameters win over those of the fragment")
  func fragment() throws {
    let redirect = try ValidatedRedirect.check(
      "x://a?code=query#code=fragment&state=c3RhdGU", state: .mustEqual(Self.sent), issuer: nil)
    #expect(redirect.code.reveal() == "query")
  }

  @Test(
    "An issuer that is named must be ours, announced or not (RFC 9207 §2.4)",
    arguments: [
      (nil, false, true), (nil, true, false), ("https://i", false, true), ("https://i", true, true),
      ("https://m", false, false), ("https://i/", true, false), ("HTTPS://i", true, false), ("", false, false),
    ] as [(String?, Bool, Bool)])
  func issuer(named: String?, isAnnounced: Bool, isGood: Bool) {
    let iss: Parameters = named.map { ["iss": $0] } ?? [:]
    let url = URLReference("x://a?state=c3RhdGU&code=1").appending(iss).text
    let redirect = try? ValidatedRedirect.check(
      url, state: .mustEqual(Self.sent), issuer: "https://i", issuerIsAnnounced: isAnnounced)
    #expect((redirect != nil) == isGood)
  }

  @Test(
    "An issuer for many tenants is any of them, and nobody else",
    arguments: [
      ("https://h/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0", true), ("https://h/{tenantid}/v2.0", true),
      ("https://h/../evil/v2.0", false), ("https://h//v2.0", false), ("https://h/v2.0", false),
      ("https://m/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0", false),
    ])
  func issuerOfManyTenants(named: String, isGood: Bool) {
    let url = URLReference("x://a?state=c3RhdGU&code=1").appending(["iss": named]).text
    let redirect = try? ValidatedRedirect.check(
      url, state: .mustEqual(Self.sent), issuer: "https://h/{tenantid}/v2.0", issuerIsAnnounced: false)
    #expect((redirect != nil) == isGood)
  }
}
