import Diagnostics
import Documents
import Testing
import WorkflowRunner

/// Tests `before`, which simulates events directly before a step.
@Suite struct BeforeTests {
  @Test func eventsOccurDirectlyBeforeTheStep() async throws {
    let harness = ScenarioHarness(
      scenario: """
        given: [signedIn]
        before: {silent: [wait: 2h, offline], callGraph: online}
        expect: {outcome: offline, path: [loadAccount.found, silent.offline, ...], silent.sent: {exists: false}}
        """)
    let outcome = try await harness.run()
    #expect(outcome.path == ["loadAccount.found", "silent.offline"])
    // The run ended before callGraph, so its events did not occur.
    #expect(outcome.problems.map(\.rule) == ["before-unmet"])
    #expect(outcome.verdict == .error)
  }

  @Test func theTraceRecordsEventsBeforeTheStepStarts() async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        given: [signedIn]
        before: {callGraph: [passwordChanged]}
        expect: {path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]}
        """
    ).passes()
    let event = try #require(outcome.lines.firstIndex { $0.contains("\"verdict\":\"passwordChanged\"") })
    let call = try #require(
      outcome.lines.firstIndex { $0.contains("step.started") && $0.contains("\"step\":\"callGraph\"") })
    let silent = try #require(
      outcome.lines.firstIndex { $0.contains("step.finished") && $0.contains("\"step\":\"silent\"") })
    #expect(silent < event && event < call)
  }

  static let loop = """
    authflow: 1
    settings: Settings.yaml
    user: megan@contoso.com
    steps:
      - interactive
      - { silent: { forceRefresh: true }, on: { interactionRequired: end }, retry: { attempts: 2, on: [offline], wait: 1m }, maxRuns: 5 }
      - { id: again, assert: { silent.outcome: success }, on: { holds: silent } }
    """

  @Test func eventsCanTargetALaterRunOfAStep() async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        before: {'silent[3]': [sessionsRevoked]}
        expect: {path: [interactive.success, silent.success, again.holds, silent.success, again.holds, silent.interactionRequired]}
        """, of: Self.loop
    ).passes()
    #expect(outcome.facts("silent", run: 3)["error"]?["code"] == "AADSTS50173")
  }

  @Test func retriesBelongToTheSameRunOfAStep() async throws {
    try await ScenarioHarness(
      scenario: """
        before: {silent: [offline: 30s], 'silent[2]': [sessionsRevoked]}
        expect: {path: [interactive.success, silent.success, again.holds, silent.interactionRequired], 'silent[1].attempts': 2}
        """, of: Self.loop
    ).passes()
  }

  @Test func targetsStepsOfNestedWorkflowsAndParallelMembers() async throws {
    let login = """
      authflow: 1
      settings: Settings.yaml
      steps: [loadAccount, silent, interactive-fallback]
      """
    let workflow = """
      authflow: 1
      settings: Settings.yaml
      steps:
        - { id: login, use: login.yaml }
        - { id: both, parallel: [silent, listAccounts] }
        - { id: checked, assert: { login.outcome: success } }
        - { id: last, silent: { forceRefresh: true } }
      """
    try await ScenarioHarness(
      scenario: """
        given: [signedIn: alex@contoso.com]
        before:
          login/silent: accessTokenExpired
          silent#1: [{ offline: 1m }, online]
          checked: [wait: 1h]
          last: [sessionsRevoked]
        expect:
          outcome: interactionRequired
          path: [login.success, both.success, checked.holds, last.interactionRequired]
          login/silent.tokenSource: refreshToken
          silent#1.tokenSource: cache
        """, of: workflow, files: ["login.yaml": login]
    ).passes()
  }

  @Test func simulatedSignInsDoNotCountAsInteractions() async throws {
    try await ScenarioHarness(
      scenario: """
        user: [{ username: megan@contoso.com }, { username: alex@contoso.com }]
        before: {callGraph: [signedIn: adele@contoso.com]}
        expect: {interactions: 1, accounts: 2}
        """
    ).passes()
  }

  @Test func rowsOverrideEventsPerStep() async throws {
    let harness = ScenarioHarness(
      scenario: """
        given: [signedIn]
        before: {silent: [accessTokenExpired, sessionsRevoked], callGraph: [offline]}
        expect: {outcome: offline}
        matrix:
          - {description: unchanged, expect: {path: [..., interactive-fallback.success, callGraph.offline]}}
          - {description: another, before: {'silent[1]': [accessTokenExpired]}, expect: {path: [..., interactive-fallback.skipped, callGraph.offline]}}
        """)
    try await harness.passes("s (unchanged)")
    try await harness.passes("s (another)")
  }

  @Test func reportsImpossibleEvents() async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        before: {callGraph: [passwordChanged: '${env:USERNAME}']}
        """, environment: ["USERNAME": "unknown@nowhere.example"]
    ).run()
    #expect(outcome.verdict == .error)
    #expect(outcome.problems.map(\.rule) == ["before"])
    #expect(outcome.problems.first?.message.contains("unknown@nowhere.example") == true)
    #expect(outcome.problems.first?.place.start.line == 7)
    // The result contains the path up to this step.
    #expect(outcome.path.count == 2)
    #expect(outcome.report.expectationResults.isEmpty)
  }

  @Test(arguments: [
    ("{silnt: [offline]}", "scenario-before", "did you mean `silent`?"),
    (
      "{'silent[2': [offline]}", "result-path",
      "use a reference such as `silent`, `silent[2]`, `login/silent`, or `silent#1`"
    ),
    ("{silent: [offline], 'silent[1]': [online]}", "duplicate-key", "merge the two lists"),
    ("{silent: []}", "empty-value", "add an event, such as `passwordChanged`"),
    ("[offline]", "wrong-type", nil),
  ])
  func validationReportsInvalidEvents(_ before: String, _ rule: String, _ help: String?) {
    let diagnostics = ScenarioHarness(scenario: "before: \(before)").diagnostics()
    #expect(diagnostics.map(\.rule) == [rule])
    #expect(diagnostics.first?.help == help)
    #expect(diagnostics.first?.place.start.line == 7 || diagnostics.first?.place.start.line == 6)
  }
}
