import Directory
import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Tests every event and every fault with each step type that it can affect.
@Suite struct EveryStepTests {
  /// The step types that the platform, the cache, or the device can affect, with a signed-in account.
  static let steps = """
    authflow: 1
    settings: Settings.yaml
    user: megan@contoso.com
    steps:
      - {id: in, interactive: {}}
      - loadAccount
      - listAccounts
      - {silent: {forceRefresh: true}, on: {error: next, interactionRequired: next}}
      - {id: page, interactive: {prompt: login}, on: {error: next}}
      - {deviceCode: {}, on: {error: next}}
      - {callGraph: /me, on: {error: next, claimsChallenge: next}}
      - {deviceInfo: {}}
      - {id: both, parallel: [{silent: {forceRefresh: true}}, listAccounts], on: {error: next}}
      - {signout: {signoutFromBrowser: true}, on: {error: next}}
    """

  struct Effect: Sendable, CustomTestStringConvertible {
    var event: String
    /// The path entries after the event: steps with their outcomes.
    var entries: [String]
    /// The expected code for steps with an error.
    var code: String?
    var testDescription: String { event }

    init(_ event: String, _ entries: String..., code: String? = nil) {
      self.event = event
      self.entries = entries
      self.code = code
    }
  }

  static let effects: [Effect] = [
    Effect("userDisabled", "silent.interactionRequired", "page.userCanceled", code: "AADSTS50057"),
    Effect("userDisabled", "deviceCode.expiredToken", "callGraph.unauthorized", "both.interactionRequired"),
    Effect("userDeleted", "page.userCanceled", code: "AADSTS50034"),
    Effect("userDeleted", "silent.interactionRequired", "deviceCode.expiredToken", "callGraph.unauthorized"),
    Effect("passwordChanged", "silent.interactionRequired", code: "AADSTS50173"),
    Effect("passwordChanged", "page.success", "deviceCode.success", "callGraph.success", "both.interactionRequired"),
    Effect("passwordExpired", "page.userCanceled", code: "AADSTS50055"),
    Effect("passwordExpired", "silent.success", "callGraph.success"),
    Effect("usernameChanged", "page.userCanceled", code: "AADSTS50034"),
    Effect("usernameChanged", "silent.success", "callGraph.success"),
    Effect("sessionsRevoked", "silent.interactionRequired", code: "AADSTS50173"),
    Effect("sessionsRevoked", "page.success", "deviceCode.success", "both.interactionRequired"),
    Effect("consentRevoked", "silent.interactionRequired", code: "AADSTS65001"),
    Effect("consentRevoked", "page.success", "deviceCode.success"),
    Effect(
      "appDisabled", "silent.interactionRequired", "page.userCanceled", "deviceCode.unauthorizedClient",
      code: "AADSTS7000112"),
    Effect("policyAdded: {name: M, require: mfa}", "silent.interactionRequired", code: "AADSTS50079"),
    Effect("policyAdded: {name: M, require: mfa}", "page.success", "deviceCode.success", "callGraph.success"),
    Effect(
      "policyAdded: {name: M, require: mfa, challengeWith: claims}", "silent.success", "callGraph.claimsChallenge"),
    Effect(
      "policyAdded: {name: M, require: compliantDevice}", "silent.interactionRequired", "page.userCanceled",
      code: "AADSTS53000"),
    Effect(
      "policyAdded: {name: M, require: domainJoinedDevice}", "silent.interactionRequired", "page.userCanceled",
      code: "AADSTS53001"),
    Effect(
      "policyAdded: {name: M, require: managedDevice}", "silent.interactionRequired", "page.userCanceled",
      code: "AADSTS530003"),
    Effect("policyAdded: {name: M, require: externalControl}", "silent.interactionRequired", code: "AADSTS50158"),
    Effect(
      "policyAdded: {name: M, require: approvedApp}", "silent.serverProtectionPoliciesRequired",
      "page.serverProtectionPoliciesRequired", "deviceCode.serverProtectionPoliciesRequired", code: "AADSTS53005"),
    Effect(
      "policyAdded: {name: M, require: passwordChange}", "silent.interactionRequired", "page.userCanceled",
      code: "AADSTS50125"),
    Effect(
      "policyAdded: {name: M, require: block}", "silent.interactionRequired", "page.userCanceled", code: "AADSTS53003"),
    Effect(
      "policyAdded: {name: M, require: block}", "deviceCode.expiredToken", "callGraph.success",
      "both.interactionRequired"),
    Effect("keysRotated", "silent.success", "page.success", "deviceCode.success", "callGraph.success"),
    Effect(
      "misbehaves: wrong-issuer", "silent.invalidResponse", "page.invalidResponse", "deviceCode.invalidResponse",
      "both.invalidResponse"),
    Effect(
      "offline", "silent.offline", "page.offline", "deviceCode.offline", "callGraph.offline", "both.offline",
      "signout.offline"),
    Effect("offline", "loadAccount.found", "listAccounts.found", "deviceInfo.success"),
    Effect("browserSignedOut", "silent.success", "page.success", "signout.success"),
    Effect("refreshTokenExpired", "silent.interactionRequired", code: "AADSTS700082"),
    Effect("refreshTokenExpired", "page.success", "both.interactionRequired"),
    Effect("accessTokenExpired", "callGraph.unauthorized", "silent.success"),
    Effect(
      "signedOut", "loadAccount.notFound", "listAccounts.notFound", "silent.interactionRequired", "signout.notFound"),
    Effect(
      "cacheCorrupted", "loadAccount.unexpected", "listAccounts.unexpected", "silent.unexpected", "signout.unexpected"),
    Effect("cacheLoaded: empty.json", "loadAccount.notFound", "listAccounts.notFound", "silent.interactionRequired"),
    Effect("wait: 91d", "silent.interactionRequired", code: "AADSTS700082"),
    Effect("wait: 2h", "silent.success", "callGraph.unauthorized", "signout.success"),
    Effect("clock: 2024-06-01T00:00:00Z", "silent.success", "callGraph.unauthorized"),
    Effect("signedIn: alex@contoso.com", "loadAccount.ambiguousAccount", "listAccounts.found"),
    Effect("[policyAdded: {name: M, require: block}, policyRemoved: M]", "silent.success", "page.success"),
    Effect("[misbehaves: wrong-issuer, stopsMisbehaving]", "silent.success", "page.success"),
    Effect("[offline, online]", "silent.success", "callGraph.success"),
    Effect("[consentRevoked, consentGranted: [User.Read, Calendars.Read]]", "silent.success"),
  ]

  @Test(arguments: effects) func events(effect: Effect) async throws {
    for entry in effect.entries {
      let step = String(entry.prefix { $0 != "." })
      let event = effect.event.hasPrefix("[") ? effect.event : "[\(effect.event)]"
      let end =
        ["loadAccount.ambiguousAccount", "loadAccount.notFound"].contains(entry) || entry.hasPrefix("loadAccount.u")
        || entry.hasPrefix("listAccounts.u")
      let outcome = end ? "failed" : nil
      let harness = ScenarioHarness(
        scenario:
          "before: {\(step): \(event)}\nexpect: {path: [..., \(entry), ...]\(outcome.map { ", outcome: \($0)" } ?? "")}",
        of: Self.steps, files: ["empty.json": "{}"])
      let run = try await harness.run()
      #expect(run.path.contains(entry), "\(run.reason)")
      #expect(run.problems.isEmpty, "\(run.reason)")
      if let code = effect.code {
        #expect(run.facts(step)["error"]?["code"]?.string == code, "\(step): \(run.facts(step)["error"] ?? .null)")
      }
    }
  }

  @Test func deviceInfoReportsASharedDevice() async throws {
    let outcome = try await ScenarioHarness(
      scenario: "before: {deviceInfo: [deviceShared]}\nexpect: {deviceInfo.$.deviceMode: shared}", of: Self.steps
    ).run()
    #expect(outcome.failedExpectations.isEmpty && outcome.problems.isEmpty, "\(outcome.reason)")
  }

  /// An event for each keyword, to be used in a scenario with a signed-in account.
  static let samples: [Directory.SimulatedEvent.Word: String] = [
    .signedIn: "signedIn: alex@contoso.com", .signedOut: "signedOut", .browserSignedOut: "browserSignedOut",
    .wait: "wait: 90d", .clock: "clock: 2026-01-01T00:00:00Z", .accessTokenExpired: "accessTokenExpired",
    .refreshTokenExpired: "refreshTokenExpired", .passwordChanged: "passwordChanged: {to: Fake-2}",
    .passwordExpired: "passwordExpired", .usernameChanged: "usernameChanged: {to: meg@contoso.com}",
    .sessionsRevoked: "sessionsRevoked", .userDisabled: "userDisabled", .userDeleted: "userDeleted",
    .consentGranted: "consentGranted: [Mail.Read]", .consentRevoked: "consentRevoked", .appDisabled: "appDisabled",
    .policyAdded: "policyAdded: {name: Gate, require: mfa}", .policyRemoved: "policyRemoved: Gate",
    .keysRotated: "keysRotated", .misbehaves: "misbehaves: wrong-nonce",
    .stopsMisbehaving: "stopsMisbehaving: wrong-nonce",
    .fault: "fault: {at: graph, response: reset}", .offline: "offline: 1h", .online: "online",
    .cacheCorrupted: "cacheCorrupted", .cacheLoaded: "cacheLoaded: empty.json", .deviceShared: "deviceShared",
  ]

  /// Every keyword works as a precondition, before a step, and in a step.
  @Test(arguments: Directory.SimulatedEvent.Word.allCases)
  func everyEventWorksInEveryPosition(keyword: Directory.SimulatedEvent.Word) async throws {
    let sample = try #require(Self.samples[keyword], "add a sample here, and an effect above, for each new keyword")
    #expect(sample.hasPrefix(keyword.rawValue))
    let before: [Directory.SimulatedEvent.Word: String] = [
      .policyRemoved: "policyAdded: {name: Gate, require: mfa}", .online: "offline",
      .stopsMisbehaving: "misbehaves: wrong-nonce",
    ]
    let first = before[keyword].map { "\($0), " } ?? ""
    let places = [
      "given: [signedIn, \(first)\(sample)]", "given: [signedIn]\nbefore: {checked: [\(first)\(sample)]}",
      "given: [signedIn]\ninputs: {enabled: true}",
    ]
    for place in places {
      let run = try await ScenarioHarness(
        scenario: "\(place)\nexpect: {path: [..., checked.holds]}",
        of: """
          authflow: 1
          settings: Settings.yaml
          user: megan@contoso.com
          inputs: {enabled: {type: boolean, default: false}}
          steps:
            - {id: it, simulate: [\(first)\(sample)], when: {enabled: true}}
            - {id: checked, assert: {enabled: {exists: true}}}
          """, files: ["empty.json": "{}"]
      ).run()
      // The only problem is that this fault cannot trigger.
      #expect(run.problems.map(\.rule) == (keyword == .fault ? ["fault-unmet"] : []), "\(run.reason)")
      #expect(run.failedExpectations.isEmpty, "\(run.reason)")
      let decisions: [JSON] = run.events(TraceEvent.Kind.decision)
      let decided = decisions.filter { $0["subject"]?.string == "event" }.compactMap { $0["verdict"]?.string }
      #expect(decided.last == keyword.rawValue)
    }
  }

  // MARK: Faults

  struct FaultCase: Sendable, CustomTestStringConvertible {
    var response: String
    /// The outcomes if the fault triggers once and if it always triggers.
    var once: String
    var always: String
    var testDescription: String { response }

    init(_ response: String, _ once: String, _ always: String? = nil) {
      self.response = response
      self.once = once
      self.always = always ?? once
    }
  }

  private func expectOutcomes(
    of fault: FaultCase, at target: String, _ step: String, in workflow: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    for (times, outcome) in [("1", fault.once), ("always", fault.always)] {
      let end = outcome == "success" ? "success" : "failed"
      try await ScenarioHarness(
        scenario: """
          before: {\(step): [fault: {at: \(target), response: \(fault.response), times: \(times)}]}
          expect: {outcome: \(end), path: [..., \(step).\(outcome)]}
          """, of: workflow
      ).passes(sourceLocation: sourceLocation)
    }
  }

  private static func workflow(_ steps: String) -> String {
    "authflow: 1\nsettings: Settings.yaml\nuser: megan@contoso.com\nsteps: \(steps)"
  }

  /// MSAL retries after a lost connection or a 5xx status, but not after an invalid response.
  static let atTheTokenEndpoint: [FaultCase] = [
    FaultCase("reset", "success", "offline"), FaultCase("tls", "offline"),
    FaultCase("html", "invalidResponse"), FaultCase("endless", "invalidResponse"),
    FaultCase("{status: 503}", "success", "unhandledResponse"),
    FaultCase("{status: 500, delay: 3s}", "success", "unhandledResponse"),
    FaultCase("{status: 429, retryAfter: 2s}", "unhandledResponse"), FaultCase("{delay: 5s}", "success"),
    FaultCase("{type: text/html}", "success"), FaultCase("{headers: {content-type: text/plain}}", "success"),
    FaultCase("{status: 200, body: invalid}", "invalidResponse"), FaultCase("{status: 200, body: {}}", "unexpected"),
    FaultCase("{error: invalid_scope}", "invalidScope"), FaultCase("{error: invalid_client}", "invalidClient"),
  ]

  @Test(arguments: atTheTokenEndpoint) func tokenEndpoint(fault: FaultCase) async throws {
    try await expectOutcomes(
      of: fault, at: "token", "silent", in: Self.workflow("[{id: in, interactive: {}}, {silent: {forceRefresh: true}}]")
    )
    try await expectOutcomes(of: fault, at: "token", "interactive", in: Self.workflow("[interactive]"))
    try await expectOutcomes(
      of: fault, at: "token", "parallel",
      in: Self.workflow("[{id: in, interactive: {}}, {parallel: [{silent: {forceRefresh: true}}, listAccounts]}]"))
  }

  @Test(arguments: [
    FaultCase("{error: invalid_grant, code: AADSTS50076, suberror: basic_action}", "interactionRequired"),
    FaultCase("{code: AADSTS53005}", "serverProtectionPoliciesRequired"),
    FaultCase("{error: interaction_required, claims: {access_token: {}}}", "interactionRequired"),
  ])
  func rejectedRefreshes(fault: FaultCase) async throws {
    try await expectOutcomes(
      of: fault, at: "token", "silent", in: Self.workflow("[{id: in, interactive: {}}, {silent: {forceRefresh: true}}]")
    )
  }

  /// If the response was lost, the app can use the refresh token again, but not the authorization code.
  @Test func truncatedResponsesCountAsLostConnections() async throws {
    let truncated = FaultCase("truncated", "success", "offline")
    try await expectOutcomes(
      of: truncated, at: "token", "silent",
      in: Self.workflow("[{id: in, interactive: {}}, {silent: {forceRefresh: true}}]"))
    try await expectOutcomes(
      of: FaultCase("truncated", "invalidGrant", "offline"), at: "token", "interactive",
      in: Self.workflow("[interactive]"))
  }

  /// Polling continues after transient failures, until the code expires.
  @Test(arguments: [
    FaultCase("reset", "success", "expiredToken"), FaultCase("tls", "success", "expiredToken"),
    FaultCase("{status: 503}", "success", "expiredToken"), FaultCase("truncated", "invalidGrant", "expiredToken"),
    FaultCase("endless", "invalidResponse"), FaultCase("{status: 429, retryAfter: 2s}", "unhandledResponse"),
    FaultCase("{error: slow_down}", "success", "expiredToken"), FaultCase("{error: expired_token}", "expiredToken"),
    FaultCase("{error: authorization_declined}", "authorizationDeclined"), FaultCase("{delay: 5s}", "success"),
  ])
  func reportsFaultsDuringPolling(fault: FaultCase) async throws {
    try await expectOutcomes(of: fault, at: "token", "deviceCode", in: Self.workflow("[deviceCode]"))
  }

  static let beforeTheSignInPage: [FaultCase] = [
    FaultCase("reset", "success", "offline"), FaultCase("tls", "offline"), FaultCase("truncated", "success", "offline"),
    FaultCase("html", "unhandledResponse"), FaultCase("endless", "invalidResponse"),
    FaultCase("{status: 503}", "success", "unhandledResponse"), FaultCase("{delay: 5s}", "success"),
    FaultCase("{status: 200, body: {}}", "invalidResponse"),
  ]

  @Test(arguments: beforeTheSignInPage) func reportsFaultsInDiscoveryAndDeviceCodeRequests(fault: FaultCase)
    async throws
  {
    try await expectOutcomes(of: fault, at: "discovery", "interactive", in: Self.workflow("[interactive]"))
    try await expectOutcomes(of: fault, at: "devicecode", "deviceCode", in: Self.workflow("[deviceCode]"))
  }

  @Test(arguments: [
    FaultCase("reset", "success", "offline"), FaultCase("truncated", "success", "offline"),
    FaultCase("html", "invalidResponse"),
    FaultCase("{status: 503}", "success", "unhandledResponse"), FaultCase("{status: 200, body: {}}", "invalidResponse"),
    FaultCase("{status: 200, body: {keys: []}}", "success", "invalidResponse"),
  ])
  func reportsFaultsOfTheKeySet(fault: FaultCase) async throws {
    try await expectOutcomes(of: fault, at: "keys", "interactive", in: Self.workflow("[interactive]"))
  }

  /// The user closes a page that cannot be completed.
  @Test(arguments: [
    FaultCase("reset", "offline"), FaultCase("tls", "offline"), FaultCase("html", "userCanceled"),
    FaultCase("truncated", "offline"), FaultCase("endless", "invalidResponse"),
    FaultCase("{status: 503}", "userCanceled"),
    FaultCase("{error: access_denied}", "userCanceled"), FaultCase("{error: server_error}", "serverError"),
    FaultCase("{error: temporarily_unavailable}", "authorizationFailed"), FaultCase("{delay: 10m}", "timedOut"),
  ])
  func signInPages(fault: FaultCase) async throws {
    try await expectOutcomes(of: fault, at: "authorize", "interactive", in: Self.workflow("[interactive]"))
  }

  static let atAnAPI: [FaultCase] = [
    FaultCase("reset", "offline"), FaultCase("tls", "offline"), FaultCase("truncated", "offline"),
    FaultCase("endless", "timedOut"),
    FaultCase("{status: 401}", "unauthorized"),
    FaultCase("{status: 401, claims: {access_token: {acrs: {values: [c1]}}}}", "success", "claimsChallenge"),
    FaultCase("{status: 403, error: Authorization_RequestDenied}", "forbidden"), FaultCase("{status: 404}", "notFound"),
    FaultCase("{status: 429, retryAfter: 2s}", "success", "throttled"),
    FaultCase("{status: 429}", "success", "throttled"),
    FaultCase("{status: 503, retryAfter: 2s}", "success", "serviceUnavailable"),
    FaultCase("{status: 504}", "success", "serviceUnavailable"), FaultCase("{status: 500}", "serviceUnavailable"),
    FaultCase("{status: 418}", "otherStatus"), FaultCase("{delay: 5s}", "success"),
    FaultCase("{type: text/html}", "success"),
    FaultCase("{status: 200, body: invalid}", "success"),
  ]

  @Test(arguments: atAnAPI) func graph(fault: FaultCase) async throws {
    try await expectOutcomes(
      of: fault, at: "graph", "callGraph", in: Self.workflow("[silent, interactive-fallback, callGraph: /me]"))
    try await expectOutcomes(
      of: fault, at: "GET /v1.0/me", "callGraph", in: Self.workflow("[silent, interactive-fallback, callGraph: /me]"))
  }

  @Test(arguments: [
    FaultCase("reset", "offline"), FaultCase("tls", "offline"), FaultCase("truncated", "offline"),
    FaultCase("{status: 403}", "forbidden"),
    FaultCase("{status: 404}", "notFound"), FaultCase("{status: 429, retryAfter: 1s}", "success", "throttled"),
    FaultCase("{status: 503}", "success", "serviceUnavailable"), FaultCase("{delay: 5s}", "success"),
  ])
  func anyAPI(fault: FaultCase) async throws {
    try await expectOutcomes(
      of: fault, at: "GET /hello", "callAPI",
      in: ScenarioHarness.customers(
        steps: "[silent, interactive-fallback, callAPI: {url: 'https://fabrikamb2chello.azurewebsites.net/hello'}]"))
  }

  @Test(arguments: [
    FaultCase("reset", "offline"), FaultCase("tls", "offline"), FaultCase("endless", "invalidResponse"),
    FaultCase("{delay: 5s}", "success"), FaultCase("html", "success"),
  ])
  func signingOut(fault: FaultCase) async throws {
    try await expectOutcomes(
      of: fault, at: "logout", "signout",
      in: Self.workflow("[{id: in, interactive: {}}, {signout: {signoutFromBrowser: true}}]"))
  }
}
