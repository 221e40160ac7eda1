import Diagnostics
import Directory
import Documents
import Testing

import WorkflowModel

/// What is told of a scenario before it runs: each at its place, with what to do.
@Suite struct ScenarioCheckTests {
  static let steps = """
    inputs: {top: {type: integer, default: 5}}
    user: megan@contoso.com
    steps: [loadAccount, silent, interactive-fallback, callGraph: /me]

    """

  static let surroundings = CheckContext(directory: .contoso) { path in
    guard path == "cache.json" || path == "list.json" else {
      return ReadResult(
        document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", "no such file", at: .file(path))])
    }
    return DocumentReader.read(Array((path == "cache.json" ? "{}" : "[]").utf8), named: path)
  }

  /// What is told of one scenario's text, which stands below `scenarios: {s: …}`.
  private func told(
    _ scenario: String, _ expected: [String], sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let text = "\(head)\(Self.steps)scenarios: {s: {\(scenario)}}\n"
    expectComplaints(text, expected, surroundings: Self.surroundings, sourceLocation: sourceLocation)
  }

  // MARK: What is given

  struct Given: Sendable, CustomTestStringConvertible {
    var given: String
    var told: [String]
    var testDescription: String { given }

    init(_ given: String, _ told: String...) {
      self.given = given
      self.told = told
    }
  }

  static let contradictory: [Given] = [
    Given(
      "[signedIn, userDeleted, ⟦signedIn⟧: megan@contoso.com]",
      "scenario-given: signedIn cannot happen: megan@contoso.com is deleted by then | let it happen before the account is deleted, or to somebody else"
    ),
    Given(
      "[userDeleted: alex@contoso.com, ⟦passwordChanged⟧: alex@contoso.com]",
      "scenario-given: passwordChanged cannot happen: alex@contoso.com is deleted by then | let it happen before the account is deleted, or to somebody else"
    ),
    Given(
      "[⟦accessTokenExpired⟧]",
      "scenario-given: accessTokenExpired cannot happen: the cache holds no access token that could expire: nobody is signed in | put signedIn before it"
    ),
    Given(
      "[signedIn, signedOut, ⟦accessTokenExpired⟧]",
      "scenario-given: accessTokenExpired cannot happen: the cache holds no access token that could expire: nobody is signed in | put signedIn before it"
    ),
    Given(
      "[offline, ⟦signedIn⟧]",
      "scenario-given: signedIn cannot happen: megan@contoso.com cannot sign in while there is no network | what stands in the way must happen after the sign-in"
    ),
    Given(
      "[offline: 2h, wait: 1h, ⟦signedIn⟧]",
      "scenario-given: signedIn cannot happen: megan@contoso.com cannot sign in while there is no network | what stands in the way must happen after the sign-in"
    ),
    Given(
      "[userDisabled, ⟦signedIn⟧]",
      "scenario-given: signedIn cannot happen: megan@contoso.com is disabled and cannot sign in | what stands in the way must happen after the sign-in"
    ),
    Given(
      "[⟦signedIn⟧: dora@contoso.com]",
      "scenario-given: signedIn cannot happen: dora@contoso.com is disabled and cannot sign in | what stands in the way must happen after the sign-in"
    ),
    Given(
      "[passwordExpired, ⟦signedIn⟧]",
      "scenario-given: signedIn cannot happen: the password of megan@contoso.com has expired, and who signs in before a scenario has no other | let it expire after the sign-in, or change it before: passwordChanged"
    ),
    Given(
      "[appDisabled, ⟦signedIn⟧]",
      "scenario-given: signedIn cannot happen: nobody can sign in to an app that is disabled | what stands in the way must happen after the sign-in"
    ),
    Given(
      "[policyAdded: {name: Gate, require: block}, ⟦signedIn⟧]",
      "scenario-given: signedIn cannot happen: the policy \"Gate\" lets nobody like megan@contoso.com sign in | what stands in the way must happen after the sign-in"
    ),
    Given(
      "[policyAdded: {name: Gate, require: mfa}, policyRemoved: ⟦Gaet⟧]",
      "scenario-given: policyRemoved cannot happen: no policy is called \"Gaet\" | did you mean \"Gate\"?"),
    Given(
      "[policyRemoved: ⟦policy⟧]",
      "scenario-given: policyRemoved cannot happen: no policy is called \"policy\" | there are no policies yet: policyAdded, or policies of a tenant in the directory"
    ),
    Given(
      "[policyRemoved: ⟦Gate⟧]",
      "scenario-given: policyRemoved cannot happen: no policy is called \"Gate\" | there are no policies yet: policyAdded, or policies of a tenant in the directory"
    ),
    Given(
      "[usernameChanged: {to: new@contoso.com}, ⟦sessionsRevoked⟧: megan@contoso.com]",
      "scenario-given: sessionsRevoked cannot happen: megan@contoso.com is called new@contoso.com by now | write new@contoso.com"
    ),
    Given(
      "[⟦usernameChanged⟧: {to: alex@contoso.com}]",
      "scenario-given: usernameChanged cannot happen: somebody is called alex@contoso.com already | choose a name that is free"
    ),
    Given(
      "[fault: {at: token, response: reset, times: always}, ⟦signedIn⟧]",
      "scenario-given: signedIn cannot happen: megan@contoso.com cannot sign in while token fails for good | what stands in the way must happen after the sign-in"
    ),
    Given(
      "[fault: {at: graph, response: {status: 503}, times: always}, ⟦fault⟧: {at: GET /v1.0/me, response: reset}]",
      "scenario-given: fault cannot happen: this fault can never fire: one before it takes every request to graph | give the first a number of times, or take one of them away"
    ),
    Given(
      "[signedIn: ⟦meagn@contoso.com⟧]",
      "scenario-user: nobody is called \"meagn@contoso.com\" in the directory | did you mean \"megan@contoso.com\"?"),
    Given(
      "[passwordChanged: {user: ⟦megan@contoso.org⟧}]",
      "scenario-user: nobody is called \"megan@contoso.org\" in the directory | did you mean \"megan@contoso.com\"?"),
    Given(
      "[signedIn: {client: ⟦mail⟧}]", "unknown-client: there is no client called \"mail\" | the only one is app"),
    Given(
      "[cacheLoaded: ⟦gone.json⟧]",
      "scenario-file: the cache cannot be loaded from gone.json: no such file | it is looked for beside the workflow; authflow cache export writes one"
    ),
    Given(
      "[cacheLoaded: ⟦list.json⟧]",
      "scenario-file: list.json holds no token cache | it must hold MSAL's unified schema as JSON; authflow cache export writes one"
    ),
  ]

  @Test(arguments: contradictory) func whatCannotComeAboutIsAnError(given: Given) {
    told("given: \(given.given)", given.told)
  }

  static let pointless: [Given] = [
    Given(
      "[⟦signedOut⟧]",
      "scenario-given: signedOut changes nothing: nobody is signed in, so nobody can sign out | put signedIn before it"),
    Given(
      "[signedIn, ⟦signedOut⟧: alex@contoso.com]",
      "scenario-given: signedOut changes nothing: alex@contoso.com is not signed in | put signedIn before it"),
    Given(
      "[⟦online⟧]", "scenario-given: online changes nothing: the network is there already | put offline before it"),
    Given(
      "[offline: 1m, wait: 2m, ⟦online⟧]",
      "scenario-given: online changes nothing: the network is there already | put offline before it"),
    Given(
      "[misbehaves: wrong-issuer, ⟦stopsMisbehaving⟧: wrong-nonce]",
      "scenario-given: stopsMisbehaving changes nothing: the platform does not misbehave as wrong-nonce | put misbehaves before it"
    ),
    Given(
      "[⟦browserSignedOut⟧]",
      "scenario-given: browserSignedOut changes nothing: nobody has signed in yet, so the browser has no session | put signedIn before it"
    ),
    Given(
      "[⟦refreshTokenExpired⟧]",
      "scenario-given: refreshTokenExpired changes nothing: megan@contoso.com has not signed in yet, so there is nothing to end | put signedIn before it"
    ),
    Given(
      "[userDisabled, ⟦userDisabled⟧]",
      "scenario-given: userDisabled changes nothing: megan@contoso.com is disabled already | take it away"),
    Given(
      "[deviceShared, ⟦deviceShared⟧]",
      "scenario-given: deviceShared changes nothing: the device is in shared mode already | take it away"),
  ]

  @Test(arguments: pointless) func whatChangesNothingIsAWarning(given: Given) {
    told("given: \(given.given)", given.told)
    let text = given.given.filter { $0 != "⟦" && $0 != "⟧" }
    let (workflow, _) = readWorkflow("\(head)\(Self.steps)scenarios: {s: {given: \(text)}}")
    let said = workflow.map { WorkflowChecks.run($0, surroundings: Self.surroundings) } ?? []
    #expect(said.map(\.severity) == [.warning])
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
  func whatCanComeAboutIsNotSpokenOf(given: String) {
    told("given: \(given)", [])
  }

  @Test func onTheWayOnlyWhatIsGoneForGoodIsKnown() {
    told(
      "given: [signedIn, userDeleted], before: {silent: [⟦passwordChanged⟧, online], callGraph: [signedOut, policyRemoved: ⟦Gate⟧]}",
      [
        "scenario-given: passwordChanged cannot happen: megan@contoso.com is deleted by then | let it happen before the account is deleted, or to somebody else",
        "scenario-given: policyRemoved cannot happen: no policy is called \"Gate\" | there are no policies yet: policyAdded, or policies of a tenant in the directory",
      ])
    told("before: {silent: [policyAdded: {name: Gate, require: mfa}], callGraph: [policyRemoved: Gate]}", [])
  }

  @Test func aScenariosOwnDirectoryHasItsOwnPeople() {
    let users = "tenants: [{name: Contoso, users: [{username: zoe@contoso.com, disabled: true}]}]"
    told("directory: {directory: 1, \(users)}, given: [passwordChanged: zoe@contoso.com]", [])
    told(
      "directory: {directory: 1, \(users)}, given: [⟦signedIn⟧: zoe@contoso.com]",
      [
        "scenario-given: signedIn cannot happen: zoe@contoso.com is disabled and cannot sign in | what stands in the way must happen after the sign-in"
      ])
  }

  // MARK: Who sits there

  @Test func whoSignsInIsInTheDirectory() {
    let unknown =
      "scenario-user: nobody is called \"mgan@contoso.com\" in the directory | did you mean \"megan@contoso.com\"?"
    told("user: ⟦mgan@contoso.com⟧", [unknown])
    told("user: {picks: ⟦mgan@contoso.com⟧}", [unknown])
    told("matrix: {username: [megan@contoso.com, ⟦mgan@contoso.com⟧]}", [unknown])
    // Where nobody is expected to get in, a wrong name is what is tested.
    told("user: mgan@contoso.com, expect: {outcome: userCanceled}", [])
    told("user: {username: mgan@contoso.com, signsUp: true}", [])
    told("user: {picks: another}", [])
    told("given: [usernameChanged], user: renamed.megan@contoso.com", [])
  }

  @Test func peopleOfAStepAreKnownToo() {
    expectComplaints(
      head + "user: ⟦meggan@contoso.com⟧\nsteps:\n  - simulate: [passwordChanged: ⟦meegan@contoso.com⟧]\n",
      [
        "scenario-user: nobody is called \"meggan@contoso.com\" in the directory | did you mean \"megan@contoso.com\"?",
        "scenario-user: nobody is called \"meegan@contoso.com\" in the directory | did you mean \"megan@contoso.com\"?",
      ], surroundings: Self.surroundings)
    // Whom a live tenant knows is not known here.
    expectComplaints(
      head + "platform: live\nuser: somebody@example.com\nsteps: [listAccounts]\n", [], surroundings: Self.surroundings)
  }

  // MARK: Platform, inputs, names

  @Test func nothingIsGivenOnTheLivePlatform() {
    expectComplaints(
      head
        + "platform: live\nsteps: [listAccounts]\nscenarios: {s: {given: [⟦offline⟧], before: {listAccounts: ⟦online⟧}}}",
      [
        "simulate-on-live: offline cannot be made to happen on the live platform, and the workflow says platform: live | leave the platform away, so that scenarios are emulated, and run it with --platform live",
        "simulate-on-live: online cannot be made to happen on the live platform, and the workflow says platform: live | leave the platform away, so that scenarios are emulated, and run it with --platform live",
      ], surroundings: Self.surroundings)
  }

  @Test func requiredInputsAreGiven() {
    let workflow = head + "inputs: {top: {type: integer, required: true}}\nsteps: [listAccounts]\n"
    expectComplaints(
      workflow
        + "scenarios:\n  ⟦s⟧: {}\n  t: {inputs: {top: 1}}\n  u: {matrix: {top: [1, 2]}}\n  ⟦v⟧: {inputs: {top: null}}",
      ["s", "v"].map { _ in
        "scenario-input: the input \"top\" is required, and this scenario gives it no value | write inputs: {top: …}, or give it a default in place of required"
      })
    // Of what is there and does not fit it is not said that it is missing.
    expectComplaints(
      workflow + "scenarios: {s: {inputs: {top: ⟦five⟧}}}",
      ["input-type: \"top\" is of the type integer, found a string"])
  }

  @Test func everyScenarioHasANameOfItsOwn() {
    expectComplaints(
      head + "steps: [listAccounts]\nscenarios:\n  s: {matrix: [{description: a}, ⟦{description: a}⟧]}\n  ⟦s (a)⟧: {}\n"
        + "  t: {matrix: {mfa: [approve, deny, ⟦approve⟧]}}\n",
      [
        "scenario-name: two scenarios are called \"s (a)\" | give each row a description of its own, and each value of an axis once",
        "scenario-name: two scenarios are called \"s (a)\" | give it another name",
        "scenario-name: two scenarios are called \"t (mfa: approve)\" | give each row a description of its own, and each value of an axis once",
      ])
  }

  // MARK: What is expected

  @Test(arguments: [
    "[loadAccount.notFound, interactive-fallback.success, callGraph.success]", "[...]", "[..., callGraph.success]",
    "[loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.claimsChallenge, silent.success, callGraph.success]",
    "[..., callGraph.claimsChallenge, silent.interactionRequired, interactive-fallback.success, callGraph.success]",
    "[..., silent.success, ..., silent.success, ...]",
  ])
  func pathsThatARunCanTake(path: String) {
    told("expect: {path: \(path)}", [])
  }

  @Test(arguments: [
    ("forbidden", "[..., callGraph.forbidden]"), ("failed", "[loadAccount.ambiguousAccount]"),
    ("claimsChallenge", "[..., callGraph.claimsChallenge, silent.success, callGraph.claimsChallenge]"),
    ("invalidRedirectURI", "[]"),
  ])
  func endingsThatARunCanHave(outcome: String, path: String) {
    told("expect: {outcome: \(outcome), path: \(path)}", [])
  }

  @Test func pathsThatNoRunCanTake() {
    let graph = "authflow graph shows where each outcome leads"
    told(
      "expect: {path: [loadAccount.found, ⟦callGraph.success⟧]}",
      ["scenario-path: no run comes to callGraph.success here: after loadAccount.found comes silent | \(graph)"])
    told(
      "expect: {path: [⟦silent.success⟧, ...]}",
      ["scenario-path: no run comes to silent.success here: first comes loadAccount | \(graph)"])
    told(
      "expect: {path: [..., callGraph.success, ..., ⟦silent.success⟧]}",
      ["scenario-path: no run comes to silent.success after callGraph.success | \(graph)"])
    told(
      "expect: {outcome: forbidden, path: [..., callGraph.forbidden, ⟦silent.success⟧]}",
      ["scenario-path: no run comes to silent.success here: after callGraph.forbidden comes nothing more | \(graph)"])
    told(
      "expect: {path: [loadAccount.found, ⟦silent.success⟧]}",
      [
        "scenario-path: no run ends here: after silent.success comes interactive-fallback | go on with interactive-fallback, or write ... for any run of entries"
      ])
    told(
      "expect: {path: [..., callGraph.claimsChallenge, ⟦interactive-fallback.success⟧, ...]}",
      [
        "scenario-path: no run comes to interactive-fallback.success here: after callGraph.claimsChallenge comes silent | \(graph)"
      ])
  }

  @Test func aPathThatEndsOtherwise() {
    told(
      "expect: {path: [..., ⟦callGraph.forbidden⟧]}",
      [
        "scenario-path: a run on this path ends in forbidden, but success is expected where no outcome is said | write outcome: forbidden, or another path"
      ])
    told(
      "expect: {outcome: ⟦userCanceled⟧, path: [..., callGraph.forbidden]}",
      [
        "scenario-path: a run on this path ends in forbidden, but userCanceled is expected | write outcome: forbidden, or another path"
      ])
    expectComplaints(
      head
        + "steps:\n  - interactive: {prompt: login}\n    on: {userCanceled: end}\nscenarios: {s: {expect: {outcome: ⟦userCanceled⟧}}}",
      [
        "scenario-path: no run of this workflow ends in userCanceled | it is handled on the way: expect the step's outcome in a path, or step.outcome"
      ])
  }

  @Test func pathsGoOnThroughFinally() {
    let workflow =
      head
      + "steps:\n  - interactive: {prompt: login}\nfinally:\n  - {id: first, signout: {}}\n  - {id: second, listAccounts: {}}\n"
    for path in [
      "{path: [interactive.success, first.success, second.notFound]}",
      "{outcome: userCanceled, path: [interactive.userCanceled, first.notFound, second.notFound]}",
      "{outcome: offline, path: [interactive.success, first.offline, second.found]}",
    ] { expectComplaints(workflow + "scenarios: {s: {expect: \(path)}}", []) }
    expectComplaints(
      workflow + "scenarios: {s: {expect: {outcome: failed, path: [interactive.userCanceled, ⟦second.found⟧]}}}",
      [
        "scenario-path: no run comes to second.found here: after interactive.userCanceled comes first | authflow graph shows where each outcome leads"
      ])
  }

  static let first = "path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]"

  @Test(arguments: [
    (
      "⟦silent.tokenSource⟧: cache",
      "nothing is known of silent.tokenSource: the expected path never comes to silent | take it away, or put silent on the path"
    ),
    (
      "⟦'callGraph[2].status'⟧: 200",
      "nothing is known of callGraph[2].status: the expected path comes to callGraph only once | take it away, or put callGraph on the path"
    ),
    (
      "⟦interactive-fallback.error.code⟧: AADSTS50076",
      "there is no interactive-fallback.error.code: on the expected path interactive-fallback ends in success | take it away"
    ),
    (
      "callGraph.outcome: ⟦forbidden⟧",
      "the expected path says that callGraph ends in success | take one of them away"
    ),
    (
      "⟦callGraph.tokenSource⟧: cache",
      "callGraph has no tokenSource | what is known of it is $, outcome, status, headers, error, sent, attempts, duration"
    ),
    (
      "callGraph.status: ⟦'200'⟧",
      "callGraph.status is a number, so this never holds | write a number, or a test such as {greaterThan: 1}"
    ),
    (
      "interactive-fallback.screens: ⟦mfa⟧",
      "interactive-fallback.screens is a list, so this never holds | write a list, or a test such as {contains: …}"
    ),
    (
      "⟦callGraph.duration⟧: {lessThan: 5}",
      "callGraph.duration is known on the live platform only | compare attempts, or the path"
    ),
    (
      "interactions: ⟦once⟧",
      "interactions is a number, so this never holds | write a number, or a test such as {greaterThan: 1}"
    ),
    (
      "requests: {graph: ⟦{contains: 1}⟧}",
      "requests.graph is a number, so this never holds | write a number, or a test such as {greaterThan: 1}"
    ),
    (
      "accounts: ⟦megan@contoso.com⟧",
      "accounts is a number or a list of usernames, so this never holds | write [megan@contoso.com], or {contains: megan@contoso.com}"
    ),
  ])
  func expectationsThatCanNeverHold(expectation: String, message: String) {
    told("expect: {\(Self.first), \(expectation)}", ["scenario-word: \(message)"])
  }

  @Test(arguments: [
    "silent.tokenSource: {exists: false}", "silent.outcome: {exists: false}", "callGraph.error: {exists: false}",
    "interactive-fallback.error.code: null", "interactive-fallback.screens: {not: {contains: mfa}}",
    "callGraph.status: {oneOf: [200, 204]}", "accounts: 1", "accounts: [megan@contoso.com]",
    "accounts: {contains: megan@contoso.com}", "requests: {token: 1}", "callGraph.outcome: success",
    "interactions: {lessThan: 2}", "loadAccount.account: {exists: false}",
  ])
  func expectationsThatCan(expectation: String) {
    told("expect: {\(Self.first), \(expectation)}", [])
  }

  @Test func nothingIsKnownOfWhatIsSkipped() {
    told(
      "expect: {path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success], ⟦interactive-fallback.screens⟧: [consent]}",
      [
        "scenario-word: nothing is known of interactive-fallback.screens: on the expected path interactive-fallback is skipped | take it away"
      ])
  }

  @Test func whatHappensBeforeAStepThatIsNotComeTo() {
    told(
      "before: {⟦silent⟧: offline, ⟦'callGraph[2]'⟧: online}, expect: {\(Self.first)}",
      [
        "scenario-before: this never simulate: the expected path never performs silent | take it away, or put silent on the path",
        "scenario-before: this never simulate: the expected path performs callGraph only once | take it away, or put callGraph[2] on the path",
      ])
    told("before: {callGraph: [wait: 1m], silent: [wait: 1m]}, expect: {path: [..., callGraph.success]}", [])
  }
}
