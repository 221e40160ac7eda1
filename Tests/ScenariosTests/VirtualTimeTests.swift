import Documents
import Effects
import Testing
import WorkflowRunner

/// Tests the virtual clock of a scenario.
@Suite struct VirtualTimeTests {
  static let refreshTwice = """
    authflow: 1
    settings: Settings.yaml
    user: megan@contoso.com
    inputs: {first: {type: duration, default: 1s}, second: {type: duration, default: 1s}}
    steps:
      - {id: in, interactive: {}}
      - {id: away, wait: '${first}'}
      - {silent: {forceRefresh: true}, on: {error: next, interactionRequired: next}}
      - {id: longer, wait: '${second}'}
      - {id: again, silent: {forceRefresh: true}, on: {error: next, interactionRequired: next}}
    """
  static let day = 86_400

  /// Scenarios, with the outcome and error code of the second refresh and the elapsed seconds.
  @Test(arguments: [
    // Each use of the token restarts the 90-day period. An unused token expires.
    ("inputs: {first: 60d, second: 60d}", "success", "null", 120 * day),
    ("inputs: {first: 60d, second: 91d}", "interactionRequired", "AADSTS700082", 151 * day),
    (
      "inputs: {first: 23h, second: 25h}\ndirectory: {lifetimes: {refreshToken: 1d}}", "interactionRequired",
      "AADSTS700082", 2 * day
    ),
    // The maximum age applies even if the token is used.
    (
      "inputs: {first: 60d, second: 60d}\ndirectory: {lifetimes: {refreshTokenMaximum: 90d}}", "interactionRequired",
      "AADSTS700081", 120 * day
    ),
    // With a sign-in frequency of one hour, only sign-ins restart the period. Refreshes do not.
    (
      "inputs: {first: 50m, second: 5m}\nuser: mona@contoso.com\ngiven: [policyAdded: {name: Hourly, require: mfa, signInFrequency: 1h}]",
      "success", "null", 3_300
    ),
    (
      "inputs: {first: 50m, second: 20m}\nuser: mona@contoso.com\ngiven: [policyAdded: {name: Hourly, require: mfa, signInFrequency: 1h}]",
      "interactionRequired", "AADSTS70043", 4_200
    ),
  ])
  func refreshTokensExpire(_ scenario: String, _ outcome: String, _ code: String, _ seconds: Int) async throws {
    let run = try await ScenarioHarness(
      scenario: """
        \(scenario)
        expect:
          path: [in.success, away.success, silent.success, longer.success, again.\(outcome)]
          again.error.code: \(code)
        """, of: Self.refreshTwice
    ).passes()
    #expect(run.report.elapsed == .seconds(seconds))
  }

  /// MSAL throttles repeated requests without sending them.
  @Test(arguments: [
    ("{status: 429, retryAfter: 60s}", "unhandledResponse", "30s", true),
    ("{status: 429, retryAfter: 60s}", "unhandledResponse", "61s", false),
    ("{status: 503, retryAfter: 'Wed, 01 Jan 2025 00:01:00 GMT'}, times: 2", "unhandledResponse", "30s", true),
    ("{status: 503, retryAfter: 'Wed, 01 Jan 2025 00:01:00 GMT'}, times: 2", "unhandledResponse", "70s", false),
    ("{error: invalid_grant, code: AADSTS50076, suberror: basic_action}", "interactionRequired", "60s", true),
    ("{error: invalid_grant, code: AADSTS50076, suberror: basic_action}", "interactionRequired", "121s", false),
  ])
  func throttledRequestsAreNotSent(_ response: String, _ outcome: String, _ pause: String, _ isThrottled: Bool)
    async throws
  {
    let again = isThrottled ? "again.\(outcome)" : "again.success"
    let fact = isThrottled ? "again.error.throttled: true" : "again.tokenSource: refreshToken"
    let sent = response.contains("times: 2") ? 2 : 1
    try await ScenarioHarness(
      scenario: """
        inputs: {second: \(pause)}
        before: {silent: [fault: {at: token, response: \(response)}]}
        expect:
          path: [in.success, away.success, silent.\(outcome), longer.success, \(again)]
          \(fact)
          requests: {token: \(1 + sent + (isThrottled ? 0 : 1))}
        """, of: Self.refreshTwice
    ).passes()
  }

  static let device = """
    authflow: 1
    settings: Settings.yaml
    user: megan@contoso.com
    steps: [deviceCode, callGraph: /me]
    """

  /// The app polls at the interval in the response and adds five seconds after each `slow_down` (RFC 8628 §3.5).
  @Test(arguments: [
    ("user: {delay: 8m}", 96, 480), ("user: {delay: 60s}", 12, 60),
    ("user: {delay: 60s}\ngiven: [fault: {at: token, response: {error: slow_down}, times: 2}]", 5, 60),
    ("user: {delay: 60s}\ndirectory: {lifetimes: {deviceCodeInterval: 20s}}", 3, 60),
    ("user: {delay: 61s}\ndirectory: {lifetimes: {deviceCodeInterval: 20s}}", 4, 80),
  ])
  func pollsAtTheInterval(_ scenario: String, _ polls: Int, _ seconds: Int) async throws {
    let run = try await ScenarioHarness(
      scenario: "\(scenario)\nexpect: {path: [deviceCode.success, callGraph.success], requests: {token: \(polls)}}",
      of: Self.device
    ).passes()
    #expect(run.report.elapsed == .seconds(seconds))
  }

  @Test func aDeviceCodeExpires() async throws {
    let run = try await ScenarioHarness(
      scenario: """
        user: {delay: 3m}
        directory: {lifetimes: {deviceCode: 2m}}
        expect: {outcome: expiredToken, path: [deviceCode.expiredToken], requests: {token: 24}}
        """, of: Self.device
    ).passes()
    #expect(run.report.elapsed == .seconds(120))
  }

  /// The delay before a retry of a call comes from the header, in seconds or as a date. Without a header, the delay is
  /// one second and doubles with each retry.
  @Test(arguments: [
    ("{status: 429, retryAfter: 30s}", 1, 30, "success"),
    ("{status: 429, retryAfter: 'Wed, 01 Jan 2025 00:01:00 GMT'}", 1, 60, "success"),
    ("{status: 429, retryAfter: 'Wed, 01 Jan 2020 00:01:00 GMT'}", 1, 0, "success"),
    ("{status: 503}", 3, 7, "success"), ("{status: 503}", 4, 7, "serviceUnavailable"),
    ("{status: 429, retryAfter: 10s}", 4, 30, "throttled"), ("{status: 504, retryAfter: 2m}", 2, 240, "success"),
    ("{delay: 40s, status: 404}", 1, 40, "notFound"),
  ])
  func waitsBeforeRetries(_ response: String, _ times: Int, _ seconds: Int, _ outcome: String) async throws {
    let end = outcome == "success" ? "" : "outcome: \(outcome), "
    let run = try await ScenarioHarness(
      scenario: """
        given: [signedIn, fault: {at: graph, response: \(response), times: \(times)}]
        expect: {\(end)path: [..., callGraph.\(outcome)], interactions: 0}
        """
    ).passes()
    #expect(run.report.elapsed == .seconds(seconds))
  }

  @Test func retriesUseTheVirtualClock() async throws {
    let run = try await ScenarioHarness(
      scenario: """
        before: {callGraph: [offline: 70s]}
        expect: {callGraph.attempts: 3, path: [..., callGraph.success]}
        """,
      of: ScenarioHarness.readProfile.replacing(
        "callGraph: /me", with: "{callGraph: /me, retry: {attempts: 5, on: [offline], wait: 40s}}")
    ).passes()
    #expect(run.report.elapsed == .seconds(80))
  }

  /// After the clock is set back, the cached tokens are from the future, so MSAL requests new tokens.
  @Test func ignoresCachedTokensFromTheFuture() async throws {
    let run = try await ScenarioHarness(
      scenario: """
        given: [signedIn, clock: 2024-12-01T00:00:00Z, wait: 10m]
        expect:
          path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
          silent.tokenSource: refreshToken
        """
    ).passes()
    #expect(run.report.elapsed == .seconds(600), "setting the clock does not count as elapsed time")
  }

  @Test func accessTokensExpire() async throws {
    let harness = ScenarioHarness(
      scenario: """
        given: [signedIn, wait: 54m]
        expect: {silent.tokenSource: cache}
        matrix:
          - {description: within}
          - {description: beyond the buffer, given: [signedIn, wait: 56m], expect: {silent.tokenSource: refreshToken}}
          - {description: longer lived, given: [signedIn, wait: 20h], directory: {lifetimes: {accessToken: 1d}}}
        """)
    for row in ["within", "beyond the buffer", "longer lived"] { try await harness.passes("s (\(row))") }
  }
}
