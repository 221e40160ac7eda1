import Documents
import Testing
import WorkflowRunner

/// Tests that every keyword of `expect` can pass and fail in the same run.
@Suite struct ExpectationTests {
  /// Expectations, and whether each expectation passes.
  static let ofASuccess: [(String, Bool)] = [
    ("outcome: success", true), ("outcome: failed", false), ("outcome: offline", false),
    ("path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]", true),
    ("path: [..., callGraph.success]", true), ("path: [loadAccount.notFound, ...]", true), ("path: [...]", true),
    ("path: [loadAccount.found, ...]", false), ("path: [..., silent.success, ...]", false),
    ("interactions: 1", true), ("interactions: 0", false), ("interactions: {greaterThan: 0}", true),
    ("interactions: {oneOf: [2, 3]}", false), ("pages: 3", true), ("pages: {lessThan: 3}", false),
    ("requests: {token: 1, authorize: 1, graph: 1}", true), ("requests: {token: 2}", false),
    ("requests.graph: {lessThan: 2}", true), ("requests.graph: {lessThan: 1}", false),
    ("requests: {authorize: {not: {equals: 1}}}", false),
    ("accounts: 1", true), ("accounts: 0", false), ("accounts: [megan@contoso.com]", true),
    ("accounts: [alex@contoso.com]", false), ("accounts: {contains: megan@contoso.com}", true),
    ("accounts: {count: {greaterThan: 1}}", false), ("accounts: {greaterThan: 1}", false),
    ("callGraph.outcome: success", true), ("loadAccount.outcome: found", false),
    ("silent.outcome: {exists: false}", true), ("silent.tokenSource: {exists: true}", false),
    ("callGraph.status: 200", true), ("callGraph.status: {notEquals: 200}", false),
    ("callGraph.status: {oneOf: [200, 204]}", true), ("callGraph.status: {greaterThan: 200}", false),
    ("callGraph.headers.content-type: {contains: json}", true),
    ("callGraph.headers.Content-Type: {contains: xml}", false),
    ("callGraph.$.displayName: Megan Bowen", true), ("callGraph.$.displayName: {startsWith: Alex}", false),
    ("callGraph.$.displayName: {endsWith: Bowen}", true), ("callGraph.$.displayName: {matches: 'M[a-z]+ B.*'}", true),
    ("callGraph.$.displayName: {matches: 'M[a-z]+'}", false), ("callGraph.$.displayName: {type: string}", true),
    ("callGraph.$.businessPhones: {type: object}", false), ("callGraph.$.displayName: {count: 11}", true),
    ("callGraph.$.nothing: {exists: false}", true), ("callGraph.$.displayName: {exists: false}", false),
    ("interactive-fallback.tokenSource: authorizationCode", true), ("interactive-fallback.tokenSource: cache", false),
    ("interactive-fallback.scopes: {contains: User.Read}", true),
    ("interactive-fallback.scopes: {contains: Mail.Read}", false),
    ("interactive-fallback.idToken.preferred_username: megan@contoso.com", true),
    ("interactive-fallback.idToken: {ver: '1.0'}", false),
    ("interactive-fallback.account.username: megan@contoso.com", true),
    ("interactive-fallback.account.username: alex@contoso.com", false),
    ("interactive-fallback.error: {exists: false}", true), ("interactive-fallback.error.code: {exists: true}", false),
    ("interactive-fallback.screens: [username, password, consent]", true),
    ("interactive-fallback.screens: {contains: mfa}", false), ("interactive-fallback.webview: {exists: true}", true),
    ("interactive-fallback.sent.scope: {contains: openid}", true), ("interactive-fallback.sent.prompt: login", false),
    ("callGraph.sent.host: graph.microsoft.com", true),
    ("callGraph.sent.headers.authorization: {exists: false}", false),
    ("callGraph.attempts: 1", true), ("callGraph.attempts: {greaterThan: 1}", false),
    ("'callGraph[1].status': 200", true), ("'callGraph[2].status': {exists: true}", false),
  ]

  @Test(arguments: ofASuccess) func evaluatesExpectations(_ expectation: String, _ holds: Bool) async throws {
    let outcome = try await ScenarioHarness(scenario: "expect: {\(expectation)}").run()
    #expect(outcome.problems.isEmpty)
    #expect(outcome.verdict == (holds ? .passed : .failed), "\(outcome.reason)")
    // No other expectation fails.
    #expect(outcome.failedExpectations.count == (holds ? 0 : 1), "\(outcome.reason)")
  }

  static let ofAFailure: [(String, Bool)] = [
    ("outcome: interactionRequired", true), ("outcome: failed", true), ("outcome: success", false),
    ("outcome: invalidScope", false),
  ]

  @Test(arguments: [
    ("error.code: AADSTS50173", true), ("error.code: {startsWith: AADSTS5}", true), ("error.code: AADSTS50076", false),
    ("error.msal: MSALErrorInteractionRequired", true), ("error.msal: MSALErrorInternal", false),
    ("error.oauth: invalid_grant", true), ("error.oauth: interaction_required", false),
    ("error.suberror: {exists: true}", true), ("error.suberror: basic_action", false), ("error.httpStatus: 400", true),
    ("error.httpStatus: {lessThan: 400}", false),
    ("error.declinedScopes: {exists: false}", true), ("tokenSource: {exists: false}", true),
    ("outcome: success", false),
  ])
  func evaluatesErrorFields(_ field: String, _ holds: Bool) async throws {
    let outcome = try await ScenarioHarness(
      scenario: """
        given: [signedIn, passwordChanged, accessTokenExpired]
        expect: {outcome: interactionRequired, silent.\(field)}
        """,
      of: ScenarioHarness.readProfile.replacing("silent, interactive-fallback", with: "silent")
    ).run()
    #expect(outcome.problems.isEmpty)
    #expect(outcome.failedExpectations.count == (holds ? 0 : 1), "\(outcome.reason)")
  }

  @Test(arguments: ofAFailure) func evaluatesTheOutcomeOfAFailure(_ expectation: String, _ holds: Bool) async throws {
    let outcome = try await ScenarioHarness(
      scenario: "given: [signedIn, passwordChanged, accessTokenExpired]\nexpect: {\(expectation)}",
      of: ScenarioHarness.readProfile.replacing("silent, interactive-fallback", with: "silent")
    ).run()
    #expect(outcome.verdict == (holds ? .passed : .failed), "\(outcome.reason)")
  }

  @Test func expectationsCanUseInputs() async throws {
    let harness = ScenarioHarness(
      scenario: """
        matrix:
          - {description: right, inputs: {wanted: Megan Bowen}}
          - {description: wrong, inputs: {wanted: Alex Wilber}}
        expect: {callGraph.$.displayName: '${wanted}', accounts: ['${username}']}
        inputs: {username: megan@contoso.com}
        """,
      of: ScenarioHarness.readProfile + "\ninputs: {wanted: {type: string}, username: {type: string}}")
    try await harness.passes("s (right)")
    let wrong = try await harness.run("s (wrong)")
    #expect(
      wrong.failedExpectations == ["expected callGraph.$.displayName to be \"Alex Wilber\", found \"Megan Bowen\""])
  }

  @Test func axesExpandToAllCombinations() async throws {
    let harness = ScenarioHarness(
      scenario: """
        user: mona@contoso.com
        matrix: {mfa: [approve, deny], path: [/me, '/me?$select=mail']}
        """,
      of: ScenarioHarness.readProfile.replacing("callGraph: /me", with: "callGraph: '${path}'")
        + "\ninputs: {path: {type: string}}")
    let mail = try await harness.run("s (mfa: approve, path: /me?$select=mail)")
    #expect(mail.verdict == .passed, "\(mail.reason)")
    #expect(mail.facts("callGraph")["$"]?["mail"] == "mona@contoso.com")
    #expect(mail.facts("callGraph")["$"]?["displayName"] == nil)
    let denied = try await harness.run("s (mfa: deny, path: /me)")
    #expect(denied.verdict == .failed && denied.path == ["loadAccount.notFound", "interactive-fallback.userCanceled"])
  }

  @Test func aRowOverridesOnlyItsKeys() async throws {
    let harness = ScenarioHarness(
      scenario: """
        user: {username: megan@contoso.com}
        given: [signedIn]
        expect: {interactions: 0, silent.tokenSource: cache}
        matrix:
          - {description: unchanged}
          - {description: later, given: [signedIn, accessTokenExpired], expect: {silent.tokenSource: refreshToken}}
          - {description: no account, given: [], expect: {interactions: 1, silent.tokenSource: {exists: false}}}
          - {description: denied, user: {username: mona@contoso.com, mfa: deny}, given: [], expect: {outcome: userCanceled, interactions: 1, silent.tokenSource: null}}
          - {description: still wrong, given: [signedIn, accessTokenExpired]}
        """)
    for row in ["unchanged", "later", "no account", "denied"] { try await harness.passes("s (\(row))") }
    #expect(try await harness.run("s (still wrong)").verdict == .failed)
  }
}
