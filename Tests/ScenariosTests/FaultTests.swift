import Diagnostics
import Documents
import Testing
import WorkflowRunner

/// Tests faults of the service and their effects on the app.
@Suite struct FaultTests {
  @Test(arguments: [
    (
      "{at: 'GET /v1.0/me', response: {status: 503, retryAfter: 2s}, times: 2}", "[..., callGraph.success]",
      "callGraph.attempts: 3"
    ),
    (
      "{at: graph, response: {status: 429, retryAfter: 'Wed, 01 Jan 2025 00:00:30 GMT'}}", "[..., callGraph.success]",
      "callGraph.attempts: 2"
    ),
    ("{at: '/v1.0/*', response: {status: 403}}", "[..., callGraph.forbidden]", "outcome: failed"),
    ("{at: graph, response: tls}", "[..., callGraph.offline]", "outcome: failed"),
    ("{at: graph, response: {delay: 5s, status: 404}}", "[..., callGraph.notFound]", "outcome: failed"),
    ("{at: graph, response: {type: text/html}}", "[..., callGraph.success]", "callGraph.status: 200"),
    (
      "{at: token, response: {code: 50076}}", "[loadAccount.notFound, interactive-fallback.invalidGrant]",
      "outcome: failed"
    ),
  ])
  func triggersAtMatchingRequests(_ fault: String, _ path: String, _ fact: String) async throws {
    try await ScenarioHarness(scenario: "given: [fault: \(fault)]\nexpect:\n  path: \(path)\n  \(fact)").passes()
  }

  @Test func skipLetsTheFirstRequestsPass() async throws {
    let steps = """
      authflow: 1
      settings: Settings.yaml
      steps: [loadAccount, silent, interactive-fallback, callGraph: /me, {id: again, callGraph: /me}]
      """
    try await ScenarioHarness(
      scenario: """
        given: [fault: {at: graph, response: {status: 404}, skip: 1}]
        expect: {outcome: notFound, path: [..., callGraph.success, again.notFound]}
        """, of: steps
    ).passes()
  }

  @Test func reportsFaultsThatNeverTriggered() async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        given:
          - fault: {at: token, response: {status: 503}}
          - fault: {at: devicecode, response: reset}
          - fault: {at: graph, response: {status: 503}, times: 3}
        before:
          callGraph:
            - fault: {at: logout, response: reset}
        """
    ).run()
    #expect(outcome.problems.map(\.rule) == ["fault-unmet", "fault-unmet"], "\(outcome.reason)")
    #expect(outcome.problems.map(\.place.start.line) == [9, 13])
  }

  @Test func customAPIsCanSendClaimsChallenges() async throws {
    let steps = ScenarioHarness.customers(
      steps:
        #"[loadAccount, silent, interactive-fallback, callAPI: {url: "https://fabrikamb2chello.azurewebsites.net/hello"}]"#
    )
    let outcome = try await ScenarioHarness(
      scenario: """
        given:
          - signedIn: casey@example.com
          - fault: {at: GET /hello, response: {claims: {access_token: {nbf: {essential: true}}}}}
          - fault: {at: GET /hello, response: {status: 403, error: accessDenied}}
        expect:
          outcome: forbidden
          path: [..., callAPI.claimsChallenge, silent.success, callAPI.forbidden]
          silent.sent.claims: {contains: nbf}
        """, of: steps
    ).passes()
    #expect(outcome.facts("callAPI", run: 1)["status"] == 401)
  }

  /// If a run ends early, untriggered faults in the workflow's own steps are not reported.
  @Test func ignoresUntriggeredWorkflowFaultsIfTheRunEndsEarly() async throws {
    let steps = """
      authflow: 1
      settings: Settings.yaml
      user: megan@contoso.com
      steps:
        - simulate: [fault: {at: token, response: {status: 503}}]
        - interactive
      """
    try await ScenarioHarness(
      scenario: """
        before: {interactive: [offline]}
        expect: {outcome: offline, path: [simulate.success, interactive.offline]}
        """, of: steps
    ).passes()
    let completed = try await ScenarioHarness(
      scenario: "{expect: {path: [simulate.success, wait.success]}}",
      of: steps.replacing("- interactive", with: "- wait: 1s")
    ).run()
    #expect(completed.problems.map(\.rule) == ["fault-unmet"])
  }
}
