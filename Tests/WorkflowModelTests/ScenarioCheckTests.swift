import Diagnostics
import Directory
import Documents
import Testing

import WorkflowModel

/// Tests the static checks of scenarios and the locations of their diagnostics.
@Suite struct ScenarioCheckTests {
  static let steps = """
    inputs: {top: {type: integer, default: 5}}
    user: megan@contoso.com
    steps: [loadAccount, silent, interactive-fallback, callGraph: /me]

    """

  static let context = CheckContext(directory: .contoso) { path in
    guard path == "cache.json" || path == "list.json" else {
      return ReadResult(
        document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", "no such file", at: .file(path))])
    }
    return DocumentReader.read(Array((path == "cache.json" ? "{}" : "[]").utf8), named: path)
  }

  /// Expects diagnostics for a scenario that is specified without its braces.
  private func expectScenario(
    _ scenario: String, _ expected: [String], sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let text = "\(head)\(Self.steps)scenarios: {s: {\(scenario)}}\n"
    expectDiagnostics(text, expected, context: Self.context, sourceLocation: sourceLocation)
  }

  @Test(
    "reports an invalid step only once, and does not report the expectations that depend on it",
    arguments: ["callGrph: /me", "id: callGraph, fetch: /me", "frobnicate: /me"])
  func reportsInvalidStepOnce(step: String) {
    let text = """
      \(head)steps: [loadAccount, silent, interactive-fallback, {\(step)}]
      scenarios:
        s: {expect: {path: [..., callGraph.forbidden], outcome: forbidden, callGraph.status: 403}}

      """
    let (workflow, problems) = readWorkflow(text, named: "me.yaml")
    #expect(problems.map(\.rule) == ["unknown-name"])
    #expect(workflow.map { WorkflowChecks.run($0, context: Self.context).map(\.message) } == [])
  }

  // MARK: Preconditions

  struct Preconditions: Sendable, CustomTestStringConvertible {
    var given: String
    var expected: [String]
    var testDescription: String { given }

    init(_ given: String, _ expected: String...) {
      self.given = given
      self.expected = expected
    }
  }

  static let impossible: [Preconditions] = [
    Preconditions(
      "[signedIn, userDeleted, ⟦signedIn⟧: megan@contoso.com]",
      "scenario-given: impossible event `signedIn`: `megan@contoso.com` is deleted at this point | move this event before the deletion, or use another user"
    ),
    Preconditions(
      "[userDeleted: alex@contoso.com, ⟦passwordChanged⟧: alex@contoso.com]",
      "scenario-given: impossible event `passwordChanged`: `alex@contoso.com` is deleted at this point | move this event before the deletion, or use another user"
    ),
    Preconditions(
      "[⟦accessTokenExpired⟧]",
      "scenario-given: impossible event `accessTokenExpired`: there is no cached access token, because no user is signed in | add `signedIn` before this event"
    ),
    Preconditions(
      "[signedIn, signedOut, ⟦accessTokenExpired⟧]",
      "scenario-given: impossible event `accessTokenExpired`: there is no cached access token, because no user is signed in | add `signedIn` before this event"
    ),
    Preconditions(
      "[offline, ⟦signedIn⟧]",
      "scenario-given: impossible event `signedIn`: `megan@contoso.com` cannot sign in without a network connection | move the event that prevents this sign-in to a later position"
    ),
    Preconditions(
      "[offline: 2h, wait: 1h, ⟦signedIn⟧]",
      "scenario-given: impossible event `signedIn`: `megan@contoso.com` cannot sign in without a network connection | move the event that prevents this sign-in to a later position"
    ),
    Preconditions(
      "[userDisabled, ⟦signedIn⟧]",
      "scenario-given: impossible event `signedIn`: `megan@contoso.com` is disabled and cannot sign in | move the event that prevents this sign-in to a later position"
    ),
    Preconditions(
      "[⟦signedIn⟧: dora@contoso.com]",
      "scenario-given: impossible event `signedIn`: `dora@contoso.com` is disabled and cannot sign in | move the event that prevents this sign-in to a later position"
    ),
    Preconditions(
      "[passwordExpired, ⟦signedIn⟧]",
      "scenario-given: impossible event `signedIn`: the password of `megan@contoso.com` has expired, and a sign-in in `given` cannot change it | move `passwordExpired` after the sign-in, or add `passwordChanged` before it"
    ),
    Preconditions(
      "[appDisabled, ⟦signedIn⟧]",
      "scenario-given: impossible event `signedIn`: users cannot sign in to a disabled app | move the event that prevents this sign-in to a later position"
    ),
    Preconditions(
      "[policyAdded: {name: Gate, require: block}, ⟦signedIn⟧]",
      "scenario-given: impossible event `signedIn`: policy `Gate` blocks sign-in for `megan@contoso.com` | move the event that prevents this sign-in to a later position"
    ),
    Preconditions(
      "[policyAdded: {name: Gate, require: mfa}, policyRemoved: ⟦Gaet⟧]",
      "scenario-given: unknown policy `Gaet` in event `policyRemoved` | did you mean `Gate`?"),
    Preconditions(
      "[policyRemoved: ⟦policy⟧]",
      "scenario-given: unknown policy `policy` in event `policyRemoved` | add `policyAdded` before this event, or add the policy to a tenant in the directory"
    ),
    Preconditions(
      "[policyRemoved: ⟦Gate⟧]",
      "scenario-given: unknown policy `Gate` in event `policyRemoved` | add `policyAdded` before this event, or add the policy to a tenant in the directory"
    ),
    Preconditions(
      "[usernameChanged: {to: new@contoso.com}, ⟦sessionsRevoked⟧: megan@contoso.com]",
      "scenario-given: impossible event `sessionsRevoked`: `megan@contoso.com` was renamed to `new@contoso.com` | use `new@contoso.com`"
    ),
    Preconditions(
      "[⟦usernameChanged⟧: {to: alex@contoso.com}]",
      "scenario-given: impossible event `usernameChanged`: username `alex@contoso.com` is already in use | choose another username"
    ),
    Preconditions(
      "[fault: {at: token, response: reset, times: always}, ⟦signedIn⟧]",
      "scenario-given: impossible event `signedIn`: `megan@contoso.com` cannot sign in while requests to `token` fail permanently | move the event that prevents this sign-in to a later position"
    ),
    Preconditions(
      "[fault: {at: graph, response: {status: 503}, times: always}, ⟦fault⟧: {at: GET /v1.0/me, response: reset}]",
      "scenario-given: impossible event `fault`: this fault never triggers because an earlier one affects all requests to `graph` | set `times` on the earlier fault, or remove one of the faults"
    ),
    Preconditions(
      "[signedIn: ⟦meagn@contoso.com⟧]",
      "scenario-user: user `meagn@contoso.com` is not in the directory | did you mean `megan@contoso.com`?"),
    Preconditions(
      "[passwordChanged: {user: ⟦megan@contoso.org⟧}]",
      "scenario-user: user `megan@contoso.org` is not in the directory | did you mean `megan@contoso.com`?"),
    Preconditions(
      "[signedIn: {client: ⟦mail⟧}]", "unknown-client: unknown client `mail` | use `app`"),
    Preconditions(
      "[cacheLoaded: ⟦gone.json⟧]",
      "scenario-file: cannot load token cache `gone.json`: no such file | use a path relative to the workflow; `authflow cache export` writes a token cache"
    ),
    Preconditions(
      "[cacheLoaded: ⟦list.json⟧]",
      "scenario-file: `list.json` is not a token cache | use a file with MSAL's unified schema in JSON; `authflow cache export` writes one"
    ),
  ]

  @Test(arguments: impossible) func reportsImpossiblePreconditions(_ preconditions: Preconditions) {
    expectScenario("given: \(preconditions.given)", preconditions.expected)
  }

  static let ineffective: [Preconditions] = [
    Preconditions(
      "[⟦signedOut⟧]",
      "scenario-given: event `signedOut` has no effect: no user is signed in | add `signedIn` before this event"),
    Preconditions(
      "[signedIn, ⟦signedOut⟧: alex@contoso.com]",
      "scenario-given: event `signedOut` has no effect: `alex@contoso.com` is not signed in | add `signedIn` before this event"
    ),
    Preconditions(
      "[⟦online⟧]",
      "scenario-given: event `online` has no effect: the network is already available | add `offline` before this event"
    ),
    Preconditions(
      "[offline: 1m, wait: 2m, ⟦online⟧]",
      "scenario-given: event `online` has no effect: the network is already available | add `offline` before this event"
    ),
    Preconditions(
      "[misbehaves: wrong-issuer, ⟦stopsMisbehaving⟧: wrong-nonce]",
      "scenario-given: event `stopsMisbehaving` has no effect: misbehavior `wrong-nonce` is not active | add `misbehaves` before this event"
    ),
    Preconditions(
      "[⟦browserSignedOut⟧]",
      "scenario-given: event `browserSignedOut` has no effect: no user has signed in, so there is no browser session | add `signedIn` before this event"
    ),
    Preconditions(
      "[⟦refreshTokenExpired⟧]",
      "scenario-given: event `refreshTokenExpired` has no effect: `megan@contoso.com` has not signed in, so there is nothing to revoke | add `signedIn` before this event"
    ),
    Preconditions(
      "[userDisabled, ⟦userDisabled⟧]",
      "scenario-given: event `userDisabled` has no effect: `megan@contoso.com` is already disabled | remove this event"),
    Preconditions(
      "[deviceShared, ⟦deviceShared⟧]",
      "scenario-given: event `deviceShared` has no effect: the device is already in shared mode | remove this event"),
  ]

  @Test(arguments: ineffective) func warnsAboutPreconditionsWithoutEffect(_ preconditions: Preconditions) {
    expectScenario("given: \(preconditions.given)", preconditions.expected)
    let text = preconditions.given.filter { $0 != "⟦" && $0 != "⟧" }
    let (workflow, _) = readWorkflow("\(head)\(Self.steps)scenarios: {s: {given: \(text)}}")
    let diagnostics = workflow.map { WorkflowChecks.run($0, context: Self.context) } ?? []
    #expect(diagnostics.map(\.severity) == [.warning])
  }

  @Test(arguments: [
    "[signedIn, userDeleted]", "[signedIn, userDisabled, sessionsRevoked]", "[offline, online, signedIn]",
    "[offline: 1h, wait: 2h, signedIn]", "[passwordExpired, passwordChanged, signedIn]",
    "[signedIn, signedOut, signedIn, accessTokenExpired]", "[cacheLoaded: cache.json, accessTokenExpired]",
    "[usernameChanged: {to: new@contoso.com}, signedIn: new@contoso.com]",
    "[policyAdded: {name: Gate, require: block, for: {users: [alex@contoso.com]}}, signedIn]",
    "[policyAdded: {name: Gate, require: block, challengeWith: claims}, signedIn, policyRemoved: gate]",
    "[fault: {at: token, response: {delay: 5s}, times: always}, signedIn]",
    "[fault: {at: token, response: reset, times: always, skip: 1}, signedIn]",
    "[fault: {at: GET /v1.0/me, response: reset, times: always}, fault: {at: graph, response: reset}]",
    "[signedIn: MEGAN@contoso.com, signedOut: megan@contoso.com]", "[signedIn: '${env:WHO}', signedOut]",
    "[userDeleted: '${env:WHO}', signedIn]", "[signedIn: {client: 6731de76-14a6-49ae-97bc-6eba6914391e}]",
    "[signedIn, consentRevoked, consentGranted]", "[misbehaves: wrong-issuer, stopsMisbehaving]",
  ])
  func acceptsPossiblePreconditions(given: String) {
    expectScenario("given: \(given)", [])
  }

  @Test func reportsOnlyDefiniteProblemsWithEventsDuringARun() {
    expectScenario(
      "given: [signedIn, userDeleted], before: {silent: [⟦passwordChanged⟧, online], callGraph: [signedOut, policyRemoved: ⟦Gate⟧]}",
      [
        "scenario-given: impossible event `passwordChanged`: `megan@contoso.com` is deleted at this point | move this event before the deletion, or use another user",
        "scenario-given: unknown policy `Gate` in event `policyRemoved` | add `policyAdded` before this event, or add the policy to a tenant in the directory",
      ])
    expectScenario("before: {silent: [policyAdded: {name: Gate, require: mfa}], callGraph: [policyRemoved: Gate]}", [])
  }

  @Test func usesTheDirectoryFromTheScenario() {
    let users = "tenants: [{name: Contoso, users: [{username: zoe@contoso.com, disabled: true}]}]"
    expectScenario("directory: {directory: 1, \(users)}, given: [passwordChanged: zoe@contoso.com]", [])
    expectScenario(
      "directory: {directory: 1, \(users)}, given: [⟦signedIn⟧: zoe@contoso.com]",
      [
        "scenario-given: impossible event `signedIn`: `zoe@contoso.com` is disabled and cannot sign in | move the event that prevents this sign-in to a later position"
      ])
  }

  // MARK: Users

  @Test func reportsUnknownUsers() {
    let unknown =
      "scenario-user: user `mgan@contoso.com` is not in the directory | did you mean `megan@contoso.com`?"
    expectScenario("user: ⟦mgan@contoso.com⟧", [unknown])
    expectScenario("user: {picks: ⟦mgan@contoso.com⟧}", [unknown])
    expectScenario("matrix: {username: [megan@contoso.com, ⟦mgan@contoso.com⟧]}", [unknown])
    // If the scenario expects a failure, the unknown username is intentional.
    expectScenario("user: mgan@contoso.com, expect: {outcome: userCanceled}", [])
    expectScenario("user: {username: mgan@contoso.com, signsUp: true}", [])
    expectScenario("user: {picks: another}", [])
    expectScenario("given: [usernameChanged], user: renamed.megan@contoso.com", [])
  }

  @Test func reportsUnknownUsersInSteps() {
    expectDiagnostics(
      head + "user: ⟦meggan@contoso.com⟧\nsteps:\n  - simulate: [passwordChanged: ⟦meegan@contoso.com⟧]\n",
      [
        "scenario-user: user `meggan@contoso.com` is not in the directory | did you mean `megan@contoso.com`?",
        "scenario-user: user `meegan@contoso.com` is not in the directory | did you mean `megan@contoso.com`?",
      ], context: Self.context)
    // Before the run, the users of a live tenant are unknown.
    expectDiagnostics(
      head + "platform: live\nuser: user@example.com\nsteps: [listAccounts]\n", [], context: Self.context)
  }

  // MARK: Platform, inputs, names

  @Test func reportsPreconditionsForTheLiveService() {
    expectDiagnostics(
      head
        + "platform: live\nsteps: [listAccounts]\nscenarios: {s: {given: [⟦offline⟧], before: {listAccounts: ⟦online⟧}}}",
      [
        "simulate-on-live: event `offline` is not supported with `platform: live` | remove `platform` to run scenarios with the emulator, and use `--platform live` for live runs",
        "simulate-on-live: event `online` is not supported with `platform: live` | remove `platform` to run scenarios with the emulator, and use `--platform live` for live runs",
      ], context: Self.context)
  }

  @Test func reportsMissingInputs() {
    let workflow = head + "inputs: {top: {type: integer, required: true}}\nsteps: [listAccounts]\n"
    expectDiagnostics(
      workflow
        + "scenarios:\n  ⟦s⟧: {}\n  t: {inputs: {top: 1}}\n  u: {matrix: {top: [1, 2]}}\n  ⟦v⟧: {inputs: {top: null}}",
      ["s", "v"].map { _ in
        "scenario-input: missing required input `top` | add `inputs: {top: …}`, or replace `required` with a default in the workflow"
      })
    // An input of the wrong type does not count as missing.
    expectDiagnostics(
      workflow + "scenarios: {s: {inputs: {top: ⟦five⟧}}}",
      ["input-type: input `top` expects type integer, found a string"])
  }

  @Test func reportsDuplicateNames() {
    expectDiagnostics(
      head + "steps: [listAccounts]\nscenarios:\n  s: {matrix: [{description: a}, ⟦{description: a}⟧]}\n  ⟦s (a)⟧: {}\n"
        + "  t: {matrix: {mfa: [approve, deny, ⟦approve⟧]}}\n",
      [
        "scenario-name: duplicate scenario name `s (a)` | give each row a unique description, and list each axis value only once",
        "scenario-name: duplicate scenario name `s (a)` | use another name",
        "scenario-name: duplicate scenario name `t (mfa: approve)` | give each row a unique description, and list each axis value only once",
      ])
  }

  // MARK: Expectations

  @Test(arguments: [
    "[loadAccount.notFound, interactive-fallback.success, callGraph.success]", "[...]", "[..., callGraph.success]",
    "[loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.claimsChallenge, silent.success, callGraph.success]",
    "[..., callGraph.claimsChallenge, silent.interactionRequired, interactive-fallback.success, callGraph.success]",
    "[..., silent.success, ..., silent.success, ...]",
  ])
  func acceptsPossiblePaths(path: String) {
    expectScenario("expect: {path: \(path)}", [])
  }

  @Test(arguments: [
    ("forbidden", "[..., callGraph.forbidden]"), ("failed", "[loadAccount.ambiguousAccount]"),
    ("claimsChallenge", "[..., callGraph.claimsChallenge, silent.success, callGraph.claimsChallenge]"),
    ("invalidRedirectURI", "[]"),
  ])
  func acceptsPossibleOutcomes(outcome: String, path: String) {
    expectScenario("expect: {outcome: \(outcome), path: \(path)}", [])
  }

  @Test func reportsImpossiblePaths() {
    let graph = "run `authflow graph` to see the target of each outcome"
    expectScenario(
      "expect: {path: [loadAccount.found, ⟦callGraph.success⟧]}",
      [
        "scenario-path: `callGraph.success` cannot occur after `loadAccount.found`: expected `silent` | \(graph)"
      ])
    expectScenario(
      "expect: {path: [⟦silent.success⟧, ...]}",
      ["scenario-path: `silent.success` cannot occur at the start: expected `loadAccount` | \(graph)"])
    expectScenario(
      "expect: {path: [..., callGraph.success, ..., ⟦silent.success⟧]}",
      ["scenario-path: `silent.success` cannot occur after `callGraph.success` | \(graph)"])
    expectScenario(
      "expect: {outcome: forbidden, path: [..., callGraph.forbidden, ⟦silent.success⟧]}",
      ["scenario-path: `silent.success` cannot occur after `callGraph.forbidden`: the run ends there | \(graph)"])
    expectScenario(
      "expect: {path: [loadAccount.found, ⟦silent.success⟧]}",
      [
        "scenario-path: path is incomplete: `silent.success` is followed by `interactive-fallback` | add `interactive-fallback`, or `...` for any number of entries"
      ])
    expectScenario(
      "expect: {path: [..., callGraph.claimsChallenge, ⟦interactive-fallback.success⟧, ...]}",
      [
        "scenario-path: `interactive-fallback.success` cannot occur after `callGraph.claimsChallenge`: expected `silent` | \(graph)"
      ])
  }

  @Test func reportsImpossibleOutcomes() {
    expectScenario(
      "expect: {path: [..., ⟦callGraph.forbidden⟧]}",
      [
        "scenario-path: a run on this path ends with `forbidden`, but `success` is expected by default | use `outcome: forbidden`, or change the path"
      ])
    expectScenario(
      "expect: {outcome: ⟦userCanceled⟧, path: [..., callGraph.forbidden]}",
      [
        "scenario-path: a run on this path ends with `forbidden`, but `userCanceled` is expected | use `outcome: forbidden`, or change the path"
      ])
    expectDiagnostics(
      head
        + "steps:\n  - interactive: {prompt: login}\n    on: {userCanceled: end}\nscenarios: {s: {expect: {outcome: ⟦userCanceled⟧}}}",
      [
        "scenario-path: no run of this workflow ends with outcome `userCanceled` | the workflow handles this outcome; expect it in `path` or as `STEP.outcome`"
      ])
  }

  @Test func expectedPathsCanContinueInFinally() {
    let workflow =
      head
      + "steps:\n  - interactive: {prompt: login}\nfinally:\n  - {id: first, signout: {}}\n  - {id: second, listAccounts: {}}\n"
    for path in [
      "{path: [interactive.success, first.success, second.notFound]}",
      "{outcome: userCanceled, path: [interactive.userCanceled, first.notFound, second.notFound]}",
      "{outcome: offline, path: [interactive.success, first.offline, second.found]}",
    ] { expectDiagnostics(workflow + "scenarios: {s: {expect: \(path)}}", []) }
    expectDiagnostics(
      workflow + "scenarios: {s: {expect: {outcome: failed, path: [interactive.userCanceled, ⟦second.found⟧]}}}",
      [
        "scenario-path: `second.found` cannot occur after `interactive.userCanceled`: expected `first` | run `authflow graph` to see the target of each outcome"
      ])
  }

  static let first = "path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]"

  @Test(arguments: [
    (
      "⟦silent.tokenSource⟧: cache",
      "`silent.tokenSource` is not available: the expected path does not contain step `silent` | remove the expectation, or add `silent` to the path"
    ),
    (
      "⟦'callGraph[2].status'⟧: 200",
      "`callGraph[2].status` is not available: the expected path contains step `callGraph` only once | remove the expectation, or add `callGraph` to the path"
    ),
    (
      "⟦interactive-fallback.error.code⟧: AADSTS50076",
      "`interactive-fallback.error.code` is not available: step `interactive-fallback` has outcome `success` on the expected path | remove the expectation"
    ),
    (
      "callGraph.outcome: ⟦forbidden⟧",
      "contradicts the expected path, in which step `callGraph` has outcome `success` | change the expectation or the path"
    ),
    (
      "⟦callGraph.tokenSource⟧: cache",
      "`callGraph` has no result field `tokenSource` | use one of `$`, `outcome`, `status`, `headers`, `error`, `sent`, `attempts`, `duration`"
    ),
    (
      "callGraph.status: ⟦'200'⟧",
      "expectation never holds: `callGraph.status` is a number | use a number, or a matcher such as `{greaterThan: 1}`"
    ),
    (
      "interactive-fallback.screens: ⟦mfa⟧",
      "expectation never holds: `interactive-fallback.screens` is a list | use a list, or a matcher such as `{contains: …}`"
    ),
    (
      "⟦callGraph.duration⟧: {lessThan: 5}",
      "`callGraph.duration` is available only with the live service | use `attempts` or the path instead"
    ),
    (
      "interactions: ⟦once⟧",
      "expectation never holds: `interactions` is a number | use a number, or a matcher such as `{greaterThan: 1}`"
    ),
    (
      "requests: {graph: ⟦{contains: 1}⟧}",
      "expectation never holds: `requests.graph` is a number | use a number, or a matcher such as `{greaterThan: 1}`"
    ),
    (
      "accounts: ⟦megan@contoso.com⟧",
      "expectation never holds: `accounts` is a number or a list of usernames | use `[megan@contoso.com]` or `{contains: megan@contoso.com}`"
    ),
  ])
  func reportsExpectationsThatNeverHold(expectation: String, message: String) {
    expectScenario("expect: {\(Self.first), \(expectation)}", ["scenario-result-field: \(message)"])
  }

  @Test(arguments: [
    "silent.tokenSource: {exists: false}", "silent.outcome: {exists: false}", "callGraph.error: {exists: false}",
    "interactive-fallback.error.code: null", "interactive-fallback.screens: {not: {contains: mfa}}",
    "callGraph.status: {oneOf: [200, 204]}", "accounts: 1", "accounts: [megan@contoso.com]",
    "accounts: {contains: megan@contoso.com}", "requests: {token: 1}", "callGraph.outcome: success",
    "interactions: {lessThan: 2}", "loadAccount.account: {exists: false}",
  ])
  func acceptsPossibleExpectations(expectation: String) {
    expectScenario("expect: {\(Self.first), \(expectation)}", [])
  }

  @Test func reportsExpectationsForSkippedSteps() {
    expectScenario(
      "expect: {path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success], ⟦interactive-fallback.screens⟧: [consent]}",
      [
        "scenario-result-field: `interactive-fallback.screens` is not available: step `interactive-fallback` is skipped on the expected path | remove the expectation"
      ])
  }

  @Test func reportsEventsBeforeStepsThatAreNotReached() {
    expectScenario(
      "before: {⟦silent⟧: offline, ⟦'callGraph[2]'⟧: online}, expect: {\(Self.first)}",
      [
        "scenario-before: event never occurs: the expected path does not contain step `silent` | remove the event, or add `silent` to the path",
        "scenario-before: event never occurs: the expected path contains step `callGraph` only once | remove the event, or add `callGraph[2]` to the path",
      ])
    expectScenario("before: {callGraph: [wait: 1m], silent: [wait: 1m]}, expect: {path: [..., callGraph.success]}", [])
  }
}
