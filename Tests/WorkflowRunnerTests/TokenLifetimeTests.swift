import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Tests how time and events between two runs affect the source of tokens.
@Suite struct TokenLifetimeTests {
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
    Absence(testDescription: "no absence", away: .zero, path: silentPath, source: "cache"),
    Absence(testDescription: "half an hour", away: .seconds(1800), path: silentPath, source: "cache"),
    // MSAL renews tokens five minutes before they expire.
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

  @Test(arguments: absences) func returningUsersGetTokensFromTheExpectedSource(absence: Absence) async throws {
    let harness = try RunHarness()
    let first = try await harness.run(steps: Self.pattern)
    try #require(first.ending == "success")
    try await harness.advanceClock(by: absence.away)
    if absence.events != [] { await harness.simulate(absence.events) }
    let second = try await harness.run(steps: Self.pattern, "settings: Settings.yaml\nuser: \(absence.user)")
    #expect(second.path == absence.path)
    #expect(second.ending == "success")
    let step = absence.interactions == 0 ? "silent" : "interactive-fallback"
    #expect(second.facts(step)["tokenSource"]?.string == absence.source)
    #expect(second.record.interactions == absence.interactions)
    #expect(second.record.requests["token"] ?? 0 == absence.tokenRequests)
    #expect(second.facts("silent")["error"]?["code"]?.string == absence.code)
    #expect(second.events(.tokenAcquired).map { $0["source"]?.string } == [absence.source])
  }

  @Test func waitStepsExpireTokens() async throws {
    let outcome = try await RunHarness().run(
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

  @Test func forceRefreshSkipsTheCachedToken() async throws {
    let outcome = try await RunHarness().run(steps: "- interactive\n- silent: { forceRefresh: true }")
    #expect(outcome.facts("silent")["tokenSource"]?.string == "refreshToken")
    #expect(outcome.record.requests["token"] == 2)
  }

  @Test func incrementalConsentRequestsOnlyTheNewPermission() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run("incremental-consent.yaml")
    #expect(outcome.facts("openCalendar")["error"]?["code"]?.string == "AADSTS65001")
    let screens = outcome.facts("requestCalendar")["screens"]?.array?.compactMap(\.string) ?? []
    #expect(screens.contains("consent"))
    #expect(!screens.contains("password"), "the browser session is reused")
    let scopes = outcome.facts("requestCalendar")["scopes"]?.array?.compactMap(\.string) ?? []
    #expect(scopes.contains { $0.lowercased().hasSuffix("calendars.read") })
    // The request has no account.
    let again = try await harness.run(
      steps: "- interactive: { scopes: [User.Read, Calendars.Read] }")
    #expect(again.facts("interactive")["screens"]?.array?.contains("consent") == false)
  }

  @Test func tracesDecisionsWithReasons() async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: Self.pattern)
    let hit = try await harness.run(steps: Self.pattern)
    #expect(
      hit.events(.cacheRead).contains { $0["section"]?.string == "AccessToken" && $0["step"]?.string == "silent" })
    try await harness.advanceClock(by: .seconds(7200))
    let expired = try await harness.run(steps: Self.pattern)
    let verdicts = expired.decisions("accessToken").compactMap { $0["verdict"]?.string }
    #expect(verdicts.contains("expired"), "\(verdicts)")
    #expect(!expired.decisions("refreshToken").isEmpty)
    #expect(expired.decisions("accessToken").allSatisfy { ($0["reason"]?.string ?? "").isEmpty == false })
  }
}
