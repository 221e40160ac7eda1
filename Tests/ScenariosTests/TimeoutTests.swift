import Documents
import Testing
import WorkflowRunner

/// Tests timeouts, endless responses, and unreadable caches.
@Suite struct TimeoutTests {
  static let header = "authflow: 1\nsettings: Settings.yaml\nuser: megan@contoso.com\n"

  /// MSAL waits 300 seconds and retries once after half a second.
  @Test func msalTimesOutAfterTwoAttempts() async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        given: [signedIn, { wait: 2h }, fault: { at: token, response: { delay: 10m }, times: always }]
        expect: { outcome: timedOut, path: [loadAccount.found, silent.timedOut] }
        """, of: Self.header + "steps: [loadAccount, silent]"
    ).passes()
    let given = Duration.seconds(7200)
    #expect(outcome.report.elapsed - given == .milliseconds(600_500))
    #expect(outcome.facts("silent")["error"]?["description"]?.string?.contains("300 s") == true)
  }

  /// A delay of 299 seconds is within the timeout. If the first response is too late, the second attempt succeeds.
  @Test(arguments: ["{ delay: 299s }, times: always", "{ delay: 10m }"])
  func acceptsResponsesWithinTheTimeout(response: String) async throws {
    try await ScenarioHarness(
      scenario: """
        given: [signedIn, { wait: 2h }, fault: { at: token, response: \(response) }]
        expect: { path: [loadAccount.found, silent.success] }
        """, of: Self.header + "steps: [loadAccount, silent]"
    ).passes()
  }

  @Test func endlessGraphResponsesTimeOut() async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        given: [signedIn, fault: { at: graph, response: endless }]
        expect: { outcome: timedOut, path: [loadAccount.found, silent.success, callGraph.timedOut] }
        """, of: Self.header + "steps: [loadAccount, silent, callGraph: /me]"
    ).passes()
    let reason = outcome.facts("callGraph")["error"]?["description"]?.string ?? ""
    #expect(reason.contains("more than 16 MiB") && reason.contains("timeoutIntervalForResource"), "\(reason)")
  }

  @Test(arguments: ["silent", "interactive", "deviceCode"])
  func anUnreadableCacheIsAnUnexpectedError(step: String) async throws {
    try await ScenarioHarness(
      scenario: """
        given: [signedIn, cacheCorrupted]
        expect: { outcome: unexpected, path: [step.unexpected], step.error.msal: MSALInternalErrorUnexpected }
        """, of: Self.header + "steps: [{id: step, \(step): {account: megan@contoso.com}}]"
    ).passes()
    try await ScenarioHarness(
      scenario: """
        given: [signedIn, cacheCorrupted]
        expect: { outcome: unexpected, path: [signout.unexpected] }
        """, of: Self.header + "steps: [{signout: {account: megan@contoso.com}}]"
    ).passes()
  }

  @Test(arguments: [
    ("wait: 91d", "AADB2C90080"), ("passwordChanged", "AADB2C90129"), ("sessionsRevoked", "AADB2C90129"),
    ("userDisabled", "AADB2C90129"), ("userDeleted", "AADB2C90128"),
  ])
  func userFlowsReturnB2CErrorCodes(event: String, code: String) async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        given: [signedIn: casey@example.com, wait: 2h, \(event)]
        expect: { outcome: interactionRequired, silent.error.code: \(code), silent.error.oauth: invalid_grant }
        """, of: ScenarioHarness.customers(steps: "[loadAccount, silent]")
    ).run()
    #expect(outcome.verdict == .passed, "\(outcome.reason)")
  }
}
