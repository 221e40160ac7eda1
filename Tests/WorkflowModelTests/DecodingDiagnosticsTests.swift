import Diagnostics
import Testing

import WorkflowModel

/// Tests the exact messages and locations of decoding diagnostics.
@Suite struct DecodingDiagnosticsTests {
  @Test func reportsUnknownStepTypes() {
    expectDiagnostics(
      head + "steps: [⟦slient⟧, {⟦callGrph⟧: /me}]",
      [
        "unknown-name: `slient` is not a step type | did you mean `silent`?",
        "unknown-name: `callGrph` is not a step type | did you mean `callGraph`?",
      ])
  }

  @Test func reportsUnknownKeys() {
    expectDiagnostics(
      head + "⟦scenarois⟧: {}\nsteps:\n  - silent: {⟦forceRefesh⟧: true}\n    ⟦expct⟧: {}\n  - interactive-fallback",
      [
        "unknown-key: unknown key `scenarois` in a workflow…",
        "unknown-key: unknown key `forceRefesh` in `silent`…",
        "unknown-key: unknown key `expct` in a step…",
      ])
  }

  @Test func reportsParametersOutsideTheStepType() {
    expectDiagnostics(
      head + "steps:\n  - loadAccount\n  - silent:\n    ⟦forceRefresh⟧: true\n  - interactive-fallback",
      [
        "unknown-key: misplaced key `forceRefresh`: it is a parameter of `silent` | indent it under `silent:`, or write `silent: {forceRefresh: …}`"
      ])
  }

  @Test func reportsABareStepTypeAfterTheID() {
    expectDiagnostics(
      head + "steps:\n  - id: x\n    ⟦silent⟧\n  - id: y\n    ⟦silent⟧\n    when: fallback",
      [
        "yaml-syntax: bare step type after another key | write `silent: {}`",
        "yaml-syntax: bare step type after another key | write `silent: {}`",
      ])
    expectDiagnostics(
      head + "steps:\n  - id: x\n      ⟦silent⟧\n",
      ["bare-step-type: bare step type after `id:`: YAML joins both lines into one string | write `silent: {}`"])
  }

  @Test func reportsUnquotedTemplates() {
    expectDiagnostics(
      head + "user: {mfa: {totp: ⟦${secret:SEED}⟧}}\nsteps: [loadAccount, silent, interactive-fallback]",
      [
        "yaml-syntax: missing quotes: in `{…}` and `[…]`, YAML ends `${secret:SEED}` at a bracket or brace | quote the value: `'${secret:SEED}'`"
      ])
  }

  @Test func reportsUnquotedPaths() {
    expectDiagnostics(
      head + "steps:\n  - callGraph: /me\n    capture: {a: ⟦$.value[0].id⟧}",
      [
        "yaml-syntax: missing quotes: in `{…}` and `[…]`, YAML ends `$.value[0].id` at a bracket or brace | quote the value: `'$.value[0].id'`"
      ])
  }

  @Test func reportsValuesSplitAtAComma() {
    expectDiagnostics(
      head + "steps:\n  - loadAccount\n  - silent\n  - interactive-fallback\n  - callGraph: {get: ⟦/me?$select=a,b⟧}",
      [
        "split-at-comma: value is split at the comma: `b` is read as a separate key | quote the value: `'/me?$select=a,b'`"
      ])
  }

  @Test func reportsMissingOrMultipleStepTypes() {
    expectDiagnostics(
      head
        + "steps:\n  - loadAccount: {}\n    ⟦wait⟧: 1s\n  - ⟦{}⟧\n  - ⟦3⟧\n  - ⟦wait⟧\n  - ⟦callGraph⟧\n  - ⟦when: fallback⟧",
      [
        "multiple-step-types: more than one step type: `loadAccount`, `wait` | start a separate step with `- ` for each",
        "missing-step-type: missing step type | add one of \(StepKind.keys.map { "`\($0)`" }.joined(separator: ", "))",
        "wrong-type: expected a step: a step type such as `silent`, or a mapping such as `{callGraph: /me}`, found a number",
        "empty-value: missing value for `wait` | write `wait: 5m`",
        "missing-key: missing path in `callGraph` | write `callGraph: /me` or `{get: /me}`",
        "missing-step-type: missing step type | add one of \(StepKind.keys.map { "`\($0)`" }.joined(separator: ", "))",
      ])
  }

  @Test func reportsEmptyStrings() {
    expectDiagnostics(
      head + "steps:\n  - loadAccount\n  - silent\n  - interactive-fallback: ⟦\"\"⟧",
      [
        "wrong-type: `interactive` takes a mapping, found a string | use `interactive-fallback: {}` for no parameters"
      ])
  }

  @Test func reportsInvalidStepIDs() {
    expectDiagnostics(
      head
        + "steps:\n  - loadAccount\n  - silent\n  - interactive-fallback\n  - ⟦silent⟧\n  - {id: ⟦next⟧, wait: 1s}\n  - {id: ⟦status⟧, wait: 1s}\n  - {id: ⟦a b⟧, wait: 1s}",
      [
        "duplicate-id: more than one `silent` step without an `id` | add a unique `id`",
        "reserved-id: reserved step ID `next` | do not use `account`, `attempts`, `duration`, `end`, `error`, `fail`, `headers`, `idToken`, `next`, `outcome`, `previousAccount`, `scopes`, `screens`, `sent`, `status`, `tokenSource`, `webview`",
        "reserved-id: reserved step ID `status` | do not use `account`, `attempts`, `duration`, `end`, `error`, `fail`, `headers`, `idToken`, `next`, `outcome`, `previousAccount`, `scopes`, `screens`, `sent`, `status`, `tokenSource`, `webview`",
        "invalid-id: invalid step ID `a b` | use letters, digits, `-`, and `_`",
      ])
  }

  @Test func reportsInvalidDurations() {
    expectDiagnostics(
      head
        + "steps:\n  - wait: ⟦30⟧\n  - wait: ⟦5 minutes⟧\n    id: b\n  - wait: ⟦99999999d⟧\n    id: c\n  - wait: ⟦[1s]⟧\n    id: d",
      [
        "duration: missing unit in duration `30` | use `30s` for seconds, or the units `ms`, `m`, `h`, or `d`",
        "duration: invalid duration `5 minutes` | use an integer and a unit: `500ms`, `30s`, `5m`, `2h`, or `90d` (at most `36525d`)",
        "duration: invalid duration `99999999d` | use an integer and a unit: `500ms`, `30s`, `5m`, `2h`, or `90d` (at most `36525d`)",
        "wrong-type: expected a duration such as `30s`, `5m`, `2h`, or `90d`, found a list",
      ])
  }

  @Test func translatesPromptNamesFromOtherPlatforms() {
    expectDiagnostics(
      head
        + "steps:\n  - interactive: {prompt: ⟦SELECT_ACCOUNT⟧}\n  - id: b\n    interactive: {prompt: ⟦forceLogin⟧}\n  - id: c\n    interactive: {prompt: ⟦noPrompt⟧}\n  - id: d\n    interactive: {prompt: ⟦sometimes⟧}",
      [
        "prompt-name: `SELECT_ACCOUNT` is a name from another platform; authflow uses `selectAccount` | write `prompt: selectAccount`",
        "prompt-name: `forceLogin` is a name from another platform; authflow uses `login` | write `prompt: login`",
        "prompt-name: `noPrompt` is a name from another platform; authflow uses `never` | write `prompt: never`",
        "unknown-value: unknown value `sometimes`…",
      ], least: .note)
  }

  @Test func reportsInvalidCalls() {
    expectDiagnostics(
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
        "graph-path: invalid Microsoft Graph path `me` | start the path with a slash, as in `/me`",
        "contradiction: more than one method in a request | use a separate step for each request",
        "contradiction: `pages` requires a `get` request",
        "url: invalid API URL `example.com` | use an absolute URL such as `https://api.contoso.com/items`",
        "missing-key: missing key `url` in `callAPI` | write `callAPI: {url: https://…}`",
        "out-of-range: …",
        "missing-key: missing path in batch request | write `{id: me, get: /me}`",
      ])
  }

  @Test func reportsMalformedTemplates() {
    expectDiagnostics(
      head + #"""
        inputs: {a: {}}
        steps:
          - callAPI: "https://x/⟦${b c}⟧"
          - {id: b, callAPI: "https://x/⟦${foo:BAR}⟧"}
          - {id: c, callAPI: "https://x/⟦${a⟧"}
          - {id: d, callAPI: "https://x/⟦${}⟧"}
        """#,
      [
        "template: invalid name `b c` | use letters, digits, `_`, and `-`; expressions are not supported",
        "template: unknown source `foo:` | use `${name}` for a capture or an input, `${env:NAME}`, or `${secret:NAME}`",
        "template: missing `}` after `${` | add `}`, or write `$${` for a literal `${`",
        "template: missing name in `${}` | use letters, digits, `_`, and `-`; expressions are not supported",
      ])
  }

  @Test func locatesErrorsInsidePathsAndPatterns() {
    expectDiagnostics(
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
        "jsonpath: invalid JSONPath `$.a[`: …",
        "i-regexp: invalid I-Regexp `(a`: …",
        "matcher: unknown matcher `greater_than` | did you mean `greaterThan`?",
        "matcher: unknown matcher `foo` | use only matchers, or compare with a mapping: `equals: {…}`",
        "matcher: unknown matcher `contians`; the mapping is compared as a value | did you mean `contains`? If not, use `equals: {…}`",
        "unknown-value: unknown value `strin`…",
      ])
  }

  @Test func reportsInvalidUserBehavior() {
    expectDiagnostics(
      head + "user: {mfa: ⟦aprove⟧, cancels: ⟦consnt⟧, consent: ⟦maybe⟧, delay: ⟦3⟧, ⟦pick⟧: x}\nsteps: [listAccounts]",
      [
        "unknown-value: unknown value `aprove`…",
        "unknown-value: unknown value `consnt`…",
        "unknown-value: unknown value `maybe`…",
        "duration: missing unit in duration `3` | use `3s` for seconds, or the units `ms`, `m`, `h`, or `d`",
        "unknown-key: unknown key `pick` in a user behavior…",
      ])
  }

  @Test func reportsInvalidInputDeclarations() {
    expectDiagnostics(
      head + "inputs: {a: {type: integer, default: ⟦x⟧}, b: ⟦5⟧, c: {type: ⟦strin⟧}, ⟦d e⟧: {}}\nsteps: [listAccounts]",
      [
        "input-default: default of input `a` is not of type integer, found a string",
        "wrong-type: input `b` requires a mapping, found a number | write `b: {type: integer, default: …}`",
        "unknown-value: unknown value `strin`…",
        "invalid-name: invalid input name `d e` | use letters, digits, `_`, and `-`",
      ])
  }

  @Test func reportsInvalidEvents() {
    expectDiagnostics(
      head
        + "steps: [listAccounts]\nscenarios:\n  one:\n    given: [⟦signedin⟧: megan, fault: {at: ⟦nowhere⟧, response: {⟦statos⟧: 1}}, ⟦wait⟧, ⟦{wait: 2d, online: {}}⟧, clock: ⟦today⟧]",
      [
        "unknown-event: unknown event `signedin`…",
        "unknown-value: unknown endpoint `nowhere`…",
        "unknown-key: unknown key `statos`…",
        "event: …",
        "event: …",
        "instant: `today`…",
      ])
  }

  @Test func reportsInvalidParallelMembers() {
    expectDiagnostics(
      head
        + "steps:\n  - parallel: [loadAccount, ⟦{parallel: [silent]}⟧, ⟦{listAccounts: {}, on: {found: end}}⟧]\n  - parallel: ⟦[]⟧\n    id: b",
      [
        "parallel: `parallel` cannot be nested | move it out of `parallel`",
        "parallel: `on` is not supported in members of `parallel`; use it in the `parallel` step | move it out of `parallel`",
        "empty-value: empty `parallel` | add steps, such as `[silent, silent]`",
      ])
  }

  @Test func reportsInvalidNestedWorkflows() {
    expectDiagnostics(
      head
        + "steps:\n  - use: ⟦nope.yaml⟧\n  - {id: b, use: {workflow: sub/a.yaml, with: {⟦whom⟧: x}}}\n  - {id: c, use: ⟦sub/../me.yaml⟧}",
      [
        "use-file: cannot read `nope.yaml`: no such file: nope.yaml",
        "unknown-name: `whom` is not an input of `sub/a.yaml` | did you mean `who`?",
        "use-cycle: workflow uses itself: me.yaml → me.yaml | remove one `use` from the cycle",
      ],
      files: [
        "sub/a.yaml": "authflow: 1\ninputs: {who: {}}\nsteps: [listAccounts, {use: b.yaml}]",
        "sub/b.yaml": "authflow: 1\nsteps: [listAccounts]",
      ])
  }

  @Test func reportsDocumentsThatAreNotWorkflows() {
    expectDiagnostics(
      "⟦name: x\nsteps: [silent]⟧",
      [
        "missing-key: missing key `authflow` in a workflow…"
      ])
    expectDiagnostics(
      "⟦[1]⟧", ["wrong-type: expected a mapping with the keys of a workflow, found a list…"])
    expectDiagnostics(
      #"{"authflow": ⟦"1"⟧, "steps": ⟦"silent"⟧}"#,
      ["wrong-type: expected the number 1, found a string…", "wrong-type: expected a list of steps, found a string…"],
      named: "me.json")
    expectDiagnostics(
      "authflow: ⟦2⟧\nsteps: ⟦[]⟧",
      [
        "language-version: unsupported version 2 | use `authflow: 1`",
        "empty-value: workflow has no steps | add a step, such as `- loadAccount`",
      ])
  }
}
