import Effects
import Testing

@Suite("Redirect expectations")
struct RedirectExpectationTests {
  private static let expectation = RedirectExpectation(state: "s 1", mayBeEmpty: false)

  @Test(
    "evaluates a redirect by its code, its error, and its state",
    arguments: [
      ("code=c&state=s+1", .response(error: nil, description: nil)),
      ("code=c&state=s%201", .response(error: nil, description: nil)),
      ("error=e&error_description=no+way&state=s+1", .response(error: "e", description: "no way")),
      ("code=c&state=s1", .wrongState), ("code=c", .wrongState), ("error=e&state=", .wrongState),
      ("state=s+1", .incomplete),
      ("", .incomplete),
    ] as [(String, RedirectExpectation.Result)])
  func verdicts(query: String, verdict: RedirectExpectation.Result) {
    #expect(Self.expectation.evaluate(query: query) == verdict)
    #expect(Self.expectation.evaluate(query: "", fragment: query) == verdict)
  }

  @Test("rejects a parameter that occurs twice", arguments: ["state", "code", "iss", "error"])
  func repeated(name: String) {
    let first = "code=c&state=s+1&iss=i&error=e&hint=a&hint=b"
    #expect(Self.expectation.evaluate(query: first) == .response(error: "e", description: nil))
    #expect(Self.expectation.evaluate(query: "\(first)&\(name)=x") == .repeated(name))
    #expect(Self.expectation.evaluate(query: "", fragment: "\(name)=x&\(first)") == .repeated(name))
    // A percent-encoded name is a duplicate too.
    let escaped = "%" + String(name.utf8.first ?? 0, radix: 16) + name.dropFirst()
    #expect(Self.expectation.evaluate(query: "\(first)&\(escaped)=x") == .repeated(name))
  }

  @Test("prefers query parameters to fragment parameters")
  func queryAndFragment() {
    #expect(Self.expectation.evaluate(query: "code=c&state=s2", fragment: "state=s+1") == .wrongState)
    let verdict = Self.expectation.evaluate(query: "code=c&state=s+1", fragment: "code=d")
    #expect(verdict == .response(error: nil, description: nil))
  }

  @Test("reads the state from the visit's URL, and accepts an empty redirect after signing out")
  func visits() {
    func expectation(_ url: String, _ purpose: BrowserVisit.Purpose) -> RedirectExpectation {
      RedirectExpectation(BrowserVisit(url: url, redirectURI: "app://done", purpose: purpose))
    }
    #expect(expectation("https://h/a?x=1&state=s%201#state=no", .signIn) == Self.expectation)
    #expect(expectation("https://h/a#?state=no", .signIn) == RedirectExpectation(state: nil, mayBeEmpty: false))
    let signOut = expectation("https://h/a?state=s", .signOut)
    #expect(signOut.evaluate(query: "state=s") == .response(error: nil, description: nil))
    #expect(signOut.evaluate(query: "") == .wrongState)
  }
}
