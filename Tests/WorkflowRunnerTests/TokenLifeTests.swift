import Documents
import RunTrace
import Testing
import WorkflowRunner

/// What time, the service and the user do to tokens between two runs.
@Suite struct TokenLifeTests {
  static let pattern = """
    - loadAccount
    - silent
    - interactive-fallback
    - callGraph: /me
    """

  struct Absence: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var away: Duration
    var events: JSON = []
    var user = "{}"
    var path: [String]
    var source: String
    var interactions = 0
    var tokenRequests = 0
    var code: String?
  }

  static let silentPath = [
    "loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.success",
  ]
  static let fallbackPath = [
    "loadAccount.found", "silent.interactionRequired", "interactive-fallback.success", "callGraph.success",
  ]

  static let absences: [Absence] = [
    Absence(testDescription: "at once", away: .zero, path: silentPath, source: "cache"),
    Absence(testDescription: "half an hour", away: .seconds(1800), path: silentPath, source: "cache"),
    // MSAL renews five minutes before the end.
    Absence(
      testDescription: "56 minutes", away: .seconds(56 * 60), path: silentPath, source: "refreshToken", tokenRequests: 1
    ),
    Absence(
      testDescription: "two hours", away: .seconds(7200), path: silentPath, source: "refreshToken", tokenRequests: 1),
    Absence(
      testDescription: "89 days", away: .seconds(89 * 86400), path: silentPath, source: "refreshToken", tokenRequests: 1
    ),
    Absence(
      testDescription: "91 days", away: .seconds(91 * 86400), path: fallbackPath, source: "authorizationCode",
      interactions: 1, tokenRequests: 2, code: "AADSTS700082"),
    Absence(
      testDescription: "a new password", away: .seconds(7200),
      events: [["passwordChanged": ["to": "Fake-Other-2"]]],
      user: "{ password: Fake-Other-2 }", path: fallbackPath,
      source: "authorizationCode", interactions: 1, tokenRequests: 2, code: "AADSTS50173"),
    Absence(
      testDescription: "sessions revoked", away: .seconds(7200), events: ["sessionsRevoked"], path: fallbackPath,
      source: "authorizationCode", interactions: 1, tokenRequests: 2, code: "AADSTS50173"),
    Absence(
      testDescription: "consent revoked", away: .seconds(7200), events: ["consentRevoked"], path: fallbackPath,
      source: "authorizationCode", interactions: 1, tokenRequests: 2, code: "AADSTS65001"),
  ]

  @Test(arguments: absences) func whoComesBackGetsATokenAsMSALWould(absence: Absence) async throws {
    let scene = try RunScene()
    let first = try await scene.run(steps: Self.pattern)
    try #require(first.ending == "success")
    try await scene.pass(absence.away)
    if absence.events != [] { await scene.simulate(absence.events) }
    let second = try await scene.run(steps: Self.pattern, "settings: Settings.yaml\nuser: \(absence.user)")
    #expect(second.path == absence.path)
    #expect(second.ending == "success")
    let step = absence.interactions == 0 ? "silent" : "interactive-fallback"
    #expect(second.facts(step)["tokenSource"]?.string == absence.source)
    #expect(second.record.interactions == absence.interactions)
    #expect(second.record.requests["token"] ?? 0 == absence.tokenRequests)
    #expect(second.facts("silent")["error"]?["code"]?.string == absence.code)
    #expect(second.events(.tokenAcquired).map { $0["source"]?.string } == [absence.source])
  }

  @Test func waitingInsideAWorkflowAgesTheToken() async throws {
    let outcome = try await RunScene().run(
      steps: """
        - interactive
        - wait: 2h
        - silent:
          expect: { tokenSource: refreshToken }
        - { id: again, silent: {}, expect: { tokenSource: cache } }
        """)
    #expect(outcome.path == ["interactive.success", "wait.success", "silent.success", "again.success"])
    let wait = outcome.finished("wait")
    #expect(wait["milliseconds"]?.number == 7_200_000)
  }

  @Test func aForcedRefreshLeavesTheCachedTokenAside() async throws {
    let outcome = try await RunScene().run(steps: "- interactive\n- silent: { forceRefresh: true }")
    #expect(outcome.facts("silent")["tokenSource"]?.string == "refreshToken")
    #expect(outcome.record.requests["token"] == 2)
  }

  @Test func incrementalConsentAsksForTheNewPermissionOnly() async throws {
    let scene = try RunScene()
    let outcome = try await scene.run("incremental-consent.yaml")
    #expect(outcome.facts("openCalendar")["error"]?["code"]?.string == "AADSTS65001")
    let screens = outcome.facts("askForCalendar")["screens"]?.array?.compactMap(\.string) ?? []
    #expect(screens.contains("consent"))
    #expect(!screens.contains("password"), "the browser knows the user already")
    let scopes = outcome.facts("askForCalendar")["scopes"]?.array?.compactMap(\.string) ?? []
    #expect(scopes.contains { $0.lowercased().hasSuffix("calendars.read") })
    // The second time there is nothing left to ask.
    let again = try await scene.run(
      steps: "- interactive: { scopes: [User.Read, Calendars.Read] }")
    #expect(again.facts("interactive")["screens"]?.array?.contains("consent") == false)
  }

  @Test func whatIsDecidedIsSaidInTheTrace() async throws {
    let scene = try RunScene()
    _ = try await scene.run(steps: Self.pattern)
    let hit = try await scene.run(steps: Self.pattern)
    #expect(
      hit.events(.cacheRead).contains { $0["section"]?.string == "AccessToken" && $0["step"]?.string == "silent" })
    try await scene.pass(.seconds(7200))
    let late = try await scene.run(steps: Self.pattern)
    let verdicts = late.decisions("accessToken").compactMap { $0["verdict"]?.string }
    #expect(verdicts.contains("expired"), "\(verdicts)")
    #expect(!late.decisions("refreshToken").isEmpty)
    #expect(late.decisions("accessToken").allSatisfy { ($0["reason"]?.string ?? "").isEmpty == false })
  }
}
