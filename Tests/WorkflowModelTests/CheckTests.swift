import Diagnostics
import Documents
import TestSupport
import Testing

import WorkflowModel

/// Tests the diagnostics of the static checks and their locations.
@Suite struct CheckTests {
  @Test func everyCheckIsListedAndHasAFile() throws {
    let files = try ProjectFiles.names(in: "Sources/WorkflowModel/Checks").filter {
      ![
        "WorkflowChecks.swift", "StepGraph.swift", "StepDataflow.swift", "CheckContext.swift",
        "PreconditionState.swift", "PathReachability.swift", "NameGuess.swift",
      ].contains($0)
    }
    let expected = WorkflowChecks.all.map { check in
      check.id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + ".swift"
    }
    #expect(Set(files) == Set(expected))
    #expect(Set(WorkflowChecks.all.map(\.id)).count == WorkflowChecks.all.count)
  }

  @Test func reportsUnknownTargets() {
    expectDiagnostics(
      head + "steps:\n  - listAccounts:\n    on: {found: ⟦tidyup⟧, notFound: ⟦zzz⟧}\n  - {id: tidyUp, wait: 1s}",
      [
        "unknown-target: unknown step `tidyup` | did you mean `tidyUp`?",
        "unknown-target: unknown step `zzz` | use one of `listAccounts`, `tidyUp`, `next`, `end`, `fail`",
      ])
  }

  @Test func reportsUnknownOutcomes() {
    expectDiagnostics(
      head
        + "steps:\n  - signout:\n    on: {⟦sucess⟧: end, internal: end}\n    retry: {on: [⟦offlin⟧, error]}\n    expect: {outcome: ⟦done⟧}",
      [
        "unknown-outcome: `signout` cannot have outcome `sucess` | did you mean `success`?",
        "unknown-outcome: `signout` cannot have outcome `offlin` | did you mean `offline`?",
        "unknown-outcome: `signout` cannot have outcome `done` | use one of `success`, `notFound`, `interactionRequired`, `serverProtectionPoliciesRequired`, `userCanceled`, `serverInvalidRequestResetPasswordRequired`, `invalidScope`, `invalidClient`, `invalidParameter`, `failedAuthorityValidation`, `invalidResponse`, `unhandledResponse`, `unexpected`, `invalidRequest`, `invalidGrant`, `unauthorizedClient`, `authorizationFailed`, `serverError`, `nonHttpsRedirect`, `invalidState`, `interactiveSessionAlreadyRunning`, `noViewController`, `offline`, `timedOut`, `skipped`, `exhausted`",
      ])
  }

  @Test func reportsUnreachableSteps() {
    expectDiagnostics(
      head
        + "steps:\n  - listAccounts:\n    on: {found: end, notFound: last}\n  - {id: ⟦lost⟧, wait: 1s}\n  - {id: last, wait: 1s}",
      [
        "unreachable-step: step `lost` is unreachable | remove the step, or add an `on` with this target to an earlier step"
      ])
  }

  @Test func reportsFallbacksThatNeverRun() {
    expectDiagnostics(
      head
        + "steps:\n  - ⟦interactive-fallback⟧\n  - loadAccount\n  - silent:\n    on: {interactionRequired: end}\n  - interactive:\n    when: fallback\n  - id: ⟦code⟧\n    deviceCode: {}\n    when: fallback",
      [
        "fallback-never-entered: no step can fall back to `interactive-fallback`, so it is always skipped | add `loadAccount` or `silent` before this step, or use `interactive` without `when: fallback`",
        "fallback-never-entered: no step can fall back to `code`, so it is always skipped | add `loadAccount` or `silent` before this step, or use `deviceCode` without `when: fallback`",
      ])
  }

  @Test func reportsMissingFallbacks() {
    expectDiagnostics(
      head + "steps:\n  - ⟦loadAccount⟧\n  - silent:\n    on: {error: end}",
      [
        "missing-fallback: no fallback for outcome `notFound` of step `loadAccount`: the workflow fails | add `interactive-fallback` after this step, or set a target: `on: {notFound: …}`"
      ])
  }

  @Test func reportsCallsWithoutAToken() {
    expectDiagnostics(
      head
        + "steps:\n  - ⟦callGraph⟧: /me\n  - loadAccount\n  - silent:\n    on: {interactionRequired: next}\n  - interactive-fallback\n  - id: ⟦second⟧\n    callGraph: /me",
      [
        "call-before-token: API call `callGraph` without a token; its outcome is always `unauthorized` | add `loadAccount`, `silent`, and `interactive-fallback` before this step",
        "call-before-token: API call `second` can run without a token; its outcome is then `unauthorized` | acquire a token on every path to this step",
      ])
    // If a workflow expects this outcome, the missing token is intentional.
    expectDiagnostics(head + "steps:\n  - callGraph: /me\n    expect: {outcome: unauthorized}", [])
  }

  @Test func aTokenIsAvailableOnlyToItsClient() {
    expectDiagnostics(
      "authflow: 1\nclients: {mail: M.plist, notes: N.plist}\nsteps:\n  - loadAccount\n  - silent\n  - interactive-fallback\n  - callGraph: /me\n    client: mail\n  - id: ⟦notes⟧\n    callGraph: /me\n    client: notes\n  - wait: 1s\n    client: ⟦note⟧",
      [
        "call-before-token: API call `notes` without a token; its outcome is always `unauthorized` | add `loadAccount`, `silent`, and `interactive-fallback` before this step",
        "unknown-client: unknown client `note` | did you mean `notes`?",
      ])
  }

  @Test func reportsInteractiveStepsBeforeSilentSteps() {
    let expected =
      "interactive-before-silent: `interactive` shows the sign-in page on every run, even if a token is cached | use `loadAccount`, `silent`, and `interactive-fallback` to show the page only if necessary"
    expectDiagnostics(head + "steps: [⟦interactive⟧, callGraph: /me]", [expected])
    expectDiagnostics(head + "steps: [⟦interactive⟧, silent, callGraph: /me]", [expected])
    // If a step has a prompt, or scopes that no later silent step requests, showing the page is intentional.
    expectDiagnostics(head + "steps: [interactive: {prompt: login}, callGraph: /me]", [])
    expectDiagnostics(
      head + "steps: [interactive: {scopes: [A]}, silent: {scopes: [B]}, interactive-fallback, callGraph: /me]", [])
  }

  @Test func reportsLoopsWithoutAnExit() {
    expectDiagnostics(
      head + "steps:\n  - ⟦wait⟧: 1s\n    on: {success: wait}",
      [
        "endless-loop: endless loop: step `wait` | set `maxRuns` on a step in the loop, or add an `on` target outside the loop"
      ])
    expectDiagnostics(
      head
        + "maxSteps: 7\nsteps:\n  - ⟦listAccounts⟧\n  - signout:\n    on: {success: listAccounts, notFound: listAccounts}",
      [
        "endless-loop: steps `listAccounts`, `signout` repeat until a step fails or `maxSteps` (7) is reached | set `maxRuns` on a step in the loop, or add an `on` target outside the loop"
      ])
    expectDiagnostics(head + "steps:\n  - wait: 1s\n    maxRuns: 3\n    on: {success: wait}", [])
    // The workflow polls, and `found` leaves the loop.
    expectDiagnostics(
      head
        + "steps:\n  - listAccounts:\n    on: {notFound: pause}\n  - {id: stop, wait: 1s, on: {success: end}}\n  - {id: pause, wait: 1s, on: {success: listAccounts}}",
      [])
  }

  @Test func reportsEventsWithTheLiveService() {
    expectDiagnostics(
      head + "platform: live\nsteps:\n  - ⟦simulate⟧: [passwordChanged]",
      [
        "simulate-on-live: simulated events are not supported with the live service | run the workflow with the emulator, or remove the step"
      ])
  }

  @Test func theCommandLinePlatformOverridesTheWorkflow() throws {
    let flow = try workflow(#"[{"simulate": ["passwordChanged"]}]"#)
    #expect(WorkflowChecks.run(flow).isEmpty)
    #expect(WorkflowChecks.run(flow, platform: .live).map(\.rule) == ["simulate-on-live"])
  }

  @Test func reportsUndefinedNames() {
    expectDiagnostics(
      head + #"""
        inputs: {top: {type: integer, default: 5}}
        steps:
          - listAccounts:
            capture: {who: "$[0].username"}
          - assert: {who: x, ⟦whoo⟧: y, top: 5, ⟦late⟧: z}
          - callAPI: {url: "https://x/⟦${whoo}⟧/⟦${late}⟧/${top}/${env:HOME}/$${who}"}
            capture: {late: $.id}
            expect: {outcome: unauthorized, $.id: "${late}"}
        """#,
      [
        "unknown-name: undefined name `whoo` | did you mean `who`?",
        "unknown-name: `late` is read before any step captures it | move the step that captures it before this one",
        "unknown-name: undefined name `whoo` | did you mean `who`?",
        "unknown-name: `late` is read before any step captures it | move the step that captures it before this one",
      ])
  }

  @Test func reportsUndefinedNamesInUsersAndScenarios() {
    expectDiagnostics(
      head
        + "user: \"⟦${me}⟧\"\ninputs: {you: {}}\nsteps: [listAccounts]\nscenarios: {a: {user: \"${you}\", given: [signedIn: \"⟦${they}⟧\"]}}",
      [
        "unknown-name: undefined name `me` | use `${env:me}` for an environment variable, or declare the name in `inputs`",
        "unknown-name: undefined name `they` | use `${env:they}` for an environment variable, or declare the name in `inputs`",
      ])
  }

  @Test func aCaptureIsAvailableInTheNextIterationOfALoop() {
    expectDiagnostics(
      head + #"""
        steps:
          - wait: 1s
          - listAccounts: {username: "${next1}"}
            maxRuns: 3
            capture: {next1: "$[0].username"}
            on: {found: wait}
        """#, [])
  }

  @Test func reportsUnknownResultFields() {
    expectDiagnostics(
      head + """
        steps:
          - loadAccount
          - silent:
            expect: {⟦statuss⟧: 200, ⟦error.cod⟧: x, tokenSource: ⟦cash⟧, ⟦slient.outcome⟧: success, ⟦loadAccount.outcom⟧: found}
            capture: {a: ⟦nothing⟧, b: silent.scopes, c: loadAccount.$.identifier}
          - interactive-fallback
          - assert: {⟦status⟧: 200, a.b: c, ⟦silent.status⟧: 1, ⟦silnt.status⟧: 2}
        """,
      [
        "unknown-result-field: unknown result field `statuss` | did you mean `status`?",
        "unknown-result-field: unknown result field `error.cod` | did you mean `error.code`?",
        "unknown-result-field: `tokenSource` is never `cash` | use one of `cache`, `refreshToken`, `authorizationCode`, `deviceCode`",
        "unknown-result-field: unknown step `slient` | did you mean `silent`?",
        "unknown-result-field: unknown result field `outcom` | did you mean `outcome`?",
        "unknown-result-field: unknown result field `nothing` | did you mean `$.nothing`?",
        "unknown-result-field: `status` is not a step | use `step.field` in `assert`, such as `silent.status`",
        "unknown-result-field: `silent` has no result field `status` | use one of `$`, `outcome`, `tokenSource`, `scopes`, `idToken`, `account`, `error`, `screens`, `sent`, `attempts`, `duration`",
        "unknown-result-field: unknown step `silnt` | did you mean `silent`?",
      ])
  }

  @Test func reportsInvalidScenarios() {
    expectDiagnostics(
      head + """
        inputs: {top: {type: integer, default: 1}}
        steps: [loadAccount, silent, interactive-fallback]
        scenarios:
          one:
            inputs: {⟦topp⟧: 3}
            expect:
              outcome: ⟦sucess⟧
              path: [⟦silent.succes⟧, ⟦nope.success⟧, ..., ⟦silent⟧]
              requests: {⟦grap⟧: 1}
              silent.tokenSource: ⟦cash⟧
              ⟦tokenSource⟧: cache
              ⟦sillent.status⟧: 1
            matrix: {⟦tp⟧: [1], top: [⟦a⟧]}
        """,
      [
        "unknown-name: `topp` is not an input of this workflow | did you mean `top`?",
        "scenario-outcome: no step can have outcome `sucess` | did you mean `success`?",
        "scenario-path: step `silent` cannot have outcome `succes` | did you mean `success`?",
        "scenario-path: unknown step `nope` | use one of `loadAccount`, `silent`, `interactive-fallback`",
        "path-entry: invalid path entry `silent` | use `step.outcome`, such as `silent.success`, or `...`",
        "unknown-name: `grap` is not a request counter | did you mean `graph`?",
        "scenario-result-field: `tokenSource` is never `cash` | use one of `cache`, `refreshToken`, `authorizationCode`, `deviceCode`",
        "result-path: `tokenSource` is not a step | use `step.tokenSource`, such as `silent.tokenSource`",
        "scenario-result-field: unknown step `sillent` | did you mean `silent`?",
        "unknown-name: `tp` is not an input or a key of `user` | did you mean `top`?",
        "input-type: input `top` expects type integer, found a string",
      ])
  }

  @Test func reportsSettingsTogetherWithClients() {
    expectDiagnostics(
      "authflow: 1\nsettings: S.plist\n⟦clients⟧: {mail: M.plist}\nsteps: [listAccounts]",
      [
        "settings-and-clients: `settings` and `clients` cannot be used together | move the settings into `clients`"
      ])
    expectDiagnostics(
      "⟦authflow⟧: 1\nsteps: [listAccounts]",
      [
        "settings-and-clients: no settings: this workflow can run only as part of another workflow | add `settings: AuthSettings.plist`"
      ])
  }

  @Test func reportsTimeoutsWithoutEffect() {
    expectDiagnostics(
      head + "steps:\n  - wait: 1s\n    ⟦timeout⟧: 3s\n  - signout:\n    timeout: 3s",
      ["timeout-without-effect: `timeout` has no effect: `wait` does not use the network | remove `timeout`"])
  }

  @Test func checksNestedWorkflows() throws {
    let flow = try workflow(
      #"["listAccounts", {"use": "inner.yaml"}]"#,
      files: ["inner.yaml": "authflow: 1\nsteps:\n  - listAccounts:\n    on: {found: nowhere}\n  - callGraph: /me\n"])
    let diagnostics = WorkflowChecks.run(flow)
    #expect(diagnostics.map(\.rule) == ["unknown-target"])
    #expect(diagnostics.first?.place.source.name == "inner.yaml")
  }

  /// If a step cannot be read, the paths through the workflow are unknown, so there are no diagnostics about paths.
  @Test func reportsAnErrorOnlyOnce() {
    expectDiagnostics(
      head
        + "steps:\n  - loadAccount\n  - silent:\n    on: {serverDeclinedScopes: ask}\n  - id: ask\n    interactive: {⟦prmpt⟧: login}\n    when: fallback\n  - callGraph: /me\nscenarios: {a: {expect: {path: [ask.success]}}}",
      ["unknown-key: unknown key `prmpt` in `interactive`…"])
  }
}
