import Directory
import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Every event and every fault, on each kind of step where it can act.
@Suite struct EveryStepTests {
  /// Every kind that the platform, the cache or the device can reach, signed in.
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
    /// The step before which it happens, with the outcome that the step then has.
    var entries: [String]
    /// The code of the steps that have an error.
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
      let scene = ScenarioScene(
        scenario:
          "before: {\(step): \(event)}\nexpect: {path: [..., \(entry), ...]\(outcome.map { ", outcome: \($0)" } ?? "")}",
        of: Self.steps, files: ["empty.json": "{}"])
      let run = try await scene.run()
      #expect(run.path.contains(entry), "\(run.reason)")
      #expect(run.troubles.isEmpty, "\(run.reason)")
      if let code = effect.code {
        #expect(run.facts(step)["error"]?["code"]?.string == code, "\(step): \(run.facts(step)["error"] ?? .null)")
      }
    }
  }

  @Test func aSharedDeviceAnswersForWhoeversTurnItIs() async throws {
    let outcome = try await ScenarioScene(
      scenario: "before: {deviceInfo: [deviceShared]}\nexpect: {deviceInfo.$.deviceMode: shared}", of: Self.steps
    ).run()
    #expect(outcome.broken.isEmpty && outcome.troubles.isEmpty, "\(outcome.reason)")
  }

  /// One event for each word, said in a scenario where somebody is signed in.
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

  /// Nobody can invent a word that only some places know: each is brought about before a run, on its way and by a step.
  @Test(arguments: Directory.SimulatedEvent.Word.allCases)
  func everyWordHappensEverywhere(word: Directory.SimulatedEvent.Word) async throws {
    let sample = try #require(Self.samples[word], "a new word needs an example here, and an effect above")
    #expect(sample.hasPrefix(word.rawValue))
    let before: [Directory.SimulatedEvent.Word: String] = [
      .policyRemoved: "policyAdded: {name: Gate, require: mfa}", .online: "offline",
      .stopsMisbehaving: "misbehaves: wrong-nonce",
    ]
    let first = before[word].map { "\($0), " } ?? ""
    let places = [
      "given: [signedIn, \(first)\(sample)]", "given: [signedIn]\nbefore: {noted: [\(first)\(sample)]}",
      "given: [signedIn]\ninputs: {isHere: true}",
    ]
    for place in places {
      let run = try await ScenarioScene(
        scenario: "\(place)\nexpect: {path: [..., noted.holds]}",
        of: """
          authflow: 1
          settings: Settings.yaml
          user: megan@contoso.com
          inputs: {isHere: {type: boolean, default: false}}
          steps:
            - {id: it, simulate: [\(first)\(sample)], when: {isHere: true}}
            - {id: noted, assert: {isHere: {exists: true}}}
          """, files: ["empty.json": "{}"]
      ).run()
      // A fault has nothing to strike here, which is told; everything else has passed.
      #expect(run.troubles.map(\.rule) == (word == .fault ? ["fault-unmet"] : []), "\(run.reason)")
      #expect(run.broken.isEmpty, "\(run.reason)")
      let decisions: [JSON] = run.events(TraceEvent.Kind.decision)
      let decided = decisions.filter { $0["subject"]?.string == "event" }.compactMap { $0["verdict"]?.string }
      #expect(decided.last == word.rawValue)
    }
  }

  // MARK: Faults

  struct Strike: Sendable, CustomTestStringConvertible {
    var answer: String
    /// What becomes of the step where it strikes once, and where it does for good.
    var once: String
    var always: String
    var testDescription: String { answer }

    init(_ answer: String, _ once: String, _ always: String? = nil) {
      self.answer = answer
      self.once = once
      self.always = always ?? once
    }
  }

  private func strike(
    _ strike: Strike, at target: String, _ step: String, of workflow: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    for (times, outcome) in [("1", strike.once), ("always", strike.always)] {
      let end = outcome == "success" ? "success" : "failed"
      try await ScenarioScene(
        scenario: """
          before: {\(step): [fault: {at: \(target), response: \(strike.answer), times: \(times)}]}
          expect: {outcome: \(end), path: [..., \(step).\(outcome)]}
          """, of: workflow
      ).passes(sourceLocation: sourceLocation)
    }
  }

  private static func workflow(_ steps: String) -> String {
    "authflow: 1\nsettings: Settings.yaml\nuser: megan@contoso.com\nsteps: \(steps)"
  }

  /// A lost connection and a 5xx are tried once more by MSAL; what was read wrongly is not.
  static let atTheTokenEndpoint: [Strike] = [
    Strike("reset", "success", "offline"), Strike("tls", "offline"),
    Strike("html", "invalidResponse"), Strike("endless", "invalidResponse"),
    Strike("{status: 503}", "success", "unhandledResponse"),
    Strike("{status: 500, delay: 3s}", "success", "unhandledResponse"),
    Strike("{status: 429, retryAfter: 2s}", "unhandledResponse"), Strike("{delay: 5s}", "success"),
    Strike("{type: text/html}", "success"), Strike("{headers: {content-type: text/plain}}", "success"),
    Strike("{status: 200, body: nonsense}", "invalidResponse"), Strike("{status: 200, body: {}}", "unexpected"),
    Strike("{error: invalid_scope}", "invalidScope"), Strike("{error: invalid_client}", "invalidClient"),
  ]

  @Test(arguments: atTheTokenEndpoint) func tokenEndpoint(fault: Strike) async throws {
    try await strike(
      fault, at: "token", "silent", of: Self.workflow("[{id: in, interactive: {}}, {silent: {forceRefresh: true}}]"))
    try await strike(fault, at: "token", "interactive", of: Self.workflow("[interactive]"))
    try await strike(
      fault, at: "token", "parallel",
      of: Self.workflow("[{id: in, interactive: {}}, {parallel: [{silent: {forceRefresh: true}}, listAccounts]}]"))
  }

  @Test(arguments: [
    Strike("{error: invalid_grant, code: AADSTS50076, suberror: basic_action}", "interactionRequired"),
    Strike("{code: AADSTS53005}", "serverProtectionPoliciesRequired"),
    Strike("{error: interaction_required, claims: {access_token: {}}}", "interactionRequired"),
  ])
  func refusedRefreshes(fault: Strike) async throws {
    try await strike(
      fault, at: "token", "silent", of: Self.workflow("[{id: in, interactive: {}}, {silent: {forceRefresh: true}}]"))
  }

  /// A refresh token serves again where its answer was lost on the way; a code was spent by the answer that nobody got.
  @Test func anAnswerCutOffIsALostConnection() async throws {
    let cut = Strike("truncated", "success", "offline")
    try await strike(
      cut, at: "token", "silent", of: Self.workflow("[{id: in, interactive: {}}, {silent: {forceRefresh: true}}]"))
    try await strike(
      Strike("truncated", "invalidGrant", "offline"), at: "token", "interactive", of: Self.workflow("[interactive]"))
  }

  /// Polling goes on through what passes by itself, until the code expires.
  @Test(arguments: [
    Strike("reset", "success", "expiredToken"), Strike("tls", "success", "expiredToken"),
    Strike("{status: 503}", "success", "expiredToken"), Strike("truncated", "invalidGrant", "expiredToken"),
    Strike("endless", "invalidResponse"), Strike("{status: 429, retryAfter: 2s}", "unhandledResponse"),
    Strike("{error: slow_down}", "success", "expiredToken"), Strike("{error: expired_token}", "expiredToken"),
    Strike("{error: authorization_declined}", "authorizationDeclined"), Strike("{delay: 5s}", "success"),
  ])
  func polls(fault: Strike) async throws {
    try await strike(fault, at: "token", "deviceCode", of: Self.workflow("[deviceCode]"))
  }

  static let beforeAPage: [Strike] = [
    Strike("reset", "success", "offline"), Strike("tls", "offline"), Strike("truncated", "success", "offline"),
    Strike("html", "unhandledResponse"), Strike("endless", "invalidResponse"),
    Strike("{status: 503}", "success", "unhandledResponse"), Strike("{delay: 5s}", "success"),
    Strike("{status: 200, body: {}}", "invalidResponse"),
  ]

  @Test(arguments: beforeAPage) func discoveryAndTheDeviceCodeItself(fault: Strike) async throws {
    try await strike(fault, at: "discovery", "interactive", of: Self.workflow("[interactive]"))
    try await strike(fault, at: "devicecode", "deviceCode", of: Self.workflow("[deviceCode]"))
  }

  @Test(arguments: [
    Strike("reset", "success", "offline"), Strike("truncated", "success", "offline"),
    Strike("html", "invalidResponse"),
    Strike("{status: 503}", "success", "unhandledResponse"), Strike("{status: 200, body: {}}", "invalidResponse"),
    Strike("{status: 200, body: {keys: []}}", "success", "invalidResponse"),
  ])
  func theKeySet(fault: Strike) async throws {
    try await strike(fault, at: "keys", "interactive", of: Self.workflow("[interactive]"))
  }

  /// A user who meets a page with no way on closes it.
  @Test(arguments: [
    Strike("reset", "offline"), Strike("tls", "offline"), Strike("html", "userCanceled"),
    Strike("truncated", "offline"), Strike("endless", "invalidResponse"), Strike("{status: 503}", "userCanceled"),
    Strike("{error: access_denied}", "userCanceled"), Strike("{error: server_error}", "serverError"),
    Strike("{error: temporarily_unavailable}", "authorizationFailed"), Strike("{delay: 10m}", "timedOut"),
  ])
  func signInPages(fault: Strike) async throws {
    try await strike(fault, at: "authorize", "interactive", of: Self.workflow("[interactive]"))
  }

  static let atAnAPI: [Strike] = [
    Strike("reset", "offline"), Strike("tls", "offline"), Strike("truncated", "offline"), Strike("endless", "timedOut"),
    Strike("{status: 401}", "unauthorized"),
    Strike("{status: 401, claims: {access_token: {acrs: {values: [c1]}}}}", "success", "claimsChallenge"),
    Strike("{status: 403, error: Authorization_RequestDenied}", "forbidden"), Strike("{status: 404}", "notFound"),
    Strike("{status: 429, retryAfter: 2s}", "success", "throttled"), Strike("{status: 429}", "success", "throttled"),
    Strike("{status: 503, retryAfter: 2s}", "success", "serviceUnavailable"),
    Strike("{status: 504}", "success", "serviceUnavailable"), Strike("{status: 500}", "serviceUnavailable"),
    Strike("{status: 418}", "otherStatus"), Strike("{delay: 5s}", "success"), Strike("{type: text/html}", "success"),
    Strike("{status: 200, body: nonsense}", "success"),
  ]

  @Test(arguments: atAnAPI) func graph(fault: Strike) async throws {
    try await strike(
      fault, at: "graph", "callGraph", of: Self.workflow("[silent, interactive-fallback, callGraph: /me]"))
    try await strike(
      fault, at: "GET /v1.0/me", "callGraph", of: Self.workflow("[silent, interactive-fallback, callGraph: /me]"))
  }

  @Test(arguments: [
    Strike("reset", "offline"), Strike("tls", "offline"), Strike("truncated", "offline"),
    Strike("{status: 403}", "forbidden"),
    Strike("{status: 404}", "notFound"), Strike("{status: 429, retryAfter: 1s}", "success", "throttled"),
    Strike("{status: 503}", "success", "serviceUnavailable"), Strike("{delay: 5s}", "success"),
  ])
  func anyAPI(fault: Strike) async throws {
    try await strike(
      fault, at: "GET /hello", "callAPI",
      of: ScenarioScene.customers(
        steps: "[silent, interactive-fallback, callAPI: {url: 'https://fabrikamb2chello.azurewebsites.net/hello'}]"))
  }

  @Test(arguments: [
    Strike("reset", "offline"), Strike("tls", "offline"), Strike("endless", "invalidResponse"),
    Strike("{delay: 5s}", "success"), Strike("html", "success"),
  ])
  func signingOut(fault: Strike) async throws {
    try await strike(
      fault, at: "logout", "signout",
      of: Self.workflow("[{id: in, interactive: {}}, {signout: {signoutFromBrowser: true}}]"))
  }
}
