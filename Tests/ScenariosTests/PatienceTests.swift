import Documents
import Testing
import WorkflowRunner

/// How long an app waits, and what it sees of answers that do not come or do not end.
@Suite struct PatienceTests {
  static let scene = "authflow: 1\nsettings: Settings.yaml\nuser: megan@contoso.com\n"

  /// MSAL waits 300 seconds, and asks once more after half a second.
  @Test func msalGivesUpAfterFiveMinutesTwice() async throws {
    let outcome = try await ScenarioScene(
      scenario: """
        given: [signedIn, { wait: 2h }, fault: { at: token, response: { delay: 10m }, times: always }]
        expect: { outcome: timedOut, path: [loadAccount.found, silent.timedOut] }
        """, of: Self.scene + "steps: [loadAccount, silent]"
    ).passes()
    let given = Duration.seconds(7200)
    #expect(outcome.report.elapsed - given == .milliseconds(600_500))
    #expect(outcome.facts("silent")["error"]?["description"]?.string?.contains("300 s") == true)
  }

  /// What comes a second earlier is not late, and once is not twice.
  @Test(arguments: ["{ delay: 299s }, times: always", "{ delay: 10m }"])
  func whatComesInTimeIsTaken(answer: String) async throws {
    try await ScenarioScene(
      scenario: """
        given: [signedIn, { wait: 2h }, fault: { at: token, response: \(answer) }]
        expect: { path: [loadAccount.found, silent.success] }
        """, of: Self.scene + "steps: [loadAccount, silent]"
    ).passes()
  }

  @Test func anAnswerOfGraphWithoutAnEndIsLate() async throws {
    let outcome = try await ScenarioScene(
      scenario: """
        given: [signedIn, fault: { at: graph, response: endless }]
        expect: { outcome: timedOut, path: [loadAccount.found, silent.success, callGraph.timedOut] }
        """, of: Self.scene + "steps: [loadAccount, silent, callGraph: /me]"
    ).passes()
    let reason = outcome.facts("callGraph")["error"]?["description"]?.string ?? ""
    #expect(reason.contains("more than 16 MiB") && reason.contains("timeoutIntervalForResource"), "\(reason)")
  }

  /// Looking an account up in a cache that cannot be read is no account that is not there.
  @Test(arguments: ["silent", "interactive", "deviceCode"])
  func anUnreadableCacheIsNoMissingAccount(step: String) async throws {
    try await ScenarioScene(
      scenario: """
        given: [signedIn, cacheCorrupted]
        expect: { outcome: unexpected, path: [step.unexpected], step.error.msal: MSALInternalErrorUnexpected }
        """, of: Self.scene + "steps: [{id: step, \(step): {account: megan@contoso.com}}]"
    ).passes()
    try await ScenarioScene(
      scenario: """
        given: [signedIn, cacheCorrupted]
        expect: { outcome: unexpected, path: [signout.unexpected] }
        """, of: Self.scene + "steps: [{signout: {account: megan@contoso.com}}]"
    ).passes()
  }

  /// A user flow refuses with B2C's own codes.
  @Test(arguments: [
    ("wait: 91d", "AADB2C90080"), ("passwordChanged", "AADB2C90129"), ("sessionsRevoked", "AADB2C90129"),
    ("userDisabled", "AADB2C90129"), ("userDeleted", "AADB2C90128"),
  ])
  func aUserFlowRefusesWithItsOwnCodes(event: String, code: String) async throws {
    let outcome = try await ScenarioScene(
      scenario: """
        given: [signedIn: casey@example.com, wait: 2h, \(event)]
        expect: { outcome: interactionRequired, silent.error.code: \(code), silent.error.oauth: invalid_grant }
        """, of: ScenarioScene.customers(steps: "[loadAccount, silent]")
    ).run()
    #expect(outcome.verdict == .passed, "\(outcome.reason)")
  }
}
