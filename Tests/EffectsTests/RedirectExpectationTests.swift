import Effects
import Testing

@Suite("The redirect that ends a visit")
struct RedirectExpectationTests {
  private static let expectation = RedirectExpectation(state: "s 1", mayBeEmpty: false)

  @Test(
    "judges a redirect by its code, its error, and its state",
    arguments: [
      ("code=c&state=s+1", .answer(error: nil, description: nil)),
      ("code=c&state=s%201", .answer(error: nil, description: nil)),
      ("error=e&error_description=no+way&state=s+1", .answer(error: "e", description: "no way")),
      ("code=c&state=s1", .foreign), ("code=c", .foreign), ("error=e&state=", .foreign), ("state=s+1", .incomplete),
      ("", .incomplete),
    ] as [(String, RedirectExpectation.Verdict)])
  func verdicts(query: String, verdict: RedirectExpectation.Verdict) {
    #expect(Self.expectation.judge(query: query) == verdict)
    #expect(Self.expectation.judge(query: "", fragment: query) == verdict)
  }

  @Test("refuses a parameter that occurs twice", arguments: ["state", "code", "iss", "error"])
  func repeated(name: String) {
    let first = "code=c&state=s+1&iss=i&error=e&hint=a&hint=b"
    #expect(Self.expectation.judge(query: first) == .answer(error: "e", description: nil))
    #expect(Self.expectation.judge(query: "\(first)&\(name)=x") == .repeated(name))
    #expect(Self.expectation.judge(query: "", fragment: "\(name)=x&\(first)") == .repeated(name))
    // An escaped name is the same name.
    let escaped = "%" + String(name.utf8.first ?? 0, radix: 16) + name.dropFirst()
    #expect(Self.expectation.judge(query: "\(first)&\(escaped)=x") == .repeated(name))
  }

  @Test("prefers the query's parameters to the fragment's")
  func queryAndFragment() {
    #expect(Self.expectation.judge(query: "code=c&state=s2", fragment: "state=s+1") == .foreign)
    let verdict = Self.expectation.judge(query: "code=c&state=s+1", fragment: "code=d")
    #expect(verdict == .answer(error: nil, description: nil))
  }

  @Test("takes the state from the visit's address, and accepts an empty redirect after signing out")
  func visits() {
    func expectation(_ url: String, _ purpose: BrowserVisit.Purpose) -> RedirectExpectation {
      RedirectExpectation(BrowserVisit(url: url, redirectURI: "app://done", purpose: purpose))
    }
    #expect(expectation("https://h/a?x=1&state=s%201#state=no", .signIn) == Self.expectation)
    #expect(expectation("https://h/a#?state=no", .signIn) == RedirectExpectation(state: nil, mayBeEmpty: false))
    let signOut = expectation("https://h/a?state=s", .signOut)
    #expect(signOut.judge(query: "state=s") == .answer(error: nil, description: nil))
    #expect(signOut.judge(query: "") == .foreign)
  }
}
