import Documents
import Effects
import RunTrace
import SimulatedWorld
import Testing
import WorkflowRunner

/// The keys that every step may have, and what ends a workflow.
@Suite struct StepKeyTests {
  struct Way: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: String
    var more = "settings: Settings.yaml"
    var events: JSON = []
    var path: [String]
    var outcome = "success"
    /// Part of what the run says about its end.
    var reason: String?
  }

  static let ways: [Way] = [
    Way(
      testDescription: "a condition on a capture",
      steps: """
        - interactive: {}
          capture: { who: $.account.username }
        - { id: megan, assert: { who: megan@contoso.com }, when: { who: megan@contoso.com } }
        - { id: alex, assert: { who: alex@contoso.com }, when: { who: alex@contoso.com } }
        """, path: ["interactive.success", "megan.holds", "alex.skipped"]),
    Way(
      testDescription: "a silent request for an account that was signed out meanwhile",
      steps: """
        - interactive: {}
          capture: { who: $.account.identifier }
        - signout
        - silent: { account: "${who}" }
        """, path: ["interactive.success", "signout.success", "silent.interactionRequired"],
      outcome: "interactionRequired"),
    Way(
      testDescription: "a sign-in for an account that is not known",
      steps: "- interactive: { account: alex@contoso.com }", path: ["interactive.invalidParameter"],
      outcome: "invalidParameter"),
    Way(
      testDescription: "an assertion that does not hold",
      steps: """
        - interactive: {}
          capture: { who: $.account.username }
        - assert: { who: alex@contoso.com }
        """, path: ["interactive.success", "assert.violated"], outcome: "violated", reason: "assert"),
    Way(
      testDescription: "an expectation that does not hold",
      steps: """
        - { interactive: {}, expect: { tokenSource: cache } }
        - deviceInfo
        """, path: ["interactive.success"], outcome: "violated", reason: "authorizationCode"),
    Way(
      testDescription: "an expectation that names the outcome handles it",
      steps: """
        - interactive
        - { callGraph: /me/events/none, expect: { outcome: notFound, status: 404 } }
        - deviceInfo
        """, path: ["interactive.success", "callGraph.notFound", "deviceInfo.success"]),
    Way(
      testDescription: "a named outcome with a broken expectation",
      steps: """
        - interactive
        - { callGraph: /me/events/none, expect: { outcome: notFound, status: 410 } }
        """, path: ["interactive.success", "callGraph.notFound"], outcome: "violated", reason: "404"),
    Way(
      testDescription: "error catches what would fail",
      steps: """
        - { interactive: {}, user: { cancels: true }, on: { error: out } }
        - { id: missed, deviceInfo: {} }
        - { id: out, deviceInfo: {} }
        """, path: ["interactive.userCanceled", "out.success"]),
    Way(
      testDescription: "the exact name wins over error",
      steps: """
        - { interactive: {}, user: { cancels: true }, on: { error: fail, userCanceled: end } }
        - deviceInfo
        """, path: ["interactive.userCanceled"]),
    Way(
      testDescription: "end is success at once",
      steps: """
        - { deviceInfo: {}, on: { success: end } }
        - signout
        """, path: ["deviceInfo.success"]),
    Way(
      testDescription: "fail is the outcome that led there", steps: "- { deviceInfo: {}, on: { success: fail } }",
      path: ["deviceInfo.success"], outcome: "success", reason: "deviceInfo"),
    Way(
      testDescription: "maxRuns ends a loop",
      steps: """
        - { deviceInfo: {}, maxRuns: 3, on: { success: deviceInfo } }
        """,
      path: ["deviceInfo.success", "deviceInfo.success", "deviceInfo.success", "deviceInfo.exhausted"],
      outcome: "exhausted", reason: "deviceInfo"),
    Way(
      testDescription: "exhausted can be handled",
      steps: """
        - { deviceInfo: {}, maxRuns: 1, on: { success: deviceInfo, exhausted: next } }
        - listAccounts
        """, path: ["deviceInfo.success", "deviceInfo.exhausted", "listAccounts.notFound"]),
    Way(
      testDescription: "maxSteps ends every loop", steps: "- { deviceInfo: {}, on: { success: deviceInfo } }",
      more: "settings: Settings.yaml\nmaxSteps: 4", path: Array(repeating: "deviceInfo.success", count: 4),
      outcome: "exhausted", reason: "maxSteps"),
    Way(
      testDescription: "finally after success", steps: "- interactive",
      more: "settings: Settings.yaml\nfinally:\n  - signout", path: ["interactive.success", "signout.success"]),
    Way(
      testDescription: "finally after a failure",
      steps: """
        - interactive
        - callGraph: /me/events/none
        - deviceInfo
        """, more: "settings: Settings.yaml\nfinally:\n  - signout",
      path: ["interactive.success", "callGraph.notFound", "signout.success"], outcome: "notFound", reason: "callGraph"),
    Way(
      testDescription: "finally after maxSteps", steps: "- { deviceInfo: {}, on: { success: deviceInfo } }",
      more: "settings: Settings.yaml\nmaxSteps: 2\nfinally:\n  - listAccounts",
      path: ["deviceInfo.success", "deviceInfo.success", "listAccounts.notFound"], outcome: "exhausted"),
    Way(
      testDescription: "a list of paths captures the first that is there",
      steps: """
        - interactive
        - { callGraph: /me, capture: { email: [$.nothing, $.userPrincipalName], none: $.nothing } }
        - { assert: { email: megan@contoso.com, none: { type: "null" } } }
        """, path: ["interactive.success", "callGraph.success", "assert.holds"]),
    Way(
      testDescription: "a step that ran several times",
      steps: """
        - interactive
        - { silent: {}, maxRuns: 2, on: { success: silent, exhausted: next } }
        - { assert: { "silent[1].tokenSource": cache, "silent[2].outcome": success, silent.outcome: exhausted } }
        """,
      path: [
        "interactive.success", "silent.success", "silent.success", "silent.exhausted", "assert.holds",
      ]),
    Way(
      testDescription: "signing out when nobody is there goes on", steps: "- signout\n- deviceInfo",
      path: ["signout.notFound", "deviceInfo.success"]),
    Way(
      testDescription: "silent without an account and without a fallback", steps: "- silent",
      path: ["silent.interactionRequired"], outcome: "interactionRequired", reason: "silent"),
  ]

  @Test("the time of a user at the prompt is not the time of a step or the run")
  func thinkingTime() async throws {
    let scene = try RunScene(files: [
      "t.yaml": "authflow: 1\nsettings: Settings.yaml\nsteps:\n  - wait: 2s\n  - parallel: [wait: 3s, deviceInfo]\n"
    ])
    let outcome = try await scene.run("t.yaml", thinkingTime: .seconds(3600))
    #expect(outcome.ending == "success", "\(outcome.lines)")
    let finished = outcome.events(.stepFinished)
    #expect(finished.count >= 3)
    for step in finished {
      let milliseconds = try #require(step["milliseconds"]?.number)
      #expect(milliseconds < 60_000, "\(step)")
    }
    let run = try #require(outcome.events(.runFinished).first?["milliseconds"]?.number)
    #expect(run < 60_000 && run >= 5000)
  }

  @Test(arguments: ways) func aWorkflowGoesItsWay(way: Way) async throws {
    let scene = try RunScene()
    let outcome = try await scene.run(steps: way.steps, way.more)
    #expect(outcome.path == way.path)
    #expect(outcome.ending == way.outcome)
    #expect(outcome.record.succeeded == (way.outcome == "success" && way.reason == nil))
    let finished = outcome.events.last?.json
    #expect(finished?["outcome"]?.string == way.outcome)
    if let reason = way.reason {
      #expect(
        finished?["reason"]?.string?.contains(reason) == true, "\(finished?["reason"]?.string ?? "nothing is said")")
    }
  }

  // MARK: Again, and how long

  @Test func aRetryWaitsInVirtualTimeAndIsOneEntryOfThePath() async throws {
    let scene = try RunScene()
    _ = try await scene.run(steps: "- interactive")
    await scene.simulate([["fault": ["at": "GET /v1.0/me", "response": "reset", "times": 2]]])
    let start = scene.simulation.clock.now
    let outcome = try await scene.run(
      steps: """
        - loadAccount
        - silent
        - { callGraph: /me, retry: { attempts: 3, on: [offline], wait: 30s } }
        """)
    #expect(outcome.path == ["loadAccount.found", "silent.success", "callGraph.success"])
    #expect(outcome.facts("callGraph")["outcome"]?.string == "success")
    #expect(outcome.decisions("retry").compactMap { $0["facts"]?["milliseconds"]?.number } == [30_000, 30_000])
    #expect(scene.simulation.clock.now - start >= .seconds(60))
    #expect(scene.simulation.clock.now - start < .seconds(70))
    #expect(outcome.record.requests["graph"] == 3)
    #expect(outcome.facts("callGraph")["attempts"]?.integer == 3)
  }

  @Test func aRetryGivesUpAfterItsAttempts() async throws {
    let scene = try RunScene()
    _ = try await scene.run(steps: "- interactive")
    await scene.simulate([["fault": ["at": "GET /v1.0/me", "response": "reset", "times": "always"]]])
    let outcome = try await scene.run(
      steps: """
        - loadAccount
        - silent
        - { callGraph: /me, retry: { attempts: 2, on: [offline], wait: 1s } }
        """)
    #expect(outcome.path.last == "callGraph.offline")
    #expect(outcome.ending == "offline")
    #expect(outcome.record.requests["graph"] == 2)
  }

  struct Busy: Sendable {
    var retry: String
    var answer: JSON
    var times: JSON
    var path: String
    var requests: Int
    var waited: Duration
  }

  @Test(arguments: [
    Busy(
      retry: "", answer: ["status": 429, "retryAfter": "5s"], times: 1, path: "callGraph.success", requests: 2,
      waited: .seconds(5)),
    Busy(
      retry: "retry: none", answer: ["status": 429, "retryAfter": "5s"], times: 1, path: "callGraph.throttled",
      requests: 1, waited: .zero),
    Busy(
      retry: "", answer: ["status": 503, "retryAfter": "2s"], times: "always", path: "callGraph.serviceUnavailable",
      requests: 4, waited: .seconds(6)),
    Busy(
      retry: "", answer: ["status": 500], times: 1, path: "callGraph.serviceUnavailable", requests: 1, waited: .zero),
  ]) func aCallRetriesByItselfAsGraphsClientsDo(busy: Busy) async throws {
    let scene = try RunScene()
    _ = try await scene.run(steps: "- interactive")
    await scene.simulate([["fault": ["at": "GET /v1.0/me", "response": busy.answer, "times": busy.times]]])
    let start = scene.simulation.clock.now
    let call = busy.retry.isEmpty ? "- callGraph: /me" : "- { callGraph: /me, \(busy.retry) }"
    let outcome = try await scene.run(steps: "- loadAccount\n- silent\n\(call)")
    #expect(outcome.path.last == busy.path)
    #expect(outcome.record.requests["graph"] == busy.requests)
    #expect(scene.simulation.clock.now - start == busy.waited)
  }

  @Test(arguments: [RunSetup.Timeouts.measured, .canceling])
  func aTimeoutIsKept(timeouts: RunSetup.Timeouts) async throws {
    let scene = try RunScene()
    let slow = try await scene.run(
      steps: "- { interactive: {}, timeout: 1m, on: { timedOut: next } }\n- listAccounts",
      "settings: Settings.yaml\nuser: { delay: 16m }", timeouts: timeouts)
    #expect(slow.path.first == "interactive.timedOut")
    #expect(slow.decisions("timeout").count == 1)
    let quick = try await RunScene().run(
      steps: "- { interactive: {}, timeout: 1m }", "settings: Settings.yaml\nuser: { delay: 59s }", timeouts: timeouts)
    #expect(quick.path == ["interactive.success"])
  }

  @Test func cancelingATimeoutDoesNotWaitForTheStep() async throws {
    let scene = try RunScene()
    let start = scene.simulation.clock.now
    _ = try await scene.run(
      steps: "- { interactive: {}, timeout: 1m }", "settings: Settings.yaml\nuser: { delay: 16m }",
      timeouts: .canceling)
    #expect(scene.simulation.clock.now - start == .seconds(60))
  }

  @Test func aWaitBeyondTheLongestIsRefused() async throws {
    let outcome = try await RunScene().run(steps: "- wait: 2h", longestWait: .seconds(60))
    #expect(outcome.path == ["wait.invalidParameter"])
    #expect(outcome.facts("wait")["error"]?["description"]?.string?.contains("a wait of 2h is too long") == true)
    let short = try await RunScene().run(steps: "- wait: 60s", longestWait: .seconds(60))
    #expect(short.ending == "success")
  }

  @Test func aStepThatMayNotBePerformedEndsTheRun() async throws {
    let outcome = try await RunScene().run(
      steps: "- deviceInfo\n- { id: second, deviceInfo: {} }", stopsBefore: "second")
    #expect(outcome.path == ["deviceInfo.success"])
    #expect(outcome.ending == "stopped")
    #expect(!outcome.record.succeeded)
  }
}
