import Diagnostics
import Documents
import Testing

import WorkflowModel

/// Tests the exploration of all step outcomes without a run.
@Suite struct ExplorationTests {
  static func transitions(_ flow: Workflow, depth: Int = 1) -> [String] {
    Exploration(flow, depth: depth).paths.map { "\($0.entry)→\($0.to)" }
  }

  static func rules(_ exploration: Exploration) -> [String] { exploration.findings.map(\.rule) }

  @Test func findsAPathToEachOutcome() throws {
    let exploration = Exploration(try workflow(MachineTests.five))
    let transitions = exploration.paths.map { "\($0.entry)→\($0.to)" }
    for transition in [
      "loadAccount.found→silent", "loadAccount.notFound→interactive-fallback", "loadAccount.ambiguousAccount→failure",
      "silent.success→interactive-fallback", "interactive-fallback.skipped→callGraph",
      "callGraph.claimsChallenge→silent",
      // The call returns from a detour, and a second challenge ends the run.
      "silent.success→callGraph", "callGraph.claimsChallenge→failure", "signout.notFound→success",
    ] { #expect(transitions.contains(transition), "\(transition)") }
    #expect(Set(transitions).count == transitions.count)
    #expect(exploration.isComplete)
    #expect(exploration.findings.isEmpty)
  }

  @Test func prefersPathsWithoutFailures() throws {
    let exploration = Exploration(try workflow(MachineTests.five))
    let forbidden = try #require(exploration.paths.first { $0.entry == "callGraph.forbidden" })
    #expect(
      forbidden.entries == [
        "loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.forbidden",
      ])
    #expect(forbidden.detours == 0)
    #expect(forbidden.next == nil)
  }

  /// The path with a failure is shorter, but the exploration prefers the path without a failure.
  @Test func prefersALongerPathWithoutFailures() throws {
    let exploration = Exploration(
      try workflow(
        #"[{"loadAccount": {}, "on": {"ambiguousAccount": "out"}}, "silent", "interactive-fallback", {"id": "out", "signout": {}}]"#
      ))
    let out = try #require(exploration.paths.first { $0.entry == "out.success" })
    #expect(
      out.entries == ["loadAccount.found", "silent.success", "interactive-fallback.skipped", "out.success"])
    #expect(out.detours == 0)
  }

  @Test func coversEveryTransitionOfTheDiagram() throws {
    let (flow, _) = readWorkflow(DiagramTests.everything)
    let workflow = try #require(flow)
    let exploration = Exploration(workflow)
    var tally = CoverageTally(workflow)
    for path in exploration.paths {
      tally.record([TakenTransition(step: path.step.id, outcome: path.outcome.name, to: path.to)])
    }
    let report = tally.report
    #expect(report.transitions.isComplete, "\(report.entries.filter { !$0.isCovered }.map(\.id))")
    #expect(report.outcomes.isComplete)
  }

  @Test func followsLoopsUntilMaxRunsIsReached() throws {
    let flow = try workflow(
      #"["interactive", {"callGraph": "/me", "maxRuns": 3, "on": {"throttled": "callGraph", "exhausted": "end"}}]"#)
    let exploration = Exploration(flow)
    let exhausted = try #require(exploration.paths.first { $0.entry == "callGraph.exhausted" })
    #expect(
      exhausted.entries == [
        "interactive.success", "callGraph.throttled", "callGraph.throttled", "callGraph.throttled",
        "callGraph.exhausted",
      ])
    #expect(exhausted.to == "success")
  }

  @Test func exploresBothResultsOfConditions() throws {
    let transitions = Self.transitions(
      try workflow(
        #"["listAccounts", {"callGraph": "/me", "when": {"listAccounts.status": 1}}, {"wait": "1s", "when": {"listAccounts.status": 2}}]"#
      ))
    for transition in [
      "callGraph.skipped→wait", "callGraph.success→wait", "wait.skipped→success", "wait.success→success",
    ] {
      #expect(transitions.contains(transition), "\(transition)")
    }
  }

  @Test func evaluatesConditionsThatThePathDetermines() throws {
    let never = Exploration(
      try workflow(#"["listAccounts", {"wait": "1s", "when": {"listAccounts.outcome": "invalidParameter"}}]"#))
    #expect(Self.rules(never).contains("condition-never-holds"))
    #expect(!never.paths.contains { $0.entry == "wait.success" })
    let always = Exploration(
      try workflow(#"["silent", {"wait": "1s", "when": {"silent.outcome": "success"}}]"#))
    #expect(Self.rules(always).contains("condition-always-holds"))
    let either = Exploration(
      try workflow(#"["listAccounts", {"wait": "1s", "when": {"listAccounts.outcome": "found"}}]"#))
    #expect(!Self.rules(either).contains { $0.hasPrefix("condition") })
  }

  @Test func reportsProblems() throws {
    let (dead, _) = readWorkflow(
      #"{"authflow": 1, "settings": "S.plist", "steps": ["interactive", {"callGraph": "/me", "on": {"success": "fail"}}]}"#
    )
    let exploration = Exploration(try #require(dead))
    #expect(Self.rules(exploration).contains("no-successful-path"))
    let (lost, _) = readWorkflow(
      #"{"authflow": 1, "settings": "S.plist", "steps": [{"wait": "1s", "on": {"success": "end"}}, "signout"]}"#)
    #expect(Self.rules(Exploration(try #require(lost))).contains("unreachable-step"))
    let (far, _) = readWorkflow(
      #"{"authflow": 1, "settings": "S.plist", "maxSteps": 2, "steps": [{"id": "a", "wait": "1s"}, {"id": "b", "wait": "1s"}, {"id": "c", "wait": "1s"}]}"#
    )
    #expect(Self.rules(Exploration(try #require(far))).contains("beyond-max-steps"))
  }

  @Test func listsUnhandledOutcomes() throws {
    let exploration = Exploration(
      try workflow(#"["interactive", {"callGraph": "/me", "on": {"forbidden": "fail", "throttled": "end"}}]"#))
    let call = try #require(exploration.unhandled.first { $0.step.id == "callGraph" })
    #expect(call.common == [.offline, .unauthorized, .notFound, .serviceUnavailable, .claimsChallenge])
    #expect(call.rare == [.otherStatus])
  }

  @Test func aGreaterDepthAllowsMoreFailuresPerPath() throws {
    let flow = try workflow(#"[{"callGraph": "/me", "on": {"error": "next"}}, {"id": "b", "callGraph": "/me"}]"#)
    let one = Exploration(flow)
    let two = Exploration(flow, depth: 2)
    #expect(two.paths.count > one.paths.count)
    #expect(two.paths.contains { $0.entries == ["callGraph.notFound", "b.forbidden"] })
    #expect(!one.paths.contains { $0.entries == ["callGraph.notFound", "b.forbidden"] })
  }

  /// Explores random workflows to test that exploration terminates.
  @Test(arguments: 0..<40)
  func explorationAlwaysEnds(seed: UInt64) throws {
    var generator = SeededGenerator(seed)
    let names = (0..<Int.random(in: 1...9, using: &generator)).map { "s\($0)" }
    var steps: [String] = []
    for name in names {
      let kind =
        [
          #""silent": {}"#, #""interactive": {}, "when": "fallback""#, #""callGraph": "/me""#, #""wait": "1s""#,
          #""assert": {"s0.outcome": "success"}"#, #""deviceInfo": {}"#, #""parallel": ["silent", "silent"]"#,
        ].randomElement(using: &generator) ?? ""
      var step = #""id": "\#(name)", \#(kind)"#
      let target = (names + ["next", "end", "fail"]).randomElement(using: &generator) ?? ""
      let outcome = ["success", "error", "skipped"].randomElement(using: &generator) ?? ""
      if Bool.random(using: &generator) { step += #", "on": {"\#(outcome)": "\#(target)"}"# }
      if Bool.random(using: &generator) { step += #", "maxRuns": \#(Int.random(in: 1...4, using: &generator))"# }
      if !kind.contains("when"), Bool.random(using: &generator) { step += #", "when": {"s0.outcome": "success"}"# }
      steps.append("{\(step)}")
    }
    let (flow, _) = readWorkflow(
      #"{"authflow": 1, "settings": "S.plist", "maxSteps": 30, "steps": [\#(steps.joined(separator: ", "))]}"#)
    let exploration = Exploration(try #require(flow), depth: 2)
    #expect(exploration.paths.allSatisfy { $0.entries.count <= 31 })
    #expect(exploration.states <= Exploration.maxStates)
  }

  @Test func explorationOfManyStepsStaysWithinMaxSteps() throws {
    let steps = (0..<2_000).map { #"{"id": "s\#($0)", "callGraph": "/me"}"# }.joined(separator: ", ")
    let (flow, _) = readWorkflow(#"{"authflow": 1, "settings": "S.plist", "steps": [\#(steps)]}"#)
    let exploration = Exploration(try #require(flow))
    #expect(exploration.paths.allSatisfy { $0.entries.count <= 100 })
    #expect(exploration.findings.contains { $0.rule == "beyond-max-steps" })
  }

  /// Paths share their earlier entries, so a long chain is explored completely.
  @Test func aLongChainIsExploredCompletely() throws {
    let steps = (0..<400).map { #"{"id": "s\#($0)", "callGraph": "/me"}"# }.joined(separator: ", ")
    let (flow, _) = readWorkflow(
      #"{"authflow": 1, "settings": "S.plist", "maxSteps": 2000, "steps": [\#(steps)]}"#)
    let exploration = Exploration(try #require(flow))
    #expect(exploration.isComplete)
    #expect(exploration.paths.last { $0.outcome.name == .success }?.entries.count == 400)
    #expect(Set(exploration.paths.map(\.step.id)).count == 400)
  }

  /// Tests a workflow whose steps can each run twice and jump to earlier or later steps.
  @Test func explorationStopsAtItsLimit() throws {
    let steps = (0..<300).map {
      #"{"id": "s\#($0)", "callGraph": "/me", "maxRuns": 2, "on": {"notFound": "s\#(max(0, $0 - 7))", "throttled": "s\#($0 * 37 % 300)"}}"#
    }.joined(separator: ", ")
    let (flow, _) = readWorkflow(
      #"{"authflow": 1, "settings": "S.plist", "maxSteps": 2000, "steps": [\#(steps)]}"#)
    let exploration = Exploration(try #require(flow))
    #expect(!exploration.isComplete)
    #expect(exploration.states < Exploration.maxStates)
    // The exploration visits the nearest states first, so it still reaches every step.
    #expect(Set(exploration.paths.map(\.step.id)).count == 300)
  }
}

/// A seeded random number generator that makes failures reproducible.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
