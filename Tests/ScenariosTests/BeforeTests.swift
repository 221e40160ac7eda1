import Diagnostics
import Documents
import Testing
import WorkflowRunner

/// `before`: what happens in the middle of a scenario's run, right before a step.
@Suite struct BeforeTests {
  @Test func happensRightBeforeTheStep() async throws {
    let scene = ScenarioScene(
      scenario: """
        given: [signedIn]
        before: {silent: [wait: 2h, offline], callGraph: online}
        expect: {outcome: offline, path: [loadAccount.found, silent.offline, ...], silent.sent: {exists: false}}
        """)
    let outcome = try await scene.run()
    #expect(outcome.path == ["loadAccount.found", "silent.offline"])
    // The run ended before callGraph: what was to happen there did not.
    #expect(outcome.troubles.map(\.rule) == ["before-unmet"])
    #expect(outcome.verdict == .error)
  }

  @Test func theTraceTellsItBeforeTheStepBegins() async throws {
    let outcome = try await ScenarioScene(
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

  @Test func theSecondTimeIsAnother() async throws {
    let outcome = try await ScenarioScene(
      scenario: """
        before: {'silent[3]': [sessionsRevoked]}
        expect: {path: [interactive.success, silent.success, again.holds, silent.success, again.holds, silent.interactionRequired]}
        """, of: Self.loop
    ).passes()
    #expect(outcome.facts("silent", run: 3)["error"]?["code"] == "AADSTS50173")
  }

  @Test func attemptsAreOneTime() async throws {
    try await ScenarioScene(
      scenario: """
        before: {silent: [offline: 30s], 'silent[2]': [sessionsRevoked]}
        expect: {path: [interactive.success, silent.success, again.holds, silent.interactionRequired], 'silent[1].attempts': 2}
        """, of: Self.loop
    ).passes()
  }

  @Test func insideOtherWorkflowsAndTogether() async throws {
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
    try await ScenarioScene(
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

  @Test func signingInOnTheWayIsNoSittingOfTheRun() async throws {
    try await ScenarioScene(
      scenario: """
        user: [{ username: megan@contoso.com }, { username: alex@contoso.com }]
        before: {callGraph: [signedIn: adele@contoso.com]}
        expect: {interactions: 1, accounts: 2}
        """
    ).passes()
  }

  @Test func rowsOverrideStepByStep() async throws {
    let scene = ScenarioScene(
      scenario: """
        given: [signedIn]
        before: {silent: [accessTokenExpired, sessionsRevoked], callGraph: [offline]}
        expect: {outcome: offline}
        matrix:
          - {description: as said, expect: {path: [..., interactive-fallback.success, callGraph.offline]}}
          - {description: another, before: {'silent[1]': [accessTokenExpired]}, expect: {path: [..., interactive-fallback.skipped, callGraph.offline]}}
        """)
    try await scene.passes("s (as said)")
    try await scene.passes("s (another)")
  }

  @Test func whatCannotHappenIsTold() async throws {
    let outcome = try await ScenarioScene(
      scenario: """
        before: {callGraph: [passwordChanged: '${env:WHO}']}
        """, environment: ["WHO": "nobody@nowhere.example"]
    ).run()
    #expect(outcome.verdict == .error)
    #expect(outcome.troubles.map(\.rule) == ["before"])
    #expect(outcome.troubles.first?.message.contains("nobody@nowhere.example") == true)
    #expect(outcome.troubles.first?.place.start.line == 7)
    // The way so far is known.
    #expect(outcome.path.count == 2)
    #expect(outcome.report.judgements.isEmpty)
  }

  @Test(arguments: [
    ("{silnt: [offline]}", "scenario-before", "did you mean \"silent\"?"),
    ("{'silent[2': [offline]}", "address", "write silent, silent[2], login/silent or silent#1"),
    ("{silent: [offline], 'silent[1]': [online]}", "duplicate-key", "write it in one list"),
    ("{silent: []}", "empty-value", "list what happens: [passwordChanged]"),
    ("[offline]", "wrong-type", nil),
  ])
  func whatIsWrongIsToldBeforehand(_ before: String, _ rule: String, _ help: String?) {
    let told = ScenarioScene(scenario: "before: \(before)").diagnostics()
    #expect(told.map(\.rule) == [rule])
    #expect(told.first?.help == help)
    #expect(told.first?.place.start.line == 7 || told.first?.place.start.line == 6)
  }
}
