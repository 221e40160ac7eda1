import Diagnostics
import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Tests simulated events before and during a run, and their effects on the app.
@Suite struct SimulatedEventTests {
  @Test(arguments: [
    (
      "[signedIn]", "[loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]",
      "silent.tokenSource: cache"
    ),
    ("[signedIn, accessTokenExpired]", "[loadAccount.found, silent.success, ...]", "silent.tokenSource: refreshToken"),
    (
      "[signedIn, refreshTokenExpired]",
      "[..., silent.interactionRequired, interactive-fallback.success, callGraph.success]",
      "silent.error.code: AADSTS700082"
    ),
    (
      "[signedIn, wait: 91d]", "[..., silent.interactionRequired, interactive-fallback.success, callGraph.success]",
      "silent.error.code: AADSTS700082"
    ),
    (
      "[signedIn, wait: 2h, passwordChanged]",
      "[..., silent.interactionRequired, interactive-fallback.success, callGraph.success]",
      "silent.error.code: AADSTS50173"
    ),
    (
      "[signedIn, wait: 2h, sessionsRevoked]",
      "[..., silent.interactionRequired, interactive-fallback.success, callGraph.success]",
      "silent.error.code: AADSTS50173"
    ),
    (
      "[signedIn, signedOut]", "[loadAccount.notFound, interactive-fallback.success, callGraph.success]",
      "interactions: 1"
    ),
    ("[signedIn, cacheCorrupted]", "[loadAccount.unexpected]", "outcome: unexpected"),
    (
      "[signedIn, clock: 2024-06-01T00:00:00Z]",
      "[loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]", "accounts: 1"
    ),
    (
      "[signedIn, keysRotated]", "[loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]",
      "silent.tokenSource: cache"
    ),
    (
      "[offline: 1m, wait: 61s]", "[loadAccount.notFound, interactive-fallback.success, callGraph.success]",
      "accounts: 1"
    ),
    ("[offline, online]", "[loadAccount.notFound, interactive-fallback.success, callGraph.success]", "accounts: 1"),
    (
      "[consentGranted]", "[loadAccount.notFound, interactive-fallback.success, callGraph.success]",
      "interactive-fallback.screens: {not: {contains: consent}}"
    ),
  ])
  func eventsAffectTheRun(_ given: String, _ path: String, _ fact: String) async throws {
    try await ScenarioHarness(scenario: "given: \(given)\nexpect:\n  path: \(path)\n  \(fact)").passes()
  }

  @Test func severalUsersCanSignIn() async throws {
    try await ScenarioHarness(
      scenario: """
        given: [signedIn: alex@contoso.com, signedIn: megan@contoso.com]
        expect: {outcome: failed, path: [loadAccount.ambiguousAccount], accounts: 2}
        """
    ).passes()
  }

  @Test func reportsFailedSignIns() async throws {
    let outcome = try await ScenarioHarness(
      scenario: "given: [userDisabled: '${env:USERNAME}', signedIn: megan@contoso.com]",
      environment: ["USERNAME": "megan@contoso.com"]
    ).run()
    #expect(outcome.problems.map(\.rule) == ["given"])
    #expect(outcome.problems.first?.message.contains("AADSTS50057") == true, "\(outcome.reason)")
    #expect(outcome.problems.first?.place.start.line == 7)
  }

  @Test func anotherProcessCanSignOutDuringARun() async throws {
    try await ScenarioHarness(
      scenario: """
        given: [signedIn]
        before: {silent: signedOut}
        expect: {path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success, callGraph.success], interactions: 1}
        """
    ).passes()
  }

  @Test func simulatedSignInsDoNotCountAsRequests() async throws {
    try await ScenarioHarness(
      scenario: """
        before: {callGraph: [signedIn: adele@contoso.com]}
        expect: {interactions: 1, accounts: 2, requests: {token: 1, authorize: 1, graph: 1}}
        """
    ).passes()
  }

  @Test func loadsTheCacheFromAFile() async throws {
    try await ScenarioHarness(
      scenario: "given: [cacheLoaded: cache.json]\nexpect: {path: [loadAccount.notFound, ...]}",
      files: ["cache.json": "{\"AccessToken\": {}}"]
    ).passes()
    let diagnostics = ScenarioHarness(
      scenario: "given: [cacheLoaded: cache.json]", files: ["cache.json": "not a cache"]
    ).diagnostics()
    #expect(diagnostics.map(\.rule) == ["scenario-file"])
    // Only a run can detect these problems.
    let outcome = try await ScenarioHarness(
      scenario: "given: [cacheLoaded: '${env:FILE}']", files: ["cache.json": "not a cache"],
      environment: ["FILE": "cache.json"]
    ).run()
    #expect(outcome.problems.first?.message.contains("cache.json") == true)
  }

  @Test func theClockCanMoveBackDuringARun() async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        given: [signedIn]
        before: {callGraph: [clock: 2024-12-31T23:00:00Z]}
        expect: {outcome: unauthorized, path: [..., callGraph.unauthorized]}
        """
    ).passes()
    let times = outcome.events.map(\.time)
    #expect(times != times.sorted())
  }
}
