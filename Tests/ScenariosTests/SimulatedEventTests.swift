import Diagnostics
import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Every event, before a scenario and on its way, by what the app then meets.
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
  func given(_ given: String, _ path: String, _ fact: String) async throws {
    try await ScenarioScene(scenario: "given: \(given)\nexpect:\n  path: \(path)\n  \(fact)").passes()
  }

  @Test func severalUsersOneAfterTheOther() async throws {
    try await ScenarioScene(
      scenario: """
        given: [signedIn: alex@contoso.com, signedIn: megan@contoso.com]
        expect: {outcome: failed, path: [loadAccount.ambiguousAccount], accounts: 2}
        """
    ).passes()
  }

  @Test func aRefusedSignInIsTold() async throws {
    let outcome = try await ScenarioScene(
      scenario: "given: [userDisabled: '${env:WHO}', signedIn: megan@contoso.com]",
      environment: ["WHO": "megan@contoso.com"]
    ).run()
    #expect(outcome.troubles.map(\.rule) == ["given"])
    #expect(outcome.troubles.first?.message.contains("AADSTS50057") == true, "\(outcome.reason)")
    #expect(outcome.troubles.first?.place.start.line == 7)
  }

  @Test func signedOutInAnotherProcessOnTheWay() async throws {
    try await ScenarioScene(
      scenario: """
        given: [signedIn]
        before: {silent: signedOut}
        expect: {path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success, callGraph.success], interactions: 1}
        """
    ).passes()
  }

  @Test func whatHappensAroundTheRunIsNotCounted() async throws {
    try await ScenarioScene(
      scenario: """
        before: {callGraph: [signedIn: adele@contoso.com]}
        expect: {interactions: 1, accounts: 2, requests: {token: 1, authorize: 1, graph: 1}}
        """
    ).passes()
  }

  @Test func theCacheIsAFile() async throws {
    try await ScenarioScene(
      scenario: "given: [cacheLoaded: cache.json]\nexpect: {path: [loadAccount.notFound, ...]}",
      files: ["cache.json": "{\"AccessToken\": {}}"]
    ).passes()
    let told = ScenarioScene(
      scenario: "given: [cacheLoaded: cache.json]", files: ["cache.json": "no cache"]
    ).diagnostics()
    #expect(told.map(\.rule) == ["scenario-file"])
    // What only the run can know of, only the run can tell.
    let outcome = try await ScenarioScene(
      scenario: "given: [cacheLoaded: '${env:FILE}']", files: ["cache.json": "no cache"],
      environment: ["FILE": "cache.json"]
    ).run()
    #expect(outcome.troubles.first?.message.contains("cache.json") == true)
  }

  @Test func timeRunsBackInTheTrace() async throws {
    let outcome = try await ScenarioScene(
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
