import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Tests nested workflows, parallel steps, and claims challenges.
@Suite struct CompositionTests {
  static let login = """
    authflow: 1
    settings: Settings.yaml
    inputs: { scope: { type: string, default: User.Read } }
    steps:
      - loadAccount
      - silent: { scopes: ["${scope}"] }
      - interactive-fallback:
        capture: { username: $.account.username }
    """

  @Test func runsAnotherWorkflow() async throws {
    let harness = try RunHarness(files: ["login.yaml": Self.login])
    let steps = """
      - { id: login, use: { workflow: login.yaml, with: { scope: Calendars.Read } } }
      - callGraph: { get: /me/events, query: { $top: 1 } }
      - assert: { username: megan@contoso.com, login/interactive-fallback.tokenSource: authorizationCode }
      """
    let first = try await harness.run(steps: steps)
    #expect(first.path == ["login.success", "callGraph.success", "assert.holds"])
    let inner = first.events(.stepFinished).compactMap { $0["step"]?.string }
    #expect(inner.prefix(3) == ["login/loadAccount", "login/interactive-fallback", "login"])
    #expect(
      first.facts("login/interactive-fallback")["scopes"]?.array?.contains {
        $0.string?.hasSuffix("Calendars.Read") == true
      } == true)
    let again = try await harness.run(
      steps: "- { id: login, use: { workflow: login.yaml, with: { scope: Calendars.Read } } }")
    #expect(again.facts("login/silent")["tokenSource"]?.string == "cache")
    #expect(again.record.interactions == 0)
  }

  @Test func aUseStepHasTheOutcomeOfANestedFailure() async throws {
    let harness = try RunHarness(files: ["login.yaml": Self.login])
    let outcome = try await harness.run(
      steps: "- { use: login.yaml, on: { userCanceled: next } }\n- deviceInfo",
      "settings: Settings.yaml\nuser: { cancels: true }")
    #expect(outcome.path == ["use.userCanceled", "deviceInfo.success"])
  }

  @Test func overridesTheUserAndClientOfNestedWorkflows() async throws {
    let mail = "AppId: 11111111-2222-4333-8444-555555555555\nGraphScopes: [Mail.Read]\nBundleId: com.contoso.mail"
    // Without this prompt, the browser session would sign in the user without a page.
    let login = Self.login.replacing("fallback:", with: "fallback: { prompt: selectAccount }")
    let harness = try RunHarness(files: ["login.yaml": login + "\nuser: dora@contoso.com\n", "Mail.yaml": mail])
    let outcome = try await harness.run(
      steps: """
        - { id: first, use: login.yaml }
        - { id: second, use: login.yaml, user: { username: alex@contoso.com, picks: another }, client: mail }
        """, "clients: { profile: Settings.yaml, mail: Mail.yaml }\nuser: adele@contoso.com")
    #expect(outcome.path == ["first.success", "second.success"])
    #expect(outcome.facts("first/interactive-fallback")["account"]?["username"]?.string == "adele@contoso.com")
    #expect(outcome.facts("second/interactive-fallback")["account"]?["username"]?.string == "alex@contoso.com")
    let apps = harness.wire.exchanges.filter { $0.path.hasSuffix("/token") }.compactMap { $0.form["client_id"] }
    #expect(apps == [RunHarness.app, "11111111-2222-4333-8444-555555555555"])
  }

  @Test func concurrentSilentRequestsShareOneRefresh() async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: "- interactive")
    try await harness.advanceClock(by: .seconds(7200))
    // The response is slow enough that all three requests start before the first response arrives.
    await harness.simulate([["fault": ["at": "token", "response": ["delay": "5s"], "times": "always"]]])
    let outcome = try await harness.run(
      steps: """
        - loadAccount
        - parallel: [silent, silent, silent]
        - { id: after, silent: {}, expect: { tokenSource: cache } }
        """)
    #expect(outcome.path == ["loadAccount.found", "parallel.success", "after.success"])
    #expect(outcome.record.requests["token"] == 1)
    // The emulator's count includes the request from the earlier sign-in.
    #expect(try await harness.requestCount("token") == 2)
    #expect(outcome.decisions("refreshToken").count { $0["verdict"]?.string == "shared" } == 2)
    let members = outcome.events(.stepFinished).compactMap { $0["step"]?.string }.filter { $0.contains("#") }
    #expect(members.sorted() == ["silent#1", "silent#2", "silent#3"])
    let tokens = (1...3).map { outcome.facts("silent#\($0)")["$"]?["expiresOn"]?.string }
    #expect(Set(tokens).count == 1)
    #expect(tokens[0] != nil)
  }

  @Test func requestsForDifferentScopesDoNotShareARefresh() async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: "- interactive")
    try await harness.advanceClock(by: .seconds(7200))
    await harness.simulate([["fault": ["at": "token", "response": ["delay": "5s"], "times": "always"]]])
    let outcome = try await harness.run(
      steps: """
        - loadAccount
        - parallel:
            - silent: { scopes: [User.Read] }
            - silent: { scopes: [Calendars.Read] }
        """)
    #expect(outcome.ending == "success")
    #expect(outcome.record.requests["token"] == 2)
  }

  @Test func aFailedMemberFailsTheParallelStep() async throws {
    let outcome = try await RunHarness().run(
      steps: "- interactive\n- parallel: [silent, { callGraph: /me/events/none }, { id: dev, deviceInfo: {} }]")
    #expect(outcome.path == ["interactive.success", "parallel.notFound"])
    #expect(outcome.facts("dev")["outcome"]?.string == "success")
    #expect(outcome.facts("silent#1")["outcome"]?.string == "success")
  }

  static let policy = """
    directory: 1
    tenants:
      - name: Contoso
        policies:
          - { name: step up, for: { users: [mona@contoso.com] }, require: mfa, challengeWith: claims }
    """

  @Test func repeatsTheCallAfterAClaimsChallenge() async throws {
    let harness = try RunHarness(
      files: ["Capable.yaml": RunHarness.settings + "\nClientCapabilities: [cp1]"], directory: Self.policy)
    let outcome = try await harness.run(
      steps: """
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me
        """, "settings: Capable.yaml\nuser: { username: mona@contoso.com }")
    #expect(outcome.ending == "success", "\(outcome.path)")
    let calls = outcome.path.filter { $0.hasPrefix("callGraph.") }
    #expect(calls == ["callGraph.claimsChallenge", "callGraph.success"], "\(outcome.path)")
    let detour = outcome.path.drop { $0 != "callGraph.claimsChallenge" }.dropFirst().first
    #expect(detour?.hasPrefix("silent.") == true)
    let claims = harness.wire.exchanges.contains {
      $0.form["claims"]?.contains("acrs") == true || $0.url.contains("acrs")
    }
    #expect(claims, "the request contains the claims of the challenge")
    #expect(outcome.decisions("claimsChallenge").count == 1)
  }

  @Test func aRepeatedChallengeFailsTheRun() async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: "- interactive")
    let challenge: JSON = ["access_token": ["acrs": ["essential": true, "value": "c1"]]]
    let header =
      #"Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", error="insufficient_claims", claims=""#
      + "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19" + "\""
    await harness.simulate([
      [
        "fault": [
          "at": "GET /v1.0/me", "response": ["status": 401, "headers": ["WWW-Authenticate": .string(header)]],
          "times": "always",
        ]
      ]
    ])
    let outcome = try await harness.run(
      steps: """
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me
        """)
    #expect(outcome.ending == "claimsChallenge", "\(outcome.path)")
    #expect(outcome.path.count { $0 == "callGraph.claimsChallenge" } == 2)
    #expect(outcome.facts("callGraph")["challenge"] == challenge)
  }

  @Test func aChallengeFailsTheRunWithoutAnEarlierSilentStep() async throws {
    let harness = try RunHarness(directory: Self.policy)
    let outcome = try await harness.run(
      steps: "- interactive\n- callGraph: /me", "settings: Settings.yaml\nuser: mona@contoso.com")
    #expect(outcome.path == ["interactive.success", "callGraph.claimsChallenge"])
    #expect(outcome.ending == "claimsChallenge")
  }

  @Test func clientsDoNotShareTokens() async throws {
    let other = """
      AppId: 11111111-2222-4333-8444-555555555555
      GraphScopes: [Mail.Read]
      BundleId: com.contoso.mail
      """
    let harness = try RunHarness(files: ["Mail.yaml": other])
    let outcome = try await harness.run(
      steps: """
        - { id: profile, interactive: {} }
        - { id: noAccount, loadAccount: {}, client: mail, on: { notFound: next } }
        - { id: mail, interactive: {}, client: mail }
        - { id: profileCall, callGraph: /me }
        - { id: mailCall, callGraph: { get: /me/messages, query: { $top: 1 } }, client: mail }
        - { id: wrongClient, callGraph: { get: /me/messages, query: { $top: 1 } }, on: { forbidden: end } }
        """, "clients: { profile: Settings.yaml, mail: Mail.yaml }")
    #expect(
      outcome.path == [
        "profile.success", "noAccount.notFound", "mail.success", "profileCall.success", "mailCall.success",
        "wrongClient.forbidden",
      ])
    let clientIDs = harness.wire.exchanges.compactMap { $0.form["client_id"] }
    #expect(Set(clientIDs) == [RunHarness.app, "11111111-2222-4333-8444-555555555555"])
  }
}
