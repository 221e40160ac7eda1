import Diagnostics
import Testing

import WorkflowModel

/// What is said about mistakes while a document is read: the words, and the exact places.
@Suite struct ComplaintTests {
  @Test func unknownKinds() {
    expectComplaints(
      head + "steps: [⟦slient⟧, {⟦callGrph⟧: /me}]",
      [
        #"unknown-name: "slient" is not a kind of step | did you mean "silent"?"#,
        #"unknown-name: "callGrph" is not a kind of step | did you mean "callGraph"?"#,
      ])
  }

  @Test func unknownKeys() {
    expectComplaints(
      head + "⟦scenarois⟧: {}\nsteps:\n  - silent: {⟦forceRefesh⟧: true}\n    ⟦expct⟧: {}\n  - interactive-fallback",
      [
        #"unknown-key: "scenarois" is not a key of a workflow | did you mean "scenarios"?"#,
        #"unknown-key: "forceRefesh" is not a key of silent | did you mean "forceRefresh"?"#,
        #"unknown-key: "expct" is not a key of a step | did you mean "expect"?"#,
      ])
  }

  @Test func keyOfTheKindAtTheStep() {
    expectComplaints(
      head + "steps:\n  - loadAccount\n  - silent:\n    ⟦forceRefresh⟧: true\n  - interactive-fallback",
      [
        #"unknown-key: "forceRefresh" belongs to silent, it is not a key of the step itself | indent it under `silent:`, or write silent: {forceRefresh: …}"#
      ])
  }

  @Test func bareKindUnderID() {
    expectComplaints(
      head + "steps:\n  - id: x\n    ⟦silent⟧\n  - id: y\n    ⟦silent⟧\n    when: fallback",
      [
        "yaml-syntax: a bare kind cannot stand under another key | write `silent: {}`",
        "yaml-syntax: a bare kind cannot stand under another key | write `silent: {}`",
      ])
    expectComplaints(
      head + "steps:\n  - id: x\n      ⟦silent⟧\n",
      ["bare-kind: a bare kind cannot stand under `id:`, YAML reads both lines as one text | write `silent: {}`"])
  }

  @Test func unquotedTemplate() {
    expectComplaints(
      head + "user: {mfa: {totp: ⟦${secret:SEED}⟧}}\nsteps: [loadAccount, silent, interactive-fallback]",
      [
        "yaml-syntax: ${secret:SEED} must be quoted here: inside {…} and […] YAML reads its brackets as its own | quote this: '${secret:SEED}'"
      ])
  }

  @Test func unquotedPath() {
    expectComplaints(
      head + "steps:\n  - callGraph: /me\n    capture: {a: ⟦$.value[0].id⟧}",
      [
        "yaml-syntax: $.value[0].id must be quoted here: inside {…} and […] YAML reads its brackets as its own | quote this: '$.value[0].id'"
      ])
  }

  @Test func splitAtTheComma() {
    expectComplaints(
      head + "steps:\n  - loadAccount\n  - silent\n  - interactive-fallback\n  - callGraph: {get: ⟦/me?$select=a,b⟧}",
      [
        #"split-at-comma: inside {…} the comma ends the value, so "b" is read as a key of its own | quote the value: '/me?$select=a,b'"#
      ])
  }

  @Test func twoKindsAndNone() {
    expectComplaints(
      head
        + "steps:\n  - loadAccount: {}\n    ⟦wait⟧: 1s\n  - ⟦{}⟧\n  - ⟦3⟧\n  - ⟦wait⟧\n  - ⟦callGraph⟧\n  - ⟦when: fallback⟧",
      [
        #"multiple-step-types: a step has one kind, this one has loadAccount and wait | begin a new step with "- " for each"#,
        "missing-kind: a step needs a kind | add one of \(StepKind.keys.joined(separator: ", "))",
        "wrong-type: expected a step: a kind such as silent, or a mapping such as {callGraph: /me}, found a number",
        "empty-value: wait needs a value | write wait: 5m",
        "missing-key: callGraph needs a path | write callGraph: /me, or {get: /me}",
        "missing-kind: a step needs a kind | add one of \(StepKind.keys.joined(separator: ", "))",
      ])
  }

  @Test func emptyText() {
    expectComplaints(
      head + "steps:\n  - loadAccount\n  - silent\n  - interactive-fallback: ⟦\"\"⟧",
      ["wrong-type: interactive takes a mapping, found a string | without parameters write `interactive-fallback: {}`"])
  }

  @Test func identifiers() {
    expectComplaints(
      head
        + "steps:\n  - loadAccount\n  - silent\n  - interactive-fallback\n  - ⟦silent⟧\n  - {id: ⟦next⟧, wait: 1s}\n  - {id: ⟦status⟧, wait: 1s}\n  - {id: ⟦a b⟧, wait: 1s}",
      [
        "duplicate-id: a second silent must name itself | add `id:` with a name of its own",
        #"reserved-id: "next" means something else | these are reserved: account, attempts, duration, end, error, fail, headers, idToken, next, outcome, previousAccount, scopes, screens, sent, status, tokenSource, webview"#,
        #"reserved-id: "status" means something else | these are reserved: account, attempts, duration, end, error, fail, headers, idToken, next, outcome, previousAccount, scopes, screens, sent, status, tokenSource, webview"#,
        #"invalid-id: "a b" cannot be a step's name | use letters, digits, "-" and "_""#,
      ])
  }

  @Test func durations() {
    expectComplaints(
      head
        + "steps:\n  - wait: ⟦30⟧\n  - wait: ⟦5 minutes⟧\n    id: b\n  - wait: ⟦99999999d⟧\n    id: c\n  - wait: ⟦[1s]⟧\n    id: d",
      [
        "duration: 30 of what? A duration needs its unit | write 30s for seconds, or use ms, m, h or d",
        #"duration: "5 minutes" is not a duration | write a whole number and a unit: 500ms, 30s, 5m, 2h or 90d (at most 36525d)"#,
        #"duration: "99999999d" is not a duration | write a whole number and a unit: 500ms, 30s, 5m, 2h or 90d (at most 36525d)"#,
        "wrong-type: expected a duration such as 30s, 5m, 2h or 90d, found a list",
      ])
  }

  @Test func promptNamesOfOtherPlatforms() {
    expectComplaints(
      head
        + "steps:\n  - interactive: {prompt: ⟦SELECT_ACCOUNT⟧}\n  - id: b\n    interactive: {prompt: ⟦forceLogin⟧}\n  - id: c\n    interactive: {prompt: ⟦noPrompt⟧}\n  - id: d\n    interactive: {prompt: ⟦sometimes⟧}",
      [
        #"prompt-name: "SELECT_ACCOUNT" is the name on another platform; here it is selectAccount | write prompt: selectAccount"#,
        #"prompt-name: "forceLogin" is the name on another platform; here it is login | write prompt: login"#,
        #"prompt-name: "noPrompt" is the name on another platform; here it is never | write prompt: never"#,
        #"unknown-value: "sometimes" is not one of ifNecessary, selectAccount, login, consent, create, never"#,
      ], least: .note)
  }

  @Test func calls() {
    expectComplaints(
      head + """
        steps:
          - callGraph: ⟦me⟧
          - {id: b, callGraph: {post: /me, get: ⟦/me⟧}}
          - {id: c, callGraph: ⟦{post: /me, pages: all}⟧}
          - {id: d, callAPI: ⟦example.com⟧}
          - {id: e, callAPI: ⟦{get: /x}⟧}
          - {id: f, callGraph: {get: /me, pages: ⟦0⟧}}
          - {id: g, callGraph: {batch: [⟦{id: a}⟧]}}
        """,
      [
        #"graph-path: "me" is no path of Microsoft Graph | write it from the slash on: /me"#,
        "contradiction: one request has one method | make two steps of it",
        "contradiction: only what is read with get has pages",
        #"url: "example.com" is no URL of an API | write it whole: https://api.contoso.com/items"#,
        #"missing-key: callAPI needs the key "url" | write callAPI: {url: https://…}"#,
        "out-of-range: 0 is not between 1 and 1000000",
        "missing-key: a request of a batch needs a path | write {id: me, get: /me}",
      ])
  }

  @Test func templates() {
    expectComplaints(
      head + #"""
        inputs: {a: {}}
        steps:
          - callAPI: "https://x/⟦${b c}⟧"
          - {id: b, callAPI: "https://x/⟦${foo:BAR}⟧"}
          - {id: c, callAPI: "https://x/⟦${a⟧"}
          - {id: d, callAPI: "https://x/⟦${}⟧"}
        """#,
      [
        #"template: "b c" is not a name | a name is letters, digits, "_" and "-"; there are no expressions"#,
        #"template: "foo:" is not a source of values | write ${name} for a capture or an input, ${env:NAME} or ${secret:NAME}"#,
        #"template: "${" is never closed | close it with "}", or write "$${" for the two characters themselves"#,
        #"template: "${}" names nothing | a name is letters, digits, "_" and "-"; there are no expressions"#,
      ])
  }

  @Test func pathsAndPatternsPointIntoTheString() {
    expectComplaints(
      head + #"""
        steps:
          - listAccounts:
            expect:
              $.a[⟦⟧: 1
              $.b: {matches: "⟦(⟧a"}
              $.c: {⟦greater_than⟧: 1}
              $.d: {count: 2, ⟦foo⟧: 1}
              $.e: {⟦contians⟧: x}
              $.f: {type: ⟦strin⟧}
        """#,
      [
        "jsonpath: \"$.a[\" is not a JSONPath: the query ends inside brackets | paths are JSONPath, RFC 9535: $.value[0].id, $..name, $['a key']",
        "i-regexp: \"(a\" is not an I-Regexp: this group is never closed | an I-Regexp (RFC 9485) describes the whole string; write [0-9] for a digit",
        #"matcher: "greater_than" is not a matcher | did you mean "greaterThan"?"#,
        #"matcher: "foo" is not a matcher, and a mapping is either matchers or a value | to compare with a whole mapping, write equals: {…}"#,
        #"matcher: "contians" is not a matcher: this compares with a whole mapping | did you mean "contains"? If not, write equals: {…}"#,
        #"unknown-value: "strin" is not one of string, number, integer, boolean, array, object, null | did you mean "string"?"#,
      ])
  }

  @Test func people() {
    expectComplaints(
      head + "user: {mfa: ⟦aprove⟧, cancels: ⟦consnt⟧, consent: ⟦maybe⟧, delay: ⟦3⟧, ⟦pick⟧: x}\nsteps: [listAccounts]",
      [
        #"unknown-value: "aprove" is not one of approve, deny, ignore | did you mean "approve"?"#,
        #"unknown-value: "consnt" is not one of pickAccount, username, password, mfa, staySignedIn, consent, adminApproval, changePassword, signUp, deviceCode, signedOut, error | did you mean "consent"?"#,
        #"unknown-value: "maybe" is not one of accept, decline"#,
        "duration: 3 of what? A duration needs its unit | write 3s for seconds, or use ms, m, h or d",
        #"unknown-key: "pick" is not a key of a user | did you mean "picks"?"#,
      ])
  }

  @Test func inputs() {
    expectComplaints(
      head + "inputs: {a: {type: integer, default: ⟦x⟧}, b: ⟦5⟧, c: {type: ⟦strin⟧}, ⟦d e⟧: {}}\nsteps: [listAccounts]",
      [
        #"input-default: the default of "a" is a string, its type says integer"#,
        "wrong-type: an input is a mapping, found a number | write b: {type: integer, default: …}",
        #"unknown-value: "strin" is not one of string, integer, number, boolean, array, duration | did you mean "string"?"#,
        #"invalid-name: "d e" cannot be the name of an input | use letters, digits, "_" and "-""#,
      ])
  }

  @Test func events() {
    expectComplaints(
      head
        + "steps: [listAccounts]\nscenarios:\n  one:\n    given: [⟦signedin⟧: megan, fault: {at: ⟦nowhere⟧, response: {⟦statos⟧: 1}}, ⟦wait⟧, ⟦{wait: 2d, online: {}}⟧, clock: ⟦today⟧]",
      [
        #"unknown-event: "signedin" is nothing that can happen | did you mean "signedIn"?"#,
        #"unknown-value: "nowhere" is no place for a fault | write token, authorize, graph, devicecode, discovery, keys, userinfo, logout, or a request such as 'GET /v1.0/me'"#,
        #"unknown-key: "statos" is not a key of a fault's answer | did you mean "status"?"#,
        "event: wait needs a value | write wait: 2d",
        "event: one thing at a time: 2 events in one mapping | write each as an element of the list",
        #"instant: "today" is no instant | write it as in RFC 3339: 2025-01-01T00:00:00Z"#,
      ])
  }

  @Test func together() {
    expectComplaints(
      head
        + "steps:\n  - parallel: [loadAccount, ⟦{parallel: [silent]}⟧, ⟦{listAccounts: {}, on: {found: end}}⟧]\n  - parallel: ⟦[]⟧\n    id: b",
      [
        "parallel: steps that are done together cannot be nested | make it a step of its own",
        "parallel: a member of parallel goes nowhere: `on` belongs to the parallel step | make it a step of its own",
        "empty-value: nothing is done together here | list the steps: [silent, silent]",
      ])
  }

  @Test func otherWorkflows() {
    expectComplaints(
      head
        + "steps:\n  - use: ⟦nope.yaml⟧\n  - {id: b, use: {workflow: sub/a.yaml, with: {⟦whom⟧: x}}}\n  - {id: c, use: ⟦sub/../me.yaml⟧}",
      [
        "use-file: nope.yaml cannot be read: no such file: nope.yaml",
        #"unknown-name: "whom" is not an input of sub/a.yaml | did you mean "who"?"#,
        "use-cycle: this workflow uses itself: me.yaml → me.yaml | break the circle",
      ],
      files: [
        "sub/a.yaml": "authflow: 1\ninputs: {who: {}}\nsteps: [listAccounts, {use: b.yaml}]",
        "sub/b.yaml": "authflow: 1\nsteps: [listAccounts]",
      ])
  }

  @Test func notAWorkflow() {
    expectComplaints(
      "⟦name: x\nsteps: [silent]⟧",
      [
        #"missing-key: a workflow needs the key "authflow": the language's version, 1; this key makes a file a workflow"#
      ])
    expectComplaints(
      "⟦[1]⟧", ["wrong-type: expected a mapping with the keys of a workflow, found a list"])
    expectComplaints(
      #"{"authflow": ⟦"1"⟧, "steps": ⟦"silent"⟧}"#,
      ["wrong-type: expected the number 1, found a string", "wrong-type: expected a list of steps, found a string"],
      named: "me.json")
    expectComplaints(
      "authflow: ⟦2⟧\nsteps: ⟦[]⟧",
      [
        "language-version: version 2 of the language is not known | write authflow: 1",
        "empty-value: a workflow without steps does nothing | begin with - loadAccount",
      ])
  }
}
