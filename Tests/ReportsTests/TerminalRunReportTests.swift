import Documents
import OrderedCollections
import Reports
import RunTrace
import TestSupport
import Testing

/// What a user reads while a workflow runs.
@Suite struct TerminalRunReportTests {
  @Test func aRunIsToldStepByStep() {
    let text = Happened.told([
      Happened.started(),
      Happened.step("loadAccount"), Happened.decided("nobody is known"),
      Happened.finished(
        "loadAccount", "notFound", verdict: "handled",
        [
          "next": "interactive-fallback", "rule": "default of loadAccount: notFound to fallback",
          "shows": "nobody is signed in",
        ]),
      Happened.finished("silent", "skipped", verdict: "skipped"),
      Happened.step("callGraph"),
      Happened.finished(
        "callGraph", "success", ["shows": "GET /v1.0/me answered 200: Megan Bowen", "milliseconds": 3]),
      Happened.ended(path: ["loadAccount.notFound", "callGraph.success"]),
    ])
    #expect(
      text == """
        Read my profile  me.yaml, emulated platform

        ↷ loadAccount  notFound  12 ms
            access token hit: nobody is known
            nobody is signed in
            → interactive-fallback: default of loadAccount: notFound to fallback
        · silent  skipped
        ✓ callGraph  success  3 ms
            GET /v1.0/me answered 200: Megan Bowen

        success  2 steps, 1 interaction, 1.5 s

        """)
  }

  /// What goes on at once is told apart: each member of `parallel` has its own lines, whoever is done first.
  @Test func membersOfParallelKeepWhatIsTheirs() {
    func decided(_ step: String?, _ reason: String) -> TraceEvent {
      var members: JSON = ["subject": "accessToken", "verdict": "hit", "reason": .string(reason)]
      if let step { members["step"] = .string(step) }
      return Happened.event(.decision, members)
    }
    let text = Happened.told([
      Happened.step("parallel"), Happened.step("a"), Happened.step("b"), decided("parallel", "of both"),
      decided("a", "of a"), decided("b", "of b"), decided("gone", "of nobody"), Happened.finished("b", "success"),
      decided("a", "of a, later"), decided(nil, "of nobody, later"), Happened.finished("a", "success"),
      Happened.finished("parallel", "success"),
    ])
    #expect(
      text == """
        ✓ b  success  12 ms
            access token hit: of b
            access token hit: of nobody
        ✓ a  success  12 ms
            access token hit: of a
            access token hit: of a, later
            access token hit: of nobody, later
        ✓ parallel  success  12 ms
            access token hit: of both

        """)
  }

  /// Who has to type the code must read it before the step can end.
  @Test func theCodeForAnotherDeviceIsToldAtOnce() {
    var story = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 100), detail: .normal)
    #expect(story.tell(Happened.step("deviceCode")).isEmpty)
    #expect(story.tell(Happened.decided("nobody is known")).isEmpty)
    let told = story.tell(
      Happened.event(
        .decision,
        [
          "step": "deviceCode", "subject": "deviceCode", "verdict": "shown",
          "reason": "Open https://microsoft.com/devicelogin and enter the code ABCD-EFGH.",
        ]))
    #expect(
      told == """
            access token hit: nobody is known
            Open https://microsoft.com/devicelogin and enter the code ABCD-EFGH.

        """)
    let finished = story.tell(Happened.finished("deviceCode", "success"))
    #expect(finished.contains("deviceCode  success"))
    #expect(!finished.contains("ABCD-EFGH"))
  }

  @Test(arguments: [
    ("ephemeral", "    web view: ephemeral\n"), ("wkWebView", "    web view: wk web view\n"), ("default", ""),
  ])
  func aWebviewThatWasAskedForIsShown(webview: String, line: String) {
    var story = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 100), detail: .normal)
    let told = story.tell(Happened.finished("interactive", "success", ["webview": .string(webview)]))
    #expect(told == "✓ interactive  success  12 ms\n" + line)
  }

  @Test func aFailureSaysWhatWhyAndWhere() {
    let text = Happened.told([
      Happened.step("silent"),
      Happened.finished(
        "silent", "interactionRequired", verdict: "failed",
        [
          "next": "failure", "rule": "no fallback",
          "error": [
            "msal": "interactionRequired", "code": "AADSTS50076", "oauth": "invalid_grant", "suberror": "basic_action",
            "description": "the server wants a second factor",
          ],
        ]),
      Happened.ended("interactionRequired", ["reason": "the workflow ended with interactionRequired at silent"]),
    ])
    for words in [
      "✗ silent  interactionRequired", "interactionRequired · AADSTS50076 · invalid_grant · basic_action",
      "the server wants a second factor", "→ failure: no fallback",
      "\ninteractionRequired  1 step, 1 interaction, 1.5 s\n",
      "\nthe workflow ended with interactionRequired at silent\n",
    ] { #expect(text.contains(words), "\(words) is not in\n\(text)") }
  }

  @Test func whatWasExpectedAndIsNotIsTold() {
    let text = Happened.told([
      Happened.finished(
        "a", "success", verdict: "failed", ["broken": ["status is 200, not 404", "scopes lacks Mail.Read"]])
    ])
    #expect(text.contains("    status is 200, not 404\n    scopes lacks Mail.Read\n"))
  }

  @Test func aUserAndATokenAreTold() {
    let text = Happened.told([
      Happened.step("interactive"),
      Happened.event(.interaction, ["ending": "the app was called back", "screens": ["username", "password"]]),
      Happened.event(
        .tokenAcquired,
        ["source": "authorizationCode", "scopes": ["User.Read", "openid"], "expiresOn": "2025-01-01T01:00:00Z"]),
      Happened.finished("interactive", "success"),
    ])
    #expect(text.contains("the user saw username, password"))
    #expect(text.contains("by the authorization code for User.Read openid, valid until\n      2025-01-01T01:00:00Z\n"))
  }

  @Test func thereIsNoPageToSeeWithoutABrowser() {
    let text = Happened.told([
      Happened.event(.interaction, ["ending": "no browser", "screens": []]),
      Happened.finished("interactive", "noViewController"),
    ])
    #expect(text.contains("no page was shown"))
  }

  @Test(arguments: [("live", "the browser was open; redirected"), ("emulated", "no page was shown; redirected")])
  func whatAUserSawInABrowserOfTheirOwnIsNotKnown(platform: String, words: String) {
    let text = Happened.told([
      Happened.event(.runStarted, ["platform": .string(platform)]),
      Happened.event(.interaction, ["ending": "redirected", "screens": []]), Happened.finished("signout", "success"),
    ])
    #expect(text.contains(words), "\(text)")
  }

  @Test func stepsOfAnotherWorkflowStandInside() {
    let lines = Happened.told([
      Happened.step("login"), Happened.step("login/silent"), Happened.decided("a token was found"),
      Happened.finished("login/silent", "success"), Happened.finished("login", "success"),
      Happened.finished("after", "success"),
    ]).split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("  ✓ login/silent"))
    #expect(lines[1] == "      access token hit: a token was found")
    #expect(lines[2].hasPrefix("✓ login"))
    #expect(lines[3].hasPrefix("✓ after"))
  }

  @Test func detailsAndExchangesAreForTheVerbose() {
    let events = [
      Happened.step("callGraph"), Happened.decided("a detail nobody needs", detail: true),
      Happened.event(
        .httpRequest, ["id": 1, "from": "app", "method": "GET", "url": "https://graph.microsoft.com/v1.0/me"]),
      Happened.event(.httpResponse, ["id": 1, "from": "app", "status": 200, "milliseconds": 2]),
      Happened.event(.cacheWritten, ["changes": [["change": "added", "key": "megan-accesstoken"]]]),
      Happened.finished("callGraph", "success"),
    ]
    let verbose = Happened.told(events, detail: .verbose)
    let normal = Happened.told(events)
    for words in [
      "a detail nobody needs", "app sends GET https://graph.microsoft.com/v1.0/me", "answered 200 in 2 ms",
      "cache entry added: megan-accesstoken",
    ] {
      #expect(verbose.contains(words), "\(words)")
      #expect(!normal.contains(words), "\(words)")
    }
    #expect(normal.contains("callGraph  success"))
  }

  @Test func anExchangeIsToldInLines() {
    let text = Happened.told(
      [
        Happened.step("silent"),
        Happened.event(
          .httpRequest,
          [
            "id": 7, "from": "app", "method": "POST", "url": "https://login.test/token?a=b%20c&d",
            "body": ["form": ["grant_type": "refresh_token", "refresh_token": "‹refresh token #1›"]],
          ]),
        Happened.decided("meanwhile"),
        Happened.event(
          .httpResponse,
          [
            "id": 7, "from": "app", "status": 400, "milliseconds": 2,
            "body": ["json": ["error": "invalid_grant", "error_codes": [50173], "more": ["x": 1], "n": .null]],
          ]),
        Happened.finished("silent", "interactionRequired", verdict: "handled"),
      ], detail: .verbose)
    #expect(
      text == """
        ↷ silent  interactionRequired  12 ms
            app sends POST https://login.test/token
              a: b c
              d: \("")
              grant_type: refresh_token
              refresh_token: ‹refresh token #1›
              answered 400 in 2 ms
                error: invalid_grant
                error_codes: 1 item
                more: 1 member
                n: null
            access token hit: meanwhile

        """)
  }

  @Test func aLargeAnswerIsToldInPart() {
    let many = (11...50).reduce(into: JSON.object([:])) { $0["m\($1)"] = .integer(Int64($1)) }
    let text = Happened.told(
      [
        Happened.event(.httpResponse, ["id": 1, "status": 200, "body": ["json": many]]),
        Happened.finished("silent", "success"),
      ], detail: .verbose)
    #expect(text.contains("m22: 22\n"))
    #expect(!text.contains("m23: 23"))
    #expect(text.contains("28 more\n"))
  }

  @Test func checksAndClaimsStandOnLinesOfTheirOwn() {
    let text = Happened.told(
      [
        Happened.event(
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
        Happened.finished(
          "silent", "success",
          ["account": ["accountClaims": ["exp": 1_735_693_200, "name": "Megan", "groups": ["a", "b"], "n": 5]]]),
      ], detail: .verbose)
    for line in [
      "    id token refused: a check failed\n      not before passed: began\n      nonce failed: another\n",
      "    claims of the account's id token\n      exp: 2025-01-01T01:00:00Z\n",
      "      groups: [\"a\",\"b\"]\n      n: 5\n      name: Megan\n",
    ] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test(arguments: [true, false]) func aLookIntoTheCacheNamesTheKey(found: Bool) {
    let text = Happened.told(
      [
        Happened.event(.cacheRead, ["section": "AccessToken", "key": "megan-accesstoken", "found": .bool(found)]),
        Happened.finished("silent", "success"),
      ], detail: .verbose)
    #expect(text.contains("megan-accesstoken"), "\(text)")
  }

  @Test func aRequestWithoutAnAnswerSaysWhy() {
    let text = Happened.told(
      [
        Happened.event(.httpResponse, ["id": 1, "from": "app", "failure": "the connection was lost: reset"]),
        Happened.finished("callGraph", "offline", verdict: "failed"),
      ], detail: .verbose)
    #expect(text.contains("no answer: the connection was lost: reset"), "\(text)")
  }

  @Test func nothingIsToldTwice() {
    let events = [
      Happened.decided("said once"), Happened.finished("a", "success"), Happened.finished("b", "success"),
      Happened.ended(),
    ]
    let parts = Happened.told(events).components(between: "said once")
    #expect(parts == 1)
  }

  @Test(arguments: [
    (0.0, "0 ms"), (0.04, "0 ms"), (0.25, "0.3 ms"), (3, "3 ms"), (9.94, "9.9 ms"), (12.3, "12 ms"), (999.4, "999 ms"),
    (1000, "1 s"), (1500, "1.5 s"), (59_950, "60 s"), (119_000, "119 s"), (120_000, "2 min"), (5_400_000, "90 min"),
    (1e300, "1000000000000000 d"), (-1e300, "-1000000000000000 d"),
  ]) func durationsReadAsPeopleReadThem(milliseconds: Double, words: String) {
    let text = Happened.told([Happened.finished("a", "success", ["milliseconds": .init(number: milliseconds)])])
    #expect(text == "✓ a  success  \(words)\n")
  }
}

extension String {
  /// How often a text stands here.
  fileprivate func components(between text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: text) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
