import Documents
import IdentityPlatform
import Testing

import WorkflowModel

@Suite struct MachineTests {
  static let five = #"["loadAccount", "silent", "interactive-fallback", {"callGraph": "/me"}, "signout"]"#

  @Test func runsTheSilentPattern() throws {
    let (path, result, transcript) = run(
      try workflow(Self.five), ["loadAccount.found", "silent.success", "callGraph.success", "signout.success"])
    #expect(
      path == [
        "loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.success", "signout.success",
      ])
    #expect(result == "success")
    #expect(transcript.performed == ["loadAccount", "silent", "callGraph", "signout"])
  }

  @Test func aMissingAccountSkipsSilent() throws {
    let (path, result, _) = run(
      try workflow(Self.five),
      ["loadAccount.notFound", "interactive-fallback.success", "callGraph.success", "signout.notFound"])
    #expect(
      path == ["loadAccount.notFound", "interactive-fallback.success", "callGraph.success", "signout.notFound"])
    #expect(result == "success")
  }

  @Test func interactionRequiredLeadsToTheFallback() throws {
    let (path, result, _) = run(
      try workflow(Self.five),
      ["loadAccount.found", "silent.interactionRequired", "interactive-fallback.userCanceled"])
    #expect(path == ["loadAccount.found", "silent.interactionRequired", "interactive-fallback.userCanceled"])
    #expect(result == "userCanceled")
  }

  @Test func aFallbackInheritsMissingParameters() throws {
    let steps = #"""
      [{"silent": {"scopes": ["Mail.Read"], "authority": "https://a", "account": "u.t"}},
       {"interactive-fallback": {"authority": "https://b"}}]
      """#
    let (_, _, transcript) = run(try workflow(steps), ["silent.interactionRequired", "interactive-fallback.success"])
    let invocation = try #require(transcript.invocations.last)
    #expect(invocation.inheritedFrom == "silent")
    #expect(invocation.step.action.token?.scopes?.literal == ["Mail.Read"])
    #expect(invocation.step.action.token?.authority?.literal == "https://b")
    #expect(invocation.step.action.token?.account?.literal == "u.t")
  }

  @Test func theFallbackOfLoadAccountInheritsFromTheSkippedSilentStep() throws {
    let steps = #"["loadAccount", {"silent": {"scopes": ["Mail.Read"]}}, "interactive-fallback"]"#
    let (_, _, transcript) = run(try workflow(steps), ["loadAccount.notFound", "interactive-fallback.success"])
    let invocation = try #require(transcript.invocations.last)
    #expect(invocation.inheritedFrom == "silent")
    #expect(invocation.step.action.token?.scopes?.literal == ["Mail.Read"])
  }

  @Test func aFallbackSendsTheRequiredClaims() throws {
    let claims: JSON = ["access_token": ["acrs": ["essential": true, "value": "c1"]]]
    let (_, _, transcript) = run(
      try workflow(Self.five),
      [
        "loadAccount.found", .init("silent", .interactionRequired, ["challenge": claims]),
        "interactive-fallback.success",
      ])
    #expect(transcript.invocations[2].challengeClaims == claims)
  }

  @Test func aMissingFallbackFails() throws {
    let (path, result, _) = run(try workflow(#"["loadAccount", "silent"]"#), ["loadAccount.notFound"])
    #expect(path == ["loadAccount.notFound"])
    #expect(result == "notFound")
  }

  @Test func aClaimsChallengeLeadsToADetour() throws {
    let claims: JSON = ["access_token": ["nbf": ["essential": true, "value": "1"]]]
    let (path, result, transcript) = run(
      try workflow(Self.five),
      [
        "loadAccount.found", "silent.success", .init("callGraph", .claimsChallenge, ["challenge": claims]),
        "silent.success", "callGraph.success", "signout.success",
      ])
    #expect(
      path == [
        "loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.claimsChallenge",
        "silent.success", "callGraph.success", "signout.success",
      ])
    #expect(result == "success")
    #expect(transcript.invocations[3].challengeClaims == claims)
    #expect(transcript.invocations[4].challengeClaims == nil)
  }

  @Test func aFallbackDuringADetourSendsTheClaims() throws {
    let claims: JSON = ["access_token": ["nbf": ["essential": true, "value": "1"]]]
    let (path, result, transcript) = run(
      try workflow(Self.five),
      [
        "loadAccount.found", "silent.success", .init("callGraph", .claimsChallenge, ["challenge": claims]),
        "silent.interactionRequired", "interactive-fallback.success", "callGraph.success", "signout.success",
      ])
    #expect(
      path.suffix(5) == [
        "callGraph.claimsChallenge", "silent.interactionRequired", "interactive-fallback.success", "callGraph.success",
        "signout.success",
      ])
    #expect(result == "success")
    #expect(transcript.invocations[4].challengeClaims == claims)
  }

  @Test func aSecondChallengeFails() throws {
    let (path, result, _) = run(
      try workflow(Self.five),
      [
        "loadAccount.found", "silent.success", "callGraph.claimsChallenge", "silent.success",
        "callGraph.claimsChallenge",
      ])
    #expect(path.last == "callGraph.claimsChallenge")
    #expect(result == "claimsChallenge")
  }

  @Test(arguments: [
    // The outcome name takes precedence over `internal`, and `internal` takes precedence over `error`.
    ("invalidGrant", "a"), ("invalidScope", "b"), ("userCanceled", "c"), ("interactionRequired", "c"), ("offline", "c"),
    ("success", "next"),
  ])
  func specificHandlersTakePrecedence(_ outcome: String, _ target: String) throws {
    let steps = #"""
      [{"interactive": {}, "on": {"error": "c", "internal": "b", "invalidGrant": "a"}}, {"id": "next1", "wait": "1s"},
       {"id": "a", "wait": "1s"}, {"id": "b", "wait": "1s"}, {"id": "c", "wait": "1s"}]
      """#
    var transcript = Transcript(try workflow(steps))
    transcript.run([.init(stringLiteral: "interactive.\(outcome)")])
    #expect(transcript.performed.last == (target == "next" ? "next1" : target))
  }

  @Test func anErrorEntryInOnReplacesAMissingFallback() throws {
    let steps = #"[{"silent": {}, "on": {"error": "end"}}]"#
    let (_, result, _) = run(try workflow(steps), ["silent.interactionRequired"])
    #expect(result == "success")
  }

  @Test func theTargetEndSucceedsAndTheTargetFailFails() throws {
    let steps = #"[{"loadAccount": {}, "on": {"found": "fail", "notFound": "end"}}]"#
    #expect(run(try workflow(steps), ["loadAccount.found"]).result == "found")
    #expect(run(try workflow(steps), ["loadAccount.notFound"]).result == "success")
  }

  @Test func aTargetRunsAFallback() throws {
    let steps = #"[{"silent": {}, "on": {"serverDeclinedScopes": "interactive-fallback"}}, "interactive-fallback"]"#
    let (path, result, transcript) = run(
      try workflow(steps), ["silent.serverDeclinedScopes", "interactive-fallback.success"])
    #expect(path == ["silent.serverDeclinedScopes", "interactive-fallback.success"])
    #expect(result == "success")
    #expect(transcript.invocations.last?.inheritedFrom == "silent")
  }

  @Test func anUndeclaredOutcomeIsAFailure() throws {
    let steps = #"[{"silent": {}, "on": {"error": "end"}}]"#
    #expect(run(try workflow(steps), ["silent.brokerNotAvailable"]).result == "success")
    #expect(run(try workflow(#"["silent"]"#), ["silent.brokerNotAvailable"]).result == "brokerNotAvailable")
  }

  @Test func conditionsApplyToTargets() throws {
    let steps = #"""
      [{"interactive": {}, "capture": {"code": "error.code"}, "on": {"error": "reset", "success": "end"}},
       {"id": "reset", "interactive": {}, "when": {"code": "AADB2C90118"}, "on": {"skipped": "fail"}}]
      """#
    let forgot = Transcript.Line("interactive", .internal(.authorizationFailed), ["error": ["code": "AADB2C90118"]])
    let (path, result, _) = run(try workflow(steps), [forgot, "reset.success"])
    #expect(path == ["interactive.authorizationFailed", "reset.success"])
    #expect(result == "success")
    let (other, failed, _) = run(try workflow(steps), ["interactive.userCanceled"])
    #expect(other == ["interactive.userCanceled", "reset.skipped"])
    #expect(failed == "skipped")
  }

  @Test func aRetryIsOneEntryInThePath() throws {
    let steps = #"[{"silent": {}, "retry": {"attempts": 3, "on": ["offline"], "wait": "30s"}}]"#
    let (path, result, transcript) = run(try workflow(steps), ["silent.offline", "silent.offline", "silent.success"])
    #expect(path == ["silent.success"])
    #expect(result == "success")
    #expect(transcript.performed == ["silent", "silent/2", "silent/3"])
    #expect(transcript.invocations.map(\.delay) == [nil, .seconds(30), .seconds(30)])
    #expect(transcript.machine.facts.facts(of: .init("silent"))?["attempts"] == 3)
  }

  @Test func aRetryWaitsAsLongAsRetryAfterSpecifies() throws {
    let steps = #"[{"callGraph": "/me", "retry": {"attempts": 4}}]"#
    let (_, result, transcript) = run(
      try workflow(steps),
      [
        .init("callGraph", .throttled, ["retryAfter": 7]), "callGraph.throttled", "callGraph.offline",
        "callGraph.throttled",
      ])
    #expect(transcript.invocations.map(\.delay) == [nil, .seconds(7), .seconds(2), .seconds(4)])
    #expect(result == "throttled")
  }

  @Test func aStepBeyondItsMaxRunsIsExhausted() throws {
    let steps =
      #"[{"callGraph": "/me", "maxRuns": 2, "on": {"notFound": "pause"}}, {"id": "pause", "wait": "1s", "on": {"success": "callGraph"}}]"#
    let (path, result, _) = run(
      try workflow(steps), ["callGraph.notFound", "pause.success", "callGraph.notFound", "pause.success"])
    #expect(path.last == "callGraph.exhausted")
    #expect(result == "exhausted")
  }

  @Test func aWorkflowAlwaysEnds() throws {
    let flow = try workflow(#"[{"wait": "1s", "on": {"success": "wait"}}]"#, #""maxSteps": 50"#)
    var machine = WorkflowMachine(flow)
    var action = machine.start()
    var turns = 0
    while case .perform = action {
      turns += 1
      action = machine.finished("wait", StepReport(.success))
    }
    #expect(turns == 50)
    guard case .finish(let result) = action, case .tooManySteps(50) = result.reason else {
      Issue.record("unexpected action: \(action)")
      return
    }
    #expect(result.outcome == .exhausted)
  }

  @Test func anEndlessLoopOfSkippedStepsEndsAtTheStepLimit() throws {
    let flow = try workflow(
      #"[{"wait": "1s", "when": {"never": true}, "on": {"skipped": "wait"}}]"#,
      #""inputs": {"never": {"type": "boolean"}}"#)
    #expect(run(flow, []).result == "exhausted")
  }

  @Test func expectIsEvaluatedOnSuccess() throws {
    let steps = #"[{"callGraph": "/me", "expect": {"status": 200, "$.displayName": "Megan"}}]"#
    let good = Transcript.Line("callGraph", .success, ["status": 200, "$": ["displayName": "Megan"]])
    #expect(run(try workflow(steps), [good]).result == "success")
    let bad = Transcript.Line("callGraph", .success, ["status": 200, "$": ["displayName": "Alex"]])
    let (path, result, transcript) = run(try workflow(steps), [bad])
    #expect(path == ["callGraph.success"])
    #expect(result == "violated")
    guard case .expectation(let results)? = transcript.result?.reason else {
      Issue.record("no failed expectation")
      return
    }
    #expect(results.map(\.message) == [#"expected $.displayName to be "Megan", found "Alex""#])
    // The machine does not evaluate `expect` for a failure that `expect` does not contain.
    #expect(run(try workflow(steps), ["callGraph.forbidden"]).result == "forbidden")
  }

  @Test func anOutcomeInExpectCountsAsHandled() throws {
    let steps = #"[{"callGraph": "/users", "expect": {"outcome": "forbidden", "status": 403}}, {"wait": "1s"}]"#
    let (path, result, _) = run(
      try workflow(steps), [.init("callGraph", .forbidden, ["status": 403]), "wait.success"])
    #expect(path == ["callGraph.forbidden", "wait.success"])
    #expect(result == "success")
    #expect(run(try workflow(steps), [.init("callGraph", .forbidden, ["status": 401])]).result == "violated")
    #expect(run(try workflow(steps), [.init("callGraph", .success, ["status": 200])]).result == "violated")
    #expect(run(try workflow(steps), ["callGraph.throttled"]).result == "throttled")
  }

  @Test func expectIsEvaluatedOnNeutralOutcomes() throws {
    let steps = #"[{"listAccounts": {}, "expect": {"$": {"count": 2}}}]"#
    #expect(run(try workflow(steps), [.init("listAccounts", .notFound, ["$": []])]).result == "violated")
  }

  @Test func capturesAreSetOnEveryOutcome() throws {
    let steps = #"""
      [{"callGraph": "/me", "capture": {"email": ["$.mail", "$.userPrincipalName"], "gone": "$.nothing"}, "on": {"error": "next"}},
       {"callAPI": {"url": "https://api.contoso.com/${email}", "query": {"a": "${email}", "b": "${gone}"}}},
       {"assert": {"email": "megan@contoso.com", "callGraph.outcome": "forbidden"}}]
      """#
    let me = Transcript.Line("callGraph", .forbidden, ["$": ["mail": nil, "userPrincipalName": "megan@contoso.com"]])
    let (path, result, transcript) = run(try workflow(steps), [me, "callAPI.success"])
    #expect(path == ["callGraph.forbidden", "callAPI.success", "assert.holds"])
    #expect(result == "success")
    let invocation = transcript.invocations[1]
    guard case .callAPI(let call) = invocation.step.action else { return }
    #expect(try call.url?.resolved(in: invocation.scope) == "https://api.contoso.com/megan@contoso.com")
    let query = try call.request.query.map { (name: $0.key, value: try $0.value.resolved(in: invocation.scope)) }
    #expect(query.map(\.name) == ["a", "b"])
    #expect(query.map(\.value) == ["megan@contoso.com", nil])
    #expect(JSON.object(transcript.machine.scope.names)["gone"] == .null)
  }

  @Test func aViolatedAssertFails() throws {
    let (path, result, _) = run(
      try workflow(#"[{"assert": {"x": 2}}]"#, #""inputs": {"x": {"type": "integer", "default": 1}}"#), [])
    #expect(path == ["assert.violated"])
    #expect(result == "violated")
  }

  @Test func aParallelStepHasTheOutcomeOfItsFirstFailedMember() throws {
    let steps =
      #"[{"parallel": ["silent", "silent", {"callGraph": "/me"}]}, {"assert": {"silent#2.tokenSource": "cache"}}]"#
    let (path, result, transcript) = run(
      try workflow(steps),
      ["silent#1.success", .init("silent#2", .success, ["tokenSource": "cache"]), "callGraph#1.success"])
    #expect(path == ["parallel.success", "assert.holds"])
    #expect(result == "success")
    #expect(transcript.performed == ["silent#1", "silent#2", "callGraph#1"])
    let (failed, reason, _) = run(
      try workflow(steps), ["silent#2.interactionRequired", "callGraph#1.throttled", "silent#1.success"])
    #expect(failed == ["parallel.interactionRequired"])
    #expect(reason == "interactionRequired")
  }

  @Test func retriesParallelMembersIndividually() throws {
    let steps = #"[{"parallel": [{"silent": {}, "retry": {"attempts": 2}}, "silent"]}]"#
    let (path, _, transcript) = run(
      try workflow(steps), ["silent#1.offline", "silent#2.success", "silent#1.success"])
    #expect(path == ["parallel.success"])
    #expect(transcript.performed == ["silent#1", "silent#2", "silent#1/2"])
  }

  static let login = #"""
    {"authflow": 1, "inputs": {"who": {"type": "string", "required": true}},
     "steps": [{"loadAccount": {"username": "${who}"}, "capture": {"account": "$.identifier"}}, "silent", "interactive-fallback"]}
    """#

  @Test func aUseStepRunsANestedWorkflow() throws {
    let steps = #"""
      [{"id": "login", "use": {"workflow": "login.json", "with": {"who": "megan@contoso.com"}}},
       {"assert": {"login/silent.tokenSource": "cache", "account": "u.t"}}]
      """#
    let (path, result, transcript) = run(
      try workflow(steps, files: ["login.json": Self.login]),
      [
        .init("login/loadAccount", .found, ["$": ["identifier": "u.t"]]),
        .init("login/silent", .success, ["tokenSource": "cache"]),
      ])
    #expect(path == ["login.success", "assert.holds"])
    #expect(result == "success")
    guard case .loadAccount(let load) = transcript.invocations[0].step.action else { return }
    #expect(try load.username?.resolved(in: transcript.invocations[0].scope) == "megan@contoso.com")
  }

  @Test func aUseStepHasTheOutcomeOfItsNestedWorkflow() throws {
    let steps =
      #"[{"id": "login", "use": {"workflow": "login.json", "with": {"who": "x"}}, "on": {"userCanceled": "end"}}]"#
    let flow = try workflow(steps, files: ["login.json": Self.login])
    let (path, result, _) = run(flow, ["login/loadAccount.notFound", "login/interactive-fallback.userCanceled"])
    #expect(path == ["login.userCanceled"])
    #expect(result == "success")
    #expect(run(flow, ["login/loadAccount.found", "login/silent.invalidScope"]).result == "invalidScope")
  }

  @Test func finallyAlwaysRuns() throws {
    let more = #""finally": [{"id": "tidy", "signout": {}}, {"id": "pause", "wait": "1s"}]"#
    let (path, result, _) = run(
      try workflow(#"["silent"]"#, more), ["silent.invalidScope", "tidy.success", "pause.success"])
    #expect(path == ["silent.invalidScope", "tidy.success", "pause.success"])
    #expect(result == "invalidScope")
    #expect(
      run(try workflow(#"["silent"]"#, more), ["silent.success", "tidy.success", "pause.success"]).result == "success")
    // If a `finally` step fails, the remaining `finally` steps still run, and the failure determines the result.
    let (rest, late, _) = run(
      try workflow(#"["silent"]"#, more), ["silent.success", "tidy.invalidParameter", "pause.success"])
    #expect(rest == ["silent.success", "tidy.invalidParameter", "pause.success"])
    #expect(late == "invalidParameter")
  }

  @Test func addressesSelectRunsByNumber() throws {
    let steps = #"""
      [{"silent": {}, "on": {"success": "next"}}, {"id": "again", "wait": "1s", "when": {"silent.tokenSource": "refreshToken"}, "on": {"success": "silent"}},
       {"assert": {"silent[1].tokenSource": "refreshToken", "silent.tokenSource": "cache", "silent[2].tokenSource": "cache"}}]
      """#
    let (path, result, _) = run(
      try workflow(steps),
      [
        .init("silent", .success, ["tokenSource": "refreshToken"]), "again.success",
        .init("silent", .success, ["tokenSource": "cache"]),
      ])
    #expect(path == ["silent.success", "again.success", "silent.success", "again.skipped", "assert.holds"])
    #expect(result == "success")
  }

  @Test func eventsContainTheRuleOfEachTransition() throws {
    let flow = try workflow(#"["loadAccount", {"silent": {}, "on": {"error": "end"}}, "interactive-fallback"]"#)
    var machine = WorkflowMachine(flow)
    _ = machine.start()
    _ = machine.finished("loadAccount", StepReport(.found))
    _ = machine.finished("silent", StepReport(.offline))
    let rules = machine.takeEvents().compactMap { event -> String? in
      if case .moved(let from, let outcome, let to, let rule) = event {
        "\(from).\(outcome) → \(to): \(rule.description)"
      } else {
        nil
      }
    }
    #expect(
      rules == [
        "loadAccount.found → silent: default of loadAccount: found → next",
        "silent.offline → success: on.error at me.yaml:1",
      ])
    #expect(machine.takeEvents().isEmpty)
  }

  @Test func theResultOfAnUnknownStepIsIgnored() throws {
    var machine = WorkflowMachine(try workflow(Self.five))
    _ = machine.start()
    guard case .perform(let invocations) = machine.finished("signout", StepReport(.success)) else {
      Issue.record("the machine continued")
      return
    }
    #expect(invocations.isEmpty)
    #expect(machine.path.isEmpty)
  }
}
