import Documents
import Effects
import HTTPTypes
import RunTrace
import SimulatedWorld
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests step parameters and their effects on requests, results, and traces.
@Suite struct RequestKeyTests {
  private static func parameters(of exchange: WireLog.Exchange?) -> [String: String] {
    guard let query = exchange?.url.split(separator: "?").dropFirst().first else { return [:] }
    return WireLog.fields(query)
  }

  @Test func sendsAllParametersOfAnInteractiveRequest() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(
      steps: """
        - interactive:
            scopes: [User.Read]
            prompt: login
            loginHint: megan@contoso.com
            domainHint: contoso.com
            extraScopesToConsent: [Calendars.Read]
            preferredAuthMethod: qrPIN
            maxAge: 5m
            webview: wkWebView
            extraQueryParameters: { flavor: vanilla }
            correlationId: 11111111-2222-4333-8444-555555555555
            claims: { id_token: { auth_time: { essential: true } } }
            authenticationScheme: Bearer
          expect:
            webview: wkWebView
            sent: { prompt: login, login_hint: megan@contoso.com, domain_hint: contoso.com, max_age: "300", pc: "18" }
            sent.flavor: vanilla
            sent.scope: User.Read openid profile offline_access Calendars.Read
            sent.headers: { client-request-id: 11111111-2222-4333-8444-555555555555 }
            $.correlationId: 11111111-2222-4333-8444-555555555555
        """)
    #expect(outcome.ending == "success", "\(outcome.events.last?.json.text() ?? "")")
    let authorize = harness.wire.exchanges.first { $0.path.hasSuffix("/authorize") }
    let sent = Self.parameters(of: authorize)
    #expect(sent["pc"] == "18")
    #expect(sent["max_age"] == "300")
    #expect(sent["domain_hint"] == "contoso.com")
    #expect(sent["claims"]?.contains("auth_time") == true)
    // The user consents to the extra scopes, but the app does not request a token for these scopes.
    let token = harness.wire.exchanges.first { $0.path.hasSuffix("/token") }
    #expect(token?.form["scope"]?.contains("Calendars") == false)
    let finished = outcome.finished("interactive")
    #expect(finished["webview"] == "wkWebView")
    #expect(finished["prompt"] == "login")
    #expect(finished["loginHint"] == "megan@contoso.com")
    #expect(finished["domainHint"] == "contoso.com")
    let opened = outcome.events(.interaction).first { $0["phase"]?.string == "opened" }
    #expect(opened?["webview"]?.string?.contains("wkWebView") == true)
  }

  @Test(arguments: [
    ("interactive: { parentViewController: false }", "invalidParameter", -42000),
    ("interactive: { webview: none }", "invalidParameter", -42000),
    ("interactive: {}", "noViewController", -42403),
    (
      "interactive: { authority: https://fabrikamb2c.b2clogin.com/tfp/fabrikamb2c.onmicrosoft.com/B2C_1_x }",
      "invalidParameter", -42000
    ),
    ("interactive: { scopes: [openid] }", "invalidParameter", -42000),
  ])
  func reportsInvalidInteractiveRequests(step: String, outcome: String, number: Int64) async throws {
    let harness = try RunHarness()
    let run = try await harness.run(steps: "- \(step)", hasBrowser: false)
    #expect(run.path == ["interactive.\(outcome)"])
    let error = run.facts("interactive")["error"]
    #expect(error?["msalCode"] == -50000)
    #expect(error?["internalCode"] == .integer(number))
    #expect(error?["userInfo"]?["MSALInternalErrorCodeKey"] == .integer(number))
  }

  @Test(arguments: [
    ("", "", "default"), ("WebviewType: ephemeral", "", "ephemeral"),
    ("WebviewType: wkWebView", "webview: default", "default"),
    ("", "webview: authenticationSession", "authenticationSession"),
    ("", "prefersEphemeralWebBrowserSession: true", "ephemeral"),
  ])
  func theStepOverridesTheWebViewOfTheSettings(settings: String, step: String, expected: String) async throws {
    let harness = try RunHarness(files: ["Own.yaml": "\(RunHarness.settings)\n\(settings)\n"])
    let outcome = try await harness.run(steps: "- interactive: { \(step) }", "settings: Own.yaml")
    #expect(outcome.finished("interactive")["webview"]?.string == expected)
    let opened = outcome.events(.interaction).first { $0["phase"]?.string == "opened" }
    #expect(opened?["webview"]?.string?.contains("ephemeral") == (expected == "ephemeral"))
  }

  @Test func aSignOutWithoutAWebViewKeepsTheAccount() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - interactive
        - { signout: { signoutFromBrowser: true, webview: none }, on: { invalidParameter: next } }
        - loadAccount
        """)
    #expect(outcome.path == ["interactive.success", "signout.invalidParameter", "loadAccount.found"])
  }

  @Test func sendsAllParametersOfASignOut() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - interactive
        - signout:
            signoutFromBrowser: true
            authority: https://login.microsoftonline.com/organizations
            correlationId: 11111111-2222-4333-8444-555555555555
            webview: authenticationSession
            extraQueryParameters: { flavor: 7 }
          expect:
            webview: authenticationSession
            sent: { flavor: "7", path: /organizations/oauth2/v2.0/logout }
            sent.post_logout_redirect_uri: msauth.com.contoso.graphtutorial://auth
            sent.state: { exists: true }
        """)
    #expect(outcome.ending == "success", "\(outcome.events.last?.json.text() ?? "")")
  }

  @Test func requestsUserInfoOnlyIfTheStepAsksForIt() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(
      steps: """
        - interactive: { userinfo: true }
          expect: { $.userInfo.sub: { exists: true }, $.userInfo.name: Megan Bowen }
        - { silent: {}, expect: { $.userInfo: { exists: false } } }
        """)
    #expect(outcome.ending == "success", "\(outcome.events.last?.json.text() ?? "")")
    #expect(harness.wire.exchanges.count { $0.path.hasSuffix("/userinfo") } == 1)
  }

  @Test func ignoresTheSSOExtensionKeyWithoutAnExtension() async throws {
    let outcome = try await RunHarness().run(
      steps: "- interactive\n- silent: { forceRefresh: true, allowUsingLocalCachedRtWhenSsoExtFailed: false }")
    #expect(outcome.path == ["interactive.success", "silent.success"])
    #expect(outcome.decisions("ssoExtension").count == 1)
  }

  // MARK: Accounts

  @Test func findsAccountsByEachParameter() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - interactive: {}
          capture: { identifier: $.account.identifier, profile: $.tenantProfile.identifier }
        - { id: a, loadAccount: { identifier: "${identifier}" } }
        - { id: b, loadAccount: { username: MEGAN@contoso.com } }
        - { id: c, loadAccount: { tenantProfileIdentifier: "${profile}" } }
        - { id: d, loadAccount: { first: true } }
        - { id: e, listAccounts: { tenantProfileIdentifier: "${profile}" } }
        - { id: f, listAccounts: { username: unknown@contoso.com } }
        - { id: g, loadAccount: { tenantProfileIdentifier: unknown }, on: { notFound: next } }
        - { id: h, loadAccount: { identifier: " " }, on: { invalidParameter: next } }
        - { id: i, loadAccount: { username: "" }, on: { invalidParameter: next } }
        """)
    #expect(
      outcome.path == [
        "interactive.success", "a.found", "b.found", "c.found", "d.found", "e.found", "f.notFound", "g.notFound",
        "h.invalidParameter", "i.invalidParameter",
      ])
  }

  @Test func findsSignedOutAccountsOnlyOnRequest() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - interactive
        - signout
        - { id: none, listAccounts: {} }
        - { id: all, listAccounts: { returnOnlySignedInAccounts: false } }
        - { id: one, loadAccount: { username: megan@contoso.com, returnOnlySignedInAccounts: false } }
        - { id: token, silent: {}, on: { interactionRequired: end } }
        """)
    #expect(
      outcome.path == [
        "interactive.success", "signout.success", "none.notFound", "all.found", "one.found",
        "token.interactionRequired",
      ])
  }

  @Test func reportsThePreviousAccount() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - interactive
        - { id: first, loadAccount: {} }
        - signout
        - { id: second, loadAccount: {}, expect: { outcome: notFound, previousAccount: { username: megan@contoso.com } } }
        - { id: third, loadAccount: {}, expect: { outcome: notFound, previousAccount: { exists: false } } }
        """)
    #expect(outcome.ending == "success", "\(outcome.events.last?.json.text() ?? "")")
    #expect(outcome.facts("first")["previousAccount"] == nil)
    #expect(outcome.finished("second")["previousAccount"]?["username"] == "megan@contoso.com")
    #expect(outcome.finished("second")["shows"]?.string?.contains("megan@contoso.com") == true)
  }

  @Test func theDeviceModeCanChangeToShared() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - interactive
        - { id: before, deviceInfo: {}, expect: { $.deviceMode: default } }
        - simulate: [deviceShared]
        - { id: after, deviceInfo: {}, expect: { $.deviceMode: shared } }
        - silent
        """)
    #expect(outcome.ending == "success", "\(outcome.events.last?.json.text() ?? "")")
    let sharedDevice = try RunHarness(directory: "directory: 1\ndevice: shared")
    let initial = try await sharedDevice.run(steps: "- { deviceInfo: {}, expect: { $.deviceMode: shared } }")
    #expect(initial.ending == "success")
  }

  // MARK: Settings

  @Test(arguments: [true, false]) func telemetryCanBeDisabled(isOn: Bool) async throws {
    let harness = try RunHarness(files: [
      "Own.yaml": "\(RunHarness.settings)\nTelemetryEnabled: \(isOn)\nAppVersion: \"42\"\n"
    ])
    let outcome = try await harness.run(steps: "- interactive\n- silent: { forceRefresh: true }", "settings: Own.yaml")
    #expect(outcome.ending == "success")
    let tokens = harness.wire.exchanges.filter { $0.path.hasSuffix("/token") }
    #expect(tokens.count == 2)
    for exchange in tokens {
      let names = exchange.request.head.headerFields.map { $0.name.canonicalName }
      #expect(names.contains("x-client-current-telemetry") == isOn)
      #expect(names.contains("x-client-last-telemetry") == isOn)
      #expect(names.contains("x-client-sku"), "the client identity is always sent")
      #expect(exchange.request.head.headerFields.first { $0.name.canonicalName == "x-app-ver" }?.value == "42")
    }
  }

  @Test func masksTheClientSecretOfATestServer() async throws {
    let outcome = try await RunHarness().run(
      steps: "- { deviceInfo: {}, on: { brokerNotAvailable: end } }",
      "settings: { AppId: app, Authority: https://op.example.org, AuthorityType: oidc, testserverclientsecret: fake-hush-hush }"
    )
    #expect(outcome.ending == "success")
    #expect(!outcome.lines.contains("hush"))
    #expect(outcome.events.first?.json["source"]?.string?.contains("‹client secret") == true)
  }

  @Test func recordsTheDeviceCodeBeforeTheSignIn() async throws {
    let outcome = try await RunHarness().run(steps: "- deviceCode")
    #expect(outcome.path == ["deviceCode.success"])
    let shown = try #require(outcome.decisions("deviceCode").first)
    let code = try #require(shown["facts"]?["userCode"]?.string)
    #expect(shown["reason"]?.string?.contains(code) == true)
    #expect((shown["seq"]?.integer ?? 0) < (outcome.finished("deviceCode")["seq"]?.integer ?? 0))
  }

  @Test func reportsExpiredTimedOutAndDeclinedDeviceCodes() async throws {
    let expired = try await RunHarness().run(steps: "- deviceCode", "settings: Settings.yaml\nuser: { cancels: true }")
    #expect(expired.path == ["deviceCode.expiredToken"])
    let timedOut = try await RunHarness().run(
      steps: "- { deviceCode: {}, timeout: 1m }", "settings: Settings.yaml\nuser: { cancels: true }",
      timeouts: .canceling)
    #expect(timedOut.path == ["deviceCode.timedOut"])
    let declined = try await RunHarness().run(
      steps: "- deviceCode", "settings: Settings.yaml\nuser: { consent: decline }")
    #expect(declined.path == ["deviceCode.authorizationDeclined"])
  }
}
