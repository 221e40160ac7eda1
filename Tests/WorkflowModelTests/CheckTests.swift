import Diagnostics
import Documents
import TestSupport
import Testing

import WorkflowModel

/// What the static checks say, each at its place.
@Suite struct CheckTests {
  @Test func everyCheckIsListedAndHasItsFile() throws {
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

  @Test func unknownTarget() {
    expectComplaints(
      head + "steps:\n  - listAccounts:\n    on: {found: ⟦tidyup⟧, notFound: ⟦zzz⟧}\n  - {id: tidyUp, wait: 1s}",
      [
        #"unknown-target: there is no step called "tidyup" | did you mean "tidyUp"?"#,
        #"unknown-target: there is no step called "zzz" | it is one of listAccounts, tidyUp, next, end, fail"#,
      ])
  }

  @Test func unknownOutcome() {
    expectComplaints(
      head
        + "steps:\n  - signout:\n    on: {⟦sucess⟧: end, internal: end}\n    retry: {on: [⟦offlin⟧, error]}\n    expect: {outcome: ⟦done⟧}",
      [
        #"unknown-outcome: signout never ends in "sucess" | did you mean "success"?"#,
        #"unknown-outcome: signout never ends in "offlin" | did you mean "offline"?"#,
        #"unknown-outcome: signout never ends in "done" | it ends in one of success, notFound, interactionRequired, serverProtectionPoliciesRequired, userCanceled, serverInvalidRequestResetPasswordRequired, invalidScope, invalidClient, invalidParameter, failedAuthorityValidation, invalidResponse, unhandledResponse, unexpected, invalidRequest, invalidGrant, unauthorizedClient, authorizationFailed, serverError, nonHttpsRedirect, invalidState, interactiveSessionAlreadyRunning, noViewController, offline, timedOut, skipped, exhausted"#,
      ])
  }

  @Test func unreachableStep() {
    expectComplaints(
      head
        + "steps:\n  - listAccounts:\n    on: {found: end, notFound: last}\n  - {id: ⟦lost⟧, wait: 1s}\n  - {id: last, wait: 1s}",
      [
        #"unreachable-step: nothing leads to the step "lost" | no outcome of listAccounts goes on to it, and no `on` names it"#
      ])
  }

  @Test func fallbackThatNothingCanEnter() {
    expectComplaints(
      head
        + "steps:\n  - ⟦interactive-fallback⟧\n  - loadAccount\n  - silent:\n    on: {interactionRequired: end}\n  - interactive:\n    when: fallback\n  - id: ⟦code⟧\n    deviceCode: {}\n    when: fallback",
      [
        #"fallback-never-entered: nothing can fall back on "interactive-fallback", so it is always skipped | put a loadAccount or a silent before it, or take the fallback away: interactive"#,
        #"fallback-never-entered: nothing can fall back on "code", so it is always skipped | put a loadAccount or a silent before it, or take the fallback away: deviceCode"#,
      ])
  }

  @Test func fallbackOutcomeWithoutFallback() {
    expectComplaints(
      head + "steps:\n  - ⟦loadAccount⟧\n  - silent:\n    on: {error: end}",
      [
        "missing-fallback: when loadAccount ends in notFound, the workflow fails: no later step is there as a fallback | add interactive-fallback after it, or say where to go: on: {notFound: …}"
      ])
  }

  @Test func callBeforeToken() {
    expectComplaints(
      head
        + "steps:\n  - ⟦callGraph⟧: /me\n  - loadAccount\n  - silent:\n    on: {interactionRequired: next}\n  - interactive-fallback\n  - id: ⟦second⟧\n    callGraph: /me",
      [
        "call-before-token: no token was acquired before callGraph: nothing is sent, and it ends in unauthorized | put loadAccount, silent and interactive-fallback before it",
        "call-before-token: second can be reached without a token: then nothing is sent, and it ends in unauthorized | see to it that every way there acquires one",
      ])
    // A workflow that shows just that says so.
    expectComplaints(head + "steps:\n  - callGraph: /me\n    expect: {outcome: unauthorized}", [])
  }

  @Test func tokensAreAClients() {
    expectComplaints(
      "authflow: 1\nclients: {mail: M.plist, notes: N.plist}\nsteps:\n  - loadAccount\n  - silent\n  - interactive-fallback\n  - callGraph: /me\n    client: mail\n  - id: ⟦notes⟧\n    callGraph: /me\n    client: notes\n  - wait: 1s\n    client: ⟦note⟧",
      [
        "call-before-token: no token was acquired before notes: nothing is sent, and it ends in unauthorized | put loadAccount, silent and interactive-fallback before it",
        #"unknown-client: there is no client called "note" | did you mean "notes"?"#,
      ])
  }

  @Test func interactiveBeforeSilent() {
    let words =
      "shows the sign-in page on every run, also where the cache holds a token | write loadAccount, silent, interactive-fallback: the page is shown only when it is needed"
    expectComplaints(
      head + "steps: [⟦interactive⟧, callGraph: /me]", ["interactive-before-silent: interactive \(words)"])
    expectComplaints(
      head + "steps: [⟦interactive⟧, silent, callGraph: /me]", ["interactive-before-silent: interactive \(words)"])
    // A prompt is asked for on purpose, and so is consent to more than is asked for silently later.
    expectComplaints(head + "steps: [interactive: {prompt: login}, callGraph: /me]", [])
    expectComplaints(
      head + "steps: [interactive: {scopes: [A]}, silent: {scopes: [B]}, interactive-fallback, callGraph: /me]", [])
  }

  @Test func loopsWithoutAWayOut() {
    expectComplaints(
      head + "steps:\n  - ⟦wait⟧: 1s\n    on: {success: wait}",
      [
        "endless-loop: wait leads back to itself, and nothing leads out | give one of them maxRuns, or an `on` that leads out"
      ])
    expectComplaints(
      head
        + "maxSteps: 7\nsteps:\n  - ⟦listAccounts⟧\n  - signout:\n    on: {success: listAccounts, notFound: listAccounts}",
      [
        "endless-loop: listAccounts, signout lead back to each other, until something fails or 7 steps are done | give one of them maxRuns, or an `on` that leads out"
      ])
    expectComplaints(head + "steps:\n  - wait: 1s\n    maxRuns: 3\n    on: {success: wait}", [])
    // Polling: found leads out.
    expectComplaints(
      head
        + "steps:\n  - listAccounts:\n    on: {notFound: pause}\n  - {id: stop, wait: 1s, on: {success: end}}\n  - {id: pause, wait: 1s, on: {success: listAccounts}}",
      [])
  }

  @Test func happensOnLive() {
    expectComplaints(
      head + "platform: live\nsteps:\n  - ⟦simulate⟧: [passwordChanged]",
      ["simulate-on-live: nothing can be made to happen on the live platform | run it emulated, or take the step away"])
  }

  @Test func happensOnLiveByTheCommandLine() throws {
    let flow = try workflow(#"[{"simulate": ["passwordChanged"]}]"#)
    #expect(WorkflowChecks.run(flow).isEmpty)
    #expect(WorkflowChecks.run(flow, platform: .live).map(\.rule) == ["simulate-on-live"])
  }

  @Test func namesThatNothingSets() {
    expectComplaints(
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
        #"unknown-name: nothing is called "whoo": it is no input, and no step captures it | did you mean "who"?"#,
        #"unknown-name: "late" is read before any step can have captured it | move the step that captures it before this one"#,
        #"unknown-name: nothing is called "whoo": it is no input, and no step captures it | did you mean "who"?"#,
        #"unknown-name: "late" is read before any step can have captured it | move the step that captures it before this one"#,
      ])
  }

  @Test func namesInPeopleAndScenarios() {
    expectComplaints(
      head
        + "user: \"⟦${me}⟧\"\ninputs: {you: {}}\nsteps: [listAccounts]\nscenarios: {a: {user: \"${you}\", given: [signedIn: \"⟦${they}⟧\"]}}",
      [
        #"unknown-name: nothing is called "me": it is no input, and no step captures it | for a variable of the environment, write ${env:me}"#,
        #"unknown-name: nothing is called "they": it is no input, and no step captures it | for a variable of the environment, write ${env:they}"#,
      ])
  }

  @Test func capturesOfALoopAreThereTheSecondTime() {
    expectComplaints(
      head + #"""
        steps:
          - wait: 1s
          - listAccounts: {username: "${next1}"}
            maxRuns: 3
            capture: {next1: "$[0].username"}
            on: {found: wait}
        """#, [])
  }

  @Test func wordsThatMeanNothing() {
    expectComplaints(
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
        #"unknown-word: "statuss" is no word of the language | did you mean "status"?"#,
        #"unknown-word: "error.cod" is no word of the language | did you mean "error.code"?"#,
        "unknown-word: tokenSource is never \"cash\" | it is one of cache, refreshToken, authorizationCode, deviceCode",
        #"unknown-word: there is no step called "slient" | did you mean "silent"?"#,
        #"unknown-word: "outcom" is no word of the language | did you mean "outcome"?"#,
        #"unknown-word: "nothing" is no word of the language | did you mean "$.nothing"?"#,
        #"unknown-word: "status" does not say of which step | in assert, write the step before it: silent.status"#,
        #"unknown-word: silent has no status | what is known of it is $, outcome, tokenSource, scopes, idToken, account, error, screens, sent, attempts, duration"#,
        #"unknown-word: there is no step called "silnt" | did you mean "silent"?"#,
      ])
  }

  @Test func scenarios() {
    expectComplaints(
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
        #"unknown-name: "topp" is not an input of this workflow | did you mean "top"?"#,
        #"scenario-outcome: no step of this workflow ends in "sucess" | did you mean "success"?"#,
        #"scenario-path: silent never ends in "succes" | did you mean "success"?"#,
        #"scenario-path: there is no step called "nope" | the steps are loadAccount, silent, interactive-fallback"#,
        #"path-entry: "silent" is no entry of a path | write step.outcome, such as silent.success, or ..."#,
        #"unknown-name: "grap" is not a place where requests are counted | did you mean "graph"?"#,
        "scenario-word: tokenSource is never \"cash\" | it is one of cache, refreshToken, authorizationCode, deviceCode",
        #"address: "tokenSource" does not say of which step | write step.tokenSource, such as silent.tokenSource"#,
        #"scenario-word: there is no step called "sillent" | did you mean "silent"?"#,
        #"unknown-name: "tp" is not an input, or a key of the user | did you mean "top"?"#,
        #"input-type: "top" is of the type integer, found a string"#,
      ])
  }

  @Test func settingsAndClients() {
    expectComplaints(
      "authflow: 1\nsettings: S.plist\n⟦clients⟧: {mail: M.plist}\nsteps: [listAccounts]",
      [
        "settings-and-clients: settings are for one app, clients for several: both are given | make the settings one of the clients"
      ])
    expectComplaints(
      "⟦authflow⟧: 1\nsteps: [listAccounts]",
      [
        "settings-and-clients: without settings this workflow can only be used by another | write settings: AuthSettings.plist"
      ])
  }

  @Test func timeoutWithoutEffect() {
    expectComplaints(
      head + "steps:\n  - wait: 1s\n    ⟦timeout⟧: 3s\n  - signout:\n    timeout: 3s",
      ["timeout-without-effect: wait does not use the network: its timeout has no effect | take the timeout away"])
  }

  @Test func usedWorkflowsAreCheckedToo() throws {
    let flow = try workflow(
      #"["listAccounts", {"use": "inner.yaml"}]"#,
      files: ["inner.yaml": "authflow: 1\nsteps:\n  - listAccounts:\n    on: {found: nowhere}\n  - callGraph: /me\n"])
    let said = WorkflowChecks.run(flow)
    #expect(said.map(\.rule) == ["unknown-target"])
    #expect(said.first?.place.source.name == "inner.yaml")
  }

  /// With a step that could not be read the ways through the workflow are not known: nothing is guessed.
  @Test func oneMistakeIsToldOnce() {
    expectComplaints(
      head
        + "steps:\n  - loadAccount\n  - silent:\n    on: {serverDeclinedScopes: ask}\n  - id: ask\n    interactive: {⟦prmpt⟧: login}\n    when: fallback\n  - callGraph: /me\nscenarios: {a: {expect: {path: [ask.success]}}}",
      [#"unknown-key: "prmpt" is not a key of interactive | did you mean "prompt"?"#])
  }
}
