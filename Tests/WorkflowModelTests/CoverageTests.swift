import Documents
import Reports
import Testing

import WorkflowModel

/// Tests the exact coverage numbers of small workflows.
@Suite struct CoverageTests {
  /// Returns the coverage of runs. Each run is a list of step results.
  static func report(_ flow: Workflow, _ runs: [[String]]) -> CoverageRecord {
    var tally = CoverageTally(flow)
    for run in runs {
      var log = TransitionLog()
      var machine = WorkflowMachine(flow)
      var action = machine.start()
      var lines = run[...]
      while case .perform = action, let line = lines.popFirst() {
        var line = Transcript.Line(stringLiteral: line)
        if line.report.outcome == .claimsChallenge {
          line.report = StepReport(.claimsChallenge, json: ["challenge": ["access_token": [:]]])
        }
        action = machine.finished(line.id, line.report)
      }
      log.record(machine.takeEvents())
      tally.record(log.transitions)
    }
    return tally.report
  }

  static func arrows(_ record: CoverageRecord, of step: String) -> [String] {
    record.entries.first { $0.id == step }?.arrows.map { "\($0.to) \($0.sort.rawValue) \($0.times)" } ?? []
  }

  static func outcomes(_ record: CoverageRecord, of step: String) -> [String] {
    record.entries.first { $0.id == step }?.outcomes.map { "\($0.name) \($0.times)" } ?? []
  }

  @Test func eachTransitionIsAGoal() throws {
    let flow = try workflow(MachineTests.five)
    let nothing = Self.report(flow, [])
    #expect(nothing.steps == .init(0, of: 5))
    #expect(nothing.outcomes == .init(0, of: 0))
    // There are three transitions each from loadAccount, silent, and callGraph, and two each from interactive-fallback
    // and signout.
    #expect(nothing.transitions == .init(0, of: 13))
    #expect(nothing.all.percent == 0)

    let firstRun = Self.report(
      flow, [["loadAccount.notFound", "interactive-fallback.success", "callGraph.success", "signout.success"]])
    #expect(firstRun.steps == .init(4, of: 5))
    #expect(firstRun.transitions == .init(4, of: 13))
    #expect(firstRun.all == .init(8, of: 18))
    #expect(firstRun.all.percent == 44)
    #expect(
      Self.arrows(firstRun, of: "loadAccount") == [
        "silent next 0", "interactive-fallback fallback 1", "failure failure 0",
      ])
    #expect(firstRun.runs == 1)
  }

  @Test func aSkippedFallbackCoversTheTransitionPastIt() throws {
    let record = Self.report(
      try workflow(MachineTests.five),
      [["loadAccount.found", "silent.success", "callGraph.success", "signout.notFound"]])
    #expect(
      Self.arrows(record, of: "silent") == ["callGraph next 1", "interactive-fallback fallback 0", "failure failure 0"])
    #expect(record.entries.first { $0.id == "interactive-fallback" }?.times == 0)
    #expect(Self.arrows(record, of: "interactive-fallback") == ["callGraph next 0", "failure failure 0"])
  }

  @Test func allDefaultFailuresOfAStepAreOneGoal() throws {
    let record = Self.report(
      try workflow(MachineTests.five),
      [
        ["loadAccount.found", "silent.invalidScope"], ["loadAccount.found", "silent.offline"],
      ])
    #expect(Self.arrows(record, of: "silent").last == "failure failure 2")
  }

  @Test func aDetourIsAGoalButItsReturnIsNot() throws {
    let record = Self.report(
      try workflow(MachineTests.five),
      [
        [
          "loadAccount.found", "silent.success", "callGraph.claimsChallenge", "silent.success",
          "callGraph.claimsChallenge",
        ]
      ])
    // The first success leads to the call, and the second success returns to the call.
    #expect(Self.arrows(record, of: "silent").first == "callGraph next 1")
    #expect(Self.arrows(record, of: "callGraph") == ["signout next 0", "silent detour 1", "failure failure 1"])
  }

  @Test func eachOutcomeInOnIsAGoal() throws {
    let flow = try workflow(
      #"["loadAccount", "silent", {"callGraph": "/me", "maxRuns": 2, "on": {"throttled": "callGraph", "exhausted": "end", "error": "next", "timedOut": "end"}}, {"wait": "1s"}]"#
    )
    let record = Self.report(
      flow,
      [
        ["loadAccount.found", "silent.success", "callGraph.throttled", "callGraph.forbidden", "wait.success"],
        ["loadAccount.found", "silent.success", "callGraph.throttled", "callGraph.throttled"],
      ])
    // `timedOut` is impossible without a timeout.
    #expect(Self.outcomes(record, of: "callGraph") == ["throttled 3", "exhausted 1", "error 1"])
    #expect(
      Self.arrows(record, of: "callGraph")
        == ["wait next 0", "silent detour 0", "wait explicit 1", "callGraph explicit 3", "success explicit 1"])
    #expect(Self.arrows(record, of: "wait") == ["success next 1"])
  }

  @Test func anExpectedOutcomeIsAGoal() throws {
    let flow = try workflow(
      #"[{"callGraph": "/me", "expect": {"outcome": "forbidden"}}, {"id": "b", "callGraph": "/me", "expect": {"outcome": {"notEquals": "success"}}}]"#
    )
    let record = Self.report(flow, [["callGraph.forbidden", "b.notFound"]])
    #expect(Self.outcomes(record, of: "callGraph") == ["forbidden 1"])
    #expect(Self.outcomes(record, of: "b") == ["expect 1"])
  }

  @Test func impossibleOutcomesAreNotGoals() throws {
    let flow = try workflow(
      #"[{"wait": "1s"}, {"simulate": ["passwordChanged"]}, "listAccounts", {"assert": {"wait.outcome": "success"}}]"#)
    let record = Self.report(flow, [["wait.success", "simulate.success", "listAccounts.notFound"]])
    #expect(Self.arrows(record, of: "wait") == ["simulate next 1"])
    #expect(Self.arrows(record, of: "simulate") == ["listAccounts next 1"])
    #expect(Self.arrows(record, of: "assert") == ["success next 1"])
  }

  @Test func staticallyDeterminedOutcomesAreGoalsOnlyIfHandled() throws {
    let plain = Self.report(try workflow(#"["deviceInfo", {"assert": {"deviceInfo.outcome": "success"}}]"#), [])
    #expect(Self.arrows(plain, of: "deviceInfo") == ["assert next 0"])
    #expect(Self.arrows(plain, of: "assert") == ["success next 0"])
    let handled = Self.report(
      try workflow(
        #"[{"deviceInfo": {}, "on": {"brokerNotAvailable": "end"}}, {"assert": {"deviceInfo.outcome": "brokerNotAvailable"}, "on": {"violated": "fail"}}]"#
      ), [["deviceInfo.success"]])
    #expect(Self.arrows(handled, of: "deviceInfo") == ["assert next 1", "success explicit 0"])
    #expect(Self.outcomes(handled, of: "assert") == ["violated 1"])
  }

  @Test func outcomesThatExpectExcludesAreNotGoals() throws {
    let flow = try workflow(
      #"[{"callGraph": "/me", "expect": {"outcome": "forbidden"}}, {"loadAccount": {}, "expect": {"outcome": "notFound"}}, "signout"]"#
    )
    let record = Self.report(flow, [["callGraph.success"], ["callGraph.forbidden", "loadAccount.notFound"]])
    // For the call, the `success` outcome and its transition are not goals. Its failures are still goals.
    #expect(Self.arrows(record, of: "callGraph") == ["failure failure 0", "loadAccount explicit 1"])
    #expect(record.entries[0].arrows.allSatisfy { !$0.outcomes.contains("success") })
    #expect(Self.arrows(record, of: "loadAccount") == ["signout explicit 1", "failure failure 0"])
    #expect(Self.outcomes(record, of: "loadAccount") == ["notFound 1"])
    let transitions = Exploration(flow).paths.map { "\($0.entry)→\($0.to)" }
    #expect(!transitions.contains { $0.hasPrefix("callGraph.success") })
    #expect(transitions.contains("callGraph.forbidden→loadAccount"))
    #expect(!transitions.contains { $0.hasPrefix("loadAccount.found") })
  }

  @Test func doesNotMarkTransitionsThatAreNotGoals() throws {
    let flow = try workflow(#"["deviceInfo", {"wait": "1s"}]"#)
    let diagram = MachineDiagram(flow).marked(by: Self.report(flow, [["deviceInfo.success", "wait.success"]]))
    let failure = try #require(diagram.transitions.first { $0.from == 0 && $0.to == .failure })
    #expect(failure.isCovered == nil)
    #expect(diagram.transitions.filter { $0.to != .failure }.allSatisfy { $0.isCovered == true })
  }

  @Test func anUnreachableStepIsNotAGoal() throws {
    let (flow, _) = readWorkflow(
      #"{"authflow": 1, "settings": "S.plist", "steps": ["interactive-fallback", {"wait": "1s", "on": {"success": "end"}}, "signout"]}"#
    )
    let record = Self.report(try #require(flow), [])
    #expect(record.entries.map(\.id) == ["wait"])
  }

  @Test func bothResultsOfAConditionAreGoals() throws {
    let flow = try workflow(
      #"["listAccounts", {"callGraph": "/me", "when": {"listAccounts.outcome": "found"}, "on": {"skipped": "end"}}, {"wait": "1s"}]"#
    )
    let record = Self.report(
      flow, [["listAccounts.notFound"], ["listAccounts.found", "callGraph.success", "wait.success"]])
    #expect(Self.outcomes(record, of: "callGraph") == ["skipped 1"])
    #expect(record.entries[1].times == 1)
    #expect(Self.arrows(record, of: "callGraph").first == "wait next 1")
  }

  @Test func parallelMembersAndFinallyStepsAreGoals() throws {
    let flow = try workflow(
      #"[{"id": "both", "parallel": [{"callGraph": "/me"}, {"callGraph": "/me/events"}]}]"#,
      #""finally": [{"signout": {"signoutFromBrowser": true}}, {"wait": "1s"}]"#)
    let record = Self.report(
      flow, [["callGraph#1.success", "callGraph#2.forbidden", "signout.offline", "wait.success"]])
    #expect(record.entries.map(\.id) == ["both", "callGraph#1", "callGraph#2", "signout", "wait"])
    #expect(record.entries.map(\.times) == [1, 1, 1, 1, 1])
    #expect(record.entries.map(\.isFinally) == [false, false, false, true, true])
    #expect(Self.arrows(record, of: "both") == ["success next 0", "failure failure 1"])
    #expect(Self.arrows(record, of: "signout") == ["wait next 0", "failure failure 1"])
  }

  @Test func nestedTransitionsAreNotGoalsOfTheOuterWorkflow() throws {
    let flow = try workflow(
      #"[{"use": {"workflow": "login.yaml"}}]"#,
      files: ["login.yaml": "authflow: 1\nsettings: S.plist\nsteps: [silent]\n"])
    let record = Self.report(flow, [["use/silent.interactionRequired"]])
    #expect(record.entries.map(\.id) == ["use"])
    #expect(Self.arrows(record, of: "use") == ["success next 0", "failure failure 1"])
  }

  @Test func aStepWithAFailedExpectationHasNoTransition() throws {
    let flow = try workflow(#"[{"callGraph": "/me", "expect": {"status": 200}}, "signout"]"#)
    let record = Self.report(flow, [["callGraph.success"]])
    #expect(record.entries[0].times == 1)
    #expect(record.transitions.covered == 0)
  }

  @Test func mergesCoverageFromShards() throws {
    let flow = try workflow(MachineTests.five)
    let one = Self.report(flow, [["loadAccount.found", "silent.offline"]])
    let two = Self.report(flow, [["loadAccount.found", "silent.interactionRequired"], ["loadAccount.unexpected"]])
    let both = Self.report(
      flow,
      [
        ["loadAccount.found", "silent.offline"], ["loadAccount.found", "silent.interactionRequired"],
        ["loadAccount.unexpected"],
      ])
    #expect(one.merged(with: two) == both)
    #expect(one.merged(with: Self.report(try workflow(#"["silent"]"#), [])) == nil)
  }

  @Test func diagramsShowCoverage() throws {
    let flow = try workflow(MachineTests.five)
    let record = Self.report(flow, [["loadAccount.found", "silent.offline"]])
    let diagram = MachineDiagram(flow).marked(by: record)
    #expect(diagram.states.map(\.isCovered) == [true, true, false, false, false])
    #expect(diagram.transitions.filter { $0.isCovered == true }.map(\.from) == [0, 1])
    #expect(DiagramText.render(diagram).contains("● loadAccount\n  ● → silent"))
    #expect(DiagramText.render(diagram).contains("○ callGraph"))
    #expect(DiagramMermaid.render(diagram).contains("s0 --> s1: found ✓"))
    #expect(DiagramMermaid.render(diagram).contains("class s2,s3,s4 uncovered"))
    #expect(DiagramDOT.render(diagram).contains("style=dashed"))
    #expect(DiagramSVG.render(diagram).contains(#"class="edge failure covered""#))
    #expect(DiagramSVG.render(diagram).contains(#"class="state step uncovered""#))
    // A diagram without a coverage record does not show coverage.
    #expect(!DiagramSVG.render(MachineDiagram(flow)).contains("covered"))
  }
}
