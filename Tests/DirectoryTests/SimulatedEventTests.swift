import Diagnostics
import Directory
import Documents
import Effects
import Testing

@Suite("Simulated events")
struct SimulatedEventTests {
  static func read(_ json: String) throws -> (SimulatedEvent?, [Diagnostic]) {
    let root = Document.of(try JSON(parsing: Array("[\(json)]".utf8)), name: "given").root
    let read = SimulatedEvent.list(root)
    return (read.events.first, read.diagnostics)
  }

  @Test(
    "decodes the short and long forms of events",
    arguments: [
      (#""passwordChanged""#, SimulatedEvent(.passwordChanged(to: nil))),
      (#"{"signedIn":"megan@contoso.com"}"#, SimulatedEvent(.signedIn, subject: .init(user: "megan@contoso.com"))),
      (
        #"{"signedIn":{"user":"a@b.c","client":"mail","scopes":["User.Read"]}}"#,
        SimulatedEvent(.signedIn, subject: .init(user: "a@b.c", client: "mail", scopes: ["User.Read"]))
      ),
      (#"{"wait":"2d"}"#, SimulatedEvent(.wait(.seconds(172_800)))),
      (#"{"clock":"2025-03-01T08:00:00Z"}"#, SimulatedEvent(.clock(Instant(secondsSince1970: 1_740_816_000)))),
      (
        #"{"passwordChanged":{"user":"a@b.c","to":"new"}}"#,
        SimulatedEvent(.passwordChanged(to: "new"), subject: .init(user: "a@b.c"))
      ),
      (#"{"consentGranted":["Mail.Read"]}"#, SimulatedEvent(.consentGranted, subject: .init(scopes: ["Mail.Read"]))),
      (#"{"appDisabled":"mail"}"#, SimulatedEvent(.appDisabled, subject: .init(client: "mail"))),
      (#"{"policyRemoved":"MFA"}"#, SimulatedEvent(.policyRemoved(name: "MFA"))),
      (#"{"misbehaves":"wrong-issuer"}"#, SimulatedEvent(.misbehaves(.wrongIssuer))),
      (#"{"misbehaves":"endless-tokens"}"#, SimulatedEvent(.misbehaves(.endlessTokens))),
      (#"{"stopsMisbehaving":"wrong-issuer"}"#, SimulatedEvent(.stopsMisbehaving(.wrongIssuer))),
      (#""stopsMisbehaving""#, SimulatedEvent(.stopsMisbehaving(nil))),
      (#"{"stopsMisbehaving":null}"#, SimulatedEvent(.stopsMisbehaving(nil))),
      (#"{"offline":"1m"}"#, SimulatedEvent(.offline(.seconds(60)))), (#""offline""#, SimulatedEvent(.offline(nil))),
      (#"{"cacheLoaded":"cache.json"}"#, SimulatedEvent(.cacheLoaded(file: "cache.json"))),
      (
        #"{"fault":{"at":"GET /v1.0/me","response":"reset","times":"always"}}"#,
        SimulatedEvent(.fault(Fault(at: .request(method: "GET", path: "/v1.0/me"), .reset, times: .always)))
      ),
      (
        #"{"fault":{"at":"token","response":{"delay":"5s"},"times":2}}"#,
        SimulatedEvent(.fault(Fault(at: .token, .delay(.seconds(5)), times: .count(2))))
      ),
    ])
  func forms(json: String, expected: SimulatedEvent) throws {
    let (event, problems) = try Self.read(json)
    #expect(event == expected)
    #expect(problems.isEmpty)
  }

  @Test(
    "reports invalid events",
    arguments: [
      (#""passwordchanged""#, "unknown-event"), (#"{"wait":"long"}"#, "bad-duration"),
      (#""wait""#, "event"),
      (#"{"wait":"1s","online":null}"#, "event"), (#"{"fault":{"at":"token"}}"#, "missing-key"),
      (#"{"fault":{"at":"the token","response":"reset"}}"#, "unknown-value"),
      (#"{"misbehaves":"badly"}"#, "unknown-value"),
      (#"{"stopsMisbehaving":"well"}"#, "unknown-value"), (#""misbehaves""#, "event"),
      (#"{"signedIn":{"usr":"x"}}"#, "unknown-key"), ("7", "wrong-type"),
    ])
  func mistakes(json: String, rule: String) throws {
    let (_, problems) = try Self.read(json)
    #expect(problems.map(\.rule).contains(rule), "\(problems.map(\.message))")
  }

  @Test(
    "rejects usernames in a list of scopes",
    arguments: [
      (
        #"{"signedIn":["megan@contoso.com","alex@contoso.com"]}"#,
        "write one event for each user: [signedIn: megan@contoso.com, signedIn: alex@contoso.com]"
      ),
      (#"{"signedIn":["megan@contoso.com"]}"#, "write signedIn: megan@contoso.com"),
      (#"{"consentGranted":{"scopes":["User.Read","a@b.c"]}}"#, "write consentGranted: a@b.c"),
    ])
  func usersAsScopes(json: String, help: String) throws {
    let (event, problems) = try Self.read(json)
    #expect(event == nil)
    #expect(problems.map(\.rule) == ["event"])
    #expect(problems.first?.help == help)
  }

  @Test("assigns every keyword to the client, the platform, or the environment")
  func sides() {
    #expect(SimulatedEvent.Word.signedIn.side == .client)
    #expect(SimulatedEvent.Word.wait.side == .world)
    #expect(SimulatedEvent.Word.fault.side == .platform)
    #expect(SimulatedEvent.Word.allCases.allSatisfy { !$0.summary.isEmpty })
  }

  @Test(
    "matches requests with a fault target",
    arguments: [
      ("GET /v1.0/me", "GET", "/v1.0/me", true), ("GET /v1.0/me", "POST", "/v1.0/me", false),
      ("/v1.0/me", "PATCH", "/V1.0/me/", true), ("/v1.0/users/*", "GET", "/v1.0/users/1/photo", true),
      ("/v1.0/me", "GET", "/v1.0/me/photo", false),
    ])
  func targets(text: String, method: String, path: String, matches: Bool) throws {
    let target = try #require(Fault.Target(spelled: text))
    #expect(target.matches(method: method, path: path) == matches)
    #expect(target.spelled == text)
  }
}
