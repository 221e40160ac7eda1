import Documents
import OrderedCollections
import Reports
import RunTrace
import TestSupport
import Testing

/// Tests the terminal output of a run.
@Suite struct TerminalRunReportTests {
  @Test func printsEachStep() {
    let text = TraceFixtures.output([
      TraceFixtures.started(),
      TraceFixtures.step("loadAccount"), TraceFixtures.decision("no cached account"),
      TraceFixtures.finished(
        "loadAccount", "notFound", verdict: "handled",
        [
          "next": "interactive-fallback", "rule": "default of loadAccount: notFound to fallback",
          "shows": "no account is signed in",
        ]),
      TraceFixtures.finished("silent", "skipped", verdict: "skipped"),
      TraceFixtures.step("callGraph"),
      TraceFixtures.finished(
        "callGraph", "success", ["shows": "GET /v1.0/me returned 200: Megan Bowen", "milliseconds": 3]),
      TraceFixtures.ended(path: ["loadAccount.notFound", "callGraph.success"]),
    ])
    #expect(
      text == """
        Read my profile  me.yaml, emulator

        ↷ loadAccount  notFound  12 ms
            access token expired: no cached account
            no account is signed in
            → interactive-fallback: default of loadAccount: notFound to fallback
        · silent  skipped
        ✓ callGraph  success  3 ms
            GET /v1.0/me returned 200: Megan Bowen

        success  2 steps, 1 interaction, 1.5 s

        """)
  }

  /// Each step in `parallel` has its own lines, in any order of completion.
  @Test func groupsDecisionsByParallelStep() {
    func decided(_ step: String?, _ reason: String) -> TraceEvent {
      var members: JSON = ["subject": "accessToken", "verdict": "expired", "reason": .string(reason)]
      if let step { members["step"] = .string(step) }
      return TraceFixtures.event(.decision, members)
    }
    let text = TraceFixtures.output([
      TraceFixtures.step("parallel"), TraceFixtures.step("a"), TraceFixtures.step("b"), decided("parallel", "of both"),
      decided("a", "of a"), decided("b", "of b"), decided("gone", "of no step"), TraceFixtures.finished("b", "success"),
      decided("a", "of a, later"), decided(nil, "of no step, later"), TraceFixtures.finished("a", "success"),
      TraceFixtures.finished("parallel", "success"),
    ])
    #expect(
      text == """
        ✓ b  success  12 ms
            access token expired: of b
            access token expired: of no step
        ✓ a  success  12 ms
            access token expired: of a
            access token expired: of a, later
            access token expired: of no step, later
        ✓ parallel  success  12 ms
            access token expired: of both

        """)
  }

  /// The user must see the code before the step ends.
  @Test func printsTheDeviceCodeImmediately() {
    var report = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 100), detail: .normal)
    #expect(report.text(of: TraceFixtures.step("deviceCode")).isEmpty)
    #expect(report.text(of: TraceFixtures.decision("no cached account")).isEmpty)
    let output = report.text(
      of:
        TraceFixtures.event(
          .decision,
          [
            "step": "deviceCode", "subject": "deviceCode", "verdict": "shown",
            "reason": "Open https://microsoft.com/devicelogin and enter the code ABCD-EFGH.",
          ]))
    #expect(
      output == """
            access token expired: no cached account
            Open https://microsoft.com/devicelogin and enter the code ABCD-EFGH.

        """)
    let finished = report.text(of: TraceFixtures.finished("deviceCode", "success"))
    #expect(finished.contains("deviceCode  success"))
    #expect(!finished.contains("ABCD-EFGH"))
  }

  @Test(arguments: [
    ("ephemeral", "    web view: ephemeral\n"), ("wkWebView", "    web view: wk web view\n"), ("default", ""),
  ])
  func showsTheRequestedWebView(webview: String, line: String) {
    var report = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 100), detail: .normal)
    let output = report.text(of: TraceFixtures.finished("interactive", "success", ["webview": .string(webview)]))
    #expect(output == "✓ interactive  success  12 ms\n" + line)
  }

  @Test func failuresShowTheErrorTheReasonAndTheNextState() {
    let text = TraceFixtures.output([
      TraceFixtures.step("silent"),
      TraceFixtures.finished(
        "silent", "interactionRequired", verdict: "failed",
        [
          "next": "failure", "rule": "no fallback",
          "error": [
            "msal": "interactionRequired", "code": "AADSTS50076", "oauth": "invalid_grant", "suberror": "basic_action",
            "description": "multifactor authentication is required",
          ],
        ]),
      TraceFixtures.ended("interactionRequired", ["reason": "the workflow ended with interactionRequired at silent"]),
    ])
    for expected in [
      "✗ silent  interactionRequired", "interactionRequired · AADSTS50076 · invalid_grant · basic_action",
      "multifactor authentication is required", "→ failure: no fallback",
      "\ninteractionRequired  1 step, 1 interaction, 1.5 s\n",
      "\nthe workflow ended with interactionRequired at silent\n",
    ] { #expect(text.contains(expected), "\(expected) is not in\n\(text)") }
  }

  @Test func printsFailedExpectations() {
    let text = TraceFixtures.output([
      TraceFixtures.finished(
        "a", "success", verdict: "failed", ["broken": ["status is 200, not 404", "scopes lacks Mail.Read"]])
    ])
    #expect(text.contains("    status is 200, not 404\n    scopes lacks Mail.Read\n"))
  }

  @Test func printsInteractionsAndTokens() {
    let text = TraceFixtures.output([
      TraceFixtures.step("interactive"),
      TraceFixtures.event(.interaction, ["ending": "the app was called back", "screens": ["username", "password"]]),
      TraceFixtures.event(
        .tokenAcquired,
        ["source": "authorizationCode", "scopes": ["User.Read", "openid"], "expiresOn": "2025-01-01T01:00:00Z"]),
      TraceFixtures.finished("interactive", "success"),
    ])
    #expect(
      text.contains(
        "pages shown: username, password; the app was called back; token valid until\n      2025-01-01T01:00:00Z\n"))
  }

  @Test func showsRoutineDecisionsInVerboseOutputOnly() {
    let events = [
      TraceFixtures.event(.decision, ["subject": "idToken", "verdict": "accepted", "reason": "all checks passed"]),
      TraceFixtures.event(.decision, ["subject": "idToken", "verdict": "rejected", "reason": "wrong issuer"]),
      TraceFixtures.finished("interactive", "success"),
    ]
    let normal = TraceFixtures.output(events)
    #expect(!normal.contains("accepted") && normal.contains("id token rejected: wrong issuer"))
    #expect(TraceFixtures.output(events, detail: .verbose).contains("id token accepted: all checks passed"))
  }

  @Test func printsThatNoPageWasShown() {
    let text = TraceFixtures.output([
      TraceFixtures.event(.interaction, ["ending": "no browser", "screens": []]),
      TraceFixtures.finished("interactive", "noViewController"),
    ])
    #expect(text.contains("no page shown"))
  }

  @Test(arguments: [("live", "browser opened"), ("emulated", "no page shown")])
  func omitsPagesOfALiveBrowser(platform: String, expected: String) {
    let text = TraceFixtures.output([
      TraceFixtures.event(.runStarted, ["platform": .string(platform)]),
      TraceFixtures.event(.interaction, ["ending": "redirected", "screens": []]),
      TraceFixtures.finished("signout", "success"),
    ])
    #expect(text.contains(expected), "\(text)")
  }

  @Test func indentsStepsOfUsedWorkflows() {
    let lines = TraceFixtures.output([
      TraceFixtures.step("login"), TraceFixtures.step("login/silent"), TraceFixtures.decision("a token was found"),
      TraceFixtures.finished("login/silent", "success"), TraceFixtures.finished("login", "success"),
      TraceFixtures.finished("after", "success"),
    ]).split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("  ✓ login/silent"))
    #expect(lines[1] == "      access token expired: a token was found")
    #expect(lines[2].hasPrefix("✓ login"))
    #expect(lines[3].hasPrefix("✓ after"))
  }

  @Test func showsDetailsAndExchangesInVerboseOutputOnly() {
    let events = [
      TraceFixtures.step("callGraph"), TraceFixtures.decision("a verbose detail", detail: true),
      TraceFixtures.event(
        .httpRequest, ["id": 1, "from": "app", "method": "GET", "url": "https://graph.microsoft.com/v1.0/me"]),
      TraceFixtures.event(.httpResponse, ["id": 1, "from": "app", "status": 200, "milliseconds": 2]),
      TraceFixtures.event(.cacheWritten, ["changes": [["change": "added", "key": "megan-accesstoken"]]]),
      TraceFixtures.finished("callGraph", "success"),
    ]
    let verbose = TraceFixtures.output(events, detail: .verbose)
    let normal = TraceFixtures.output(events)
    for detail in [
      "a verbose detail", "app sends GET https://graph.microsoft.com/v1.0/me", "returned 200 in 2 ms",
      "cache entry added: megan-accesstoken",
    ] {
      #expect(verbose.contains(detail), "\(detail)")
      #expect(!normal.contains(detail), "\(detail)")
    }
    #expect(normal.contains("callGraph  success"))
  }

  @Test func printsExchangesInVerboseOutput() {
    let text = TraceFixtures.output(
      [
        TraceFixtures.step("silent"),
        TraceFixtures.event(
          .httpRequest,
          [
            "id": 7, "from": "app", "method": "POST", "url": "https://login.test/token?a=b%20c&d",
            "body": ["form": ["grant_type": "refresh_token", "refresh_token": "‹refresh token #1›"]],
          ]),
        TraceFixtures.decision("meanwhile"),
        TraceFixtures.event(
          .httpResponse,
          [
            "id": 7, "from": "app", "status": 400, "milliseconds": 2,
            "body": ["json": ["error": "invalid_grant", "error_codes": [50173], "more": ["x": 1], "n": .null]],
          ]),
        TraceFixtures.finished("silent", "interactionRequired", verdict: "handled"),
      ], detail: .verbose)
    #expect(
      text == """
        ↷ silent  interactionRequired  12 ms
            app sends POST https://login.test/token
              a: b c
              d: \("")
              grant_type: refresh_token
              refresh_token: ‹refresh token #1›
              returned 400 in 2 ms
                error: invalid_grant
                error_codes: 1 item
                more: 1 member
                n: null
            access token expired: meanwhile

        """)
  }

  @Test func truncatesLargeResponses() {
    let many = (11...50).reduce(into: JSON.object([:])) { $0["m\($1)"] = .integer(Int64($1)) }
    let text = TraceFixtures.output(
      [
        TraceFixtures.event(.httpResponse, ["id": 1, "status": 200, "body": ["json": many]]),
        TraceFixtures.finished("silent", "success"),
      ], detail: .verbose)
    #expect(text.contains("m22: 22\n"))
    #expect(!text.contains("m23: 23"))
    #expect(text.contains("28 more\n"))
  }

  @Test func printsChecksAndClaimsOnSeparateLines() {
    let text = TraceFixtures.output(
      [
        TraceFixtures.event(
          .decision,
          [
            "subject": "idToken", "verdict": "refused", "reason": "a check failed",
            "facts": [
              "checks": [
                ["check": "notBefore", "passed": true, "reason": "began"],
                ["check": "nonce", "passed": false, "reason": "another"],
              ]
            ],
          ]),
        TraceFixtures.finished(
          "silent", "success",
          ["account": ["accountClaims": ["exp": 1_735_693_200, "name": "Megan", "groups": ["a", "b"], "n": 5]]]),
      ], detail: .verbose)
    for line in [
      "    id token refused: a check failed\n      not before passed: began\n      nonce failed: another\n",
      "    ID token claims\n      exp: 2025-01-01T01:00:00Z\n",
      "      groups: [\"a\",\"b\"]\n      n: 5\n      name: Megan\n",
    ] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test(arguments: [true, false]) func cacheReadsShowTheKey(found: Bool) {
    let text = TraceFixtures.output(
      [
        TraceFixtures.event(.cacheRead, ["section": "AccessToken", "key": "megan-accesstoken", "found": .bool(found)]),
        TraceFixtures.finished("silent", "success"),
      ], detail: .verbose)
    #expect(text.contains("megan-accesstoken"), "\(text)")
  }

  @Test func printsWhyARequestHasNoResponse() {
    let text = TraceFixtures.output(
      [
        TraceFixtures.event(.httpResponse, ["id": 1, "from": "app", "failure": "the connection was lost: reset"]),
        TraceFixtures.finished("callGraph", "offline", verdict: "failed"),
      ], detail: .verbose)
    #expect(text.contains("no response: the connection was lost: reset"), "\(text)")
  }

  @Test func printsEachEventOnce() {
    let events = [
      TraceFixtures.decision("printed once"), TraceFixtures.finished("a", "success"),
      TraceFixtures.finished("b", "success"),
      TraceFixtures.ended(),
    ]
    #expect(TraceFixtures.output(events).ranges(of: "printed once").count == 1)
  }

  @Test(arguments: [
    (0.0, "0 ms"), (0.04, "0 ms"), (0.25, "0.3 ms"), (3, "3 ms"), (9.94, "9.9 ms"), (12.3, "12 ms"), (999.4, "999 ms"),
    (1000, "1 s"), (1500, "1.5 s"), (59_950, "60 s"), (119_000, "119 s"), (120_000, "2 min"), (5_400_000, "90 min"),
    (1e300, "1000000000000000 d"), (-1e300, "-1000000000000000 d"),
  ]) func formatsDurations(milliseconds: Double, expected: String) {
    let text = TraceFixtures.output([
      TraceFixtures.finished("a", "success", ["milliseconds": .init(number: milliseconds)])
    ])
    #expect(text == "✓ a  success  \(expected)\n")
  }
}
