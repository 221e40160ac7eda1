import Documents
import Effects
import RunTrace
import SimulatedWorld
import Testing
import WorkflowRunner

/// Tests the common keys of steps, and the results of workflows.
@Suite struct StepKeyTests {
  struct WorkflowCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: String
    var more = "settings: Settings.yaml"
    var events: JSON = []
    var path: [String]
    var outcome = "success"
    /// Text that the reason for the result must contain.
    var reason: String?
  }

  static let cases: [WorkflowCase] = [
    WorkflowCase(
      testDescription: "a condition on a capture",
      steps: """
        - interactive: {}
          capture: { username: $.account.username }
        - { id: megan, assert: { username: megan@contoso.com }, when: { username: megan@contoso.com } }
        - { id: alex, assert: { username: alex@contoso.com }, when: { username: alex@contoso.com } }
        """, path: ["interactive.success", "megan.holds", "alex.skipped"]),
    WorkflowCase(
      testDescription: "a silent request for an account that was signed out",
      steps: """
        - interactive: {}
          capture: { identifier: $.account.identifier }
        - signout
        - silent: { account: "${identifier}" }
        """, path: ["interactive.success", "signout.success", "silent.interactionRequired"],
      outcome: "interactionRequired"),
    WorkflowCase(
      testDescription: "a sign-in for an unknown account",
      steps: "- interactive: { account: alex@contoso.com }", path: ["interactive.invalidParameter"],
      outcome: "invalidParameter"),
    WorkflowCase(
      testDescription: "an assertion that does not hold",
      steps: """
        - interactive: {}
          capture: { username: $.account.username }
        - assert: { username: alex@contoso.com }
        """, path: ["interactive.success", "assert.violated"], outcome: "violated", reason: "assert"),
    WorkflowCase(
      testDescription: "an expectation that does not hold",
      steps: """
        - { interactive: {}, expect: { tokenSource: cache } }
        - deviceInfo
        """, path: ["interactive.success"], outcome: "violated", reason: "authorizationCode"),
    WorkflowCase(
      testDescription: "an expectation that specifies the outcome handles it",
      steps: """
        - interactive
        - { callGraph: /me/events/none, expect: { outcome: notFound, status: 404 } }
        - deviceInfo
        """, path: ["interactive.success", "callGraph.notFound", "deviceInfo.success"]),
    WorkflowCase(
      testDescription: "a named outcome with a failed expectation",
      steps: """
        - interactive
        - { callGraph: /me/events/none, expect: { outcome: notFound, status: 410 } }
        """, path: ["interactive.success", "callGraph.notFound"], outcome: "violated", reason: "404"),
    WorkflowCase(
      testDescription: "the error entry handles errors that `on` does not list",
      steps: """
        - { interactive: {}, user: { cancels: true }, on: { error: out } }
        - { id: missed, deviceInfo: {} }
        - { id: out, deviceInfo: {} }
        """, path: ["interactive.userCanceled", "out.success"]),
    WorkflowCase(
      testDescription: "an outcome name takes precedence over error",
      steps: """
        - { interactive: {}, user: { cancels: true }, on: { error: fail, userCanceled: end } }
        - deviceInfo
        """, path: ["interactive.userCanceled"]),
    WorkflowCase(
      testDescription: "the target end ends the run with success",
      steps: """
        - { deviceInfo: {}, on: { success: end } }
        - signout
        """, path: ["deviceInfo.success"]),
    WorkflowCase(
      testDescription: "the target fail keeps the step's outcome", steps: "- { deviceInfo: {}, on: { success: fail } }",
      path: ["deviceInfo.success"], outcome: "success", reason: "deviceInfo"),
    WorkflowCase(
      testDescription: "maxRuns stops a loop",
      steps: """
        - { deviceInfo: {}, maxRuns: 3, on: { success: deviceInfo } }
        """,
      path: ["deviceInfo.success", "deviceInfo.success", "deviceInfo.success", "deviceInfo.exhausted"],
      outcome: "exhausted", reason: "deviceInfo"),
    WorkflowCase(
      testDescription: "`on` can handle the outcome exhausted",
      steps: """
        - { deviceInfo: {}, maxRuns: 1, on: { success: deviceInfo, exhausted: next } }
        - listAccounts
        """, path: ["deviceInfo.success", "deviceInfo.exhausted", "listAccounts.notFound"]),
    WorkflowCase(
      testDescription: "maxSteps stops loops", steps: "- { deviceInfo: {}, on: { success: deviceInfo } }",
      more: "settings: Settings.yaml\nmaxSteps: 4", path: Array(repeating: "deviceInfo.success", count: 4),
      outcome: "exhausted", reason: "maxSteps"),
    WorkflowCase(
      testDescription: "finally after success", steps: "- interactive",
      more: "settings: Settings.yaml\nfinally:\n  - signout", path: ["interactive.success", "signout.success"]),
    WorkflowCase(
      testDescription: "finally after a failure",
      steps: """
        - interactive
        - callGraph: /me/events/none
        - deviceInfo
        """, more: "settings: Settings.yaml\nfinally:\n  - signout",
      path: ["interactive.success", "callGraph.notFound", "signout.success"], outcome: "notFound", reason: "callGraph"),
    WorkflowCase(
      testDescription: "finally after maxSteps", steps: "- { deviceInfo: {}, on: { success: deviceInfo } }",
      more: "settings: Settings.yaml\nmaxSteps: 2\nfinally:\n  - listAccounts",
      path: ["deviceInfo.success", "deviceInfo.success", "listAccounts.notFound"], outcome: "exhausted"),
    WorkflowCase(
      testDescription: "a list of paths captures the first existing value",
      steps: """
        - interactive
        - { callGraph: /me, capture: { email: [$.nothing, $.userPrincipalName], none: $.nothing } }
        - { assert: { email: megan@contoso.com, none: { type: "null" } } }
        """, path: ["interactive.success", "callGraph.success", "assert.holds"]),
    WorkflowCase(
      testDescription: "a step that ran several times",
      steps: """
        - interactive
        - { silent: {}, maxRuns: 2, on: { success: silent, exhausted: next } }
        - { assert: { "silent[1].tokenSource": cache, "silent[2].outcome": success, silent.outcome: exhausted } }
        """,
      path: [
        "interactive.success", "silent.success", "silent.success", "silent.exhausted", "assert.holds",
      ]),
    WorkflowCase(
      testDescription: "a sign-out without an account continues", steps: "- signout\n- deviceInfo",
      path: ["signout.notFound", "deviceInfo.success"]),
    WorkflowCase(
      testDescription: "silent without an account or a fallback", steps: "- silent",
      path: ["silent.interactionRequired"], outcome: "interactionRequired", reason: "silent"),
  ]

  @Test
  func durationsExcludePromptTime() async throws {
    let harness = try RunHarness(files: [
      "t.yaml": "authflow: 1\nsettings: Settings.yaml\nsteps:\n  - wait: 2s\n  - parallel: [wait: 3s, deviceInfo]\n"
    ])
    let outcome = try await harness.run("t.yaml", promptTime: .seconds(3600))
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

  @Test(arguments: cases) func theRunTakesTheExpectedPath(workflow: WorkflowCase) async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(steps: workflow.steps, workflow.more)
    #expect(outcome.path == workflow.path)
    #expect(outcome.ending == workflow.outcome)
    #expect(outcome.record.succeeded == (workflow.outcome == "success" && workflow.reason == nil))
    let finished = outcome.events.last?.json
    #expect(finished?["outcome"]?.string == workflow.outcome)
    if let reason = workflow.reason {
      #expect(
        finished?["reason"]?.string?.contains(reason) == true, "\(finished?["reason"]?.string ?? "no reason")")
    }
  }

  // MARK: Retries and timeouts

  @Test func retriesWaitInVirtualTimeAndAddOneEntryToThePath() async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: "- interactive")
    await harness.simulate([["fault": ["at": "GET /v1.0/me", "response": "reset", "times": 2]]])
    let start = harness.simulation.clock.now
    let outcome = try await harness.run(
      steps: """
        - loadAccount
        - silent
        - { callGraph: /me, retry: { attempts: 3, on: [offline], wait: 30s } }
        """)
    #expect(outcome.path == ["loadAccount.found", "silent.success", "callGraph.success"])
    #expect(outcome.facts("callGraph")["outcome"]?.string == "success")
    #expect(outcome.decisions("retry").compactMap { $0["facts"]?["milliseconds"]?.number } == [30_000, 30_000])
    #expect(harness.simulation.clock.now - start >= .seconds(60))
    #expect(harness.simulation.clock.now - start < .seconds(70))
    #expect(outcome.record.requests["graph"] == 3)
    #expect(outcome.facts("callGraph")["attempts"]?.integer == 3)
  }

  @Test func retriesStopAfterTheMaximumNumberOfAttempts() async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: "- interactive")
    await harness.simulate([["fault": ["at": "GET /v1.0/me", "response": "reset", "times": "always"]]])
    let outcome = try await harness.run(
      steps: """
        - loadAccount
        - silent
        - { callGraph: /me, retry: { attempts: 2, on: [offline], wait: 1s } }
        """)
    #expect(outcome.path.last == "callGraph.offline")
    #expect(outcome.ending == "offline")
    #expect(outcome.record.requests["graph"] == 2)
  }

  struct RetryCase: Sendable {
    var retry: String
    var response: JSON
    var times: JSON
    var path: String
    var requests: Int
    var waited: Duration
  }

  @Test(arguments: [
    RetryCase(
      retry: "", response: ["status": 429, "retryAfter": "5s"], times: 1, path: "callGraph.success", requests: 2,
      waited: .seconds(5)),
    RetryCase(
      retry: "retry: none", response: ["status": 429, "retryAfter": "5s"], times: 1, path: "callGraph.throttled",
      requests: 1, waited: .zero),
    RetryCase(
      retry: "", response: ["status": 503, "retryAfter": "2s"], times: "always", path: "callGraph.serviceUnavailable",
      requests: 4, waited: .seconds(6)),
    RetryCase(
      retry: "", response: ["status": 500], times: 1, path: "callGraph.serviceUnavailable", requests: 1, waited: .zero),
  ]) func retriesThrottledCallsByDefault(test: RetryCase) async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: "- interactive")
    await harness.simulate([["fault": ["at": "GET /v1.0/me", "response": test.response, "times": test.times]]])
    let start = harness.simulation.clock.now
    let call = test.retry.isEmpty ? "- callGraph: /me" : "- { callGraph: /me, \(test.retry) }"
    let outcome = try await harness.run(steps: "- loadAccount\n- silent\n\(call)")
    #expect(outcome.path.last == test.path)
    #expect(outcome.record.requests["graph"] == test.requests)
    #expect(harness.simulation.clock.now - start == test.waited)
  }

  @Test(arguments: [RunSetup.Timeouts.measured, .canceling])
  func appliesTimeouts(timeouts: RunSetup.Timeouts) async throws {
    let harness = try RunHarness()
    let slow = try await harness.run(
      steps: "- { interactive: {}, timeout: 1m, on: { timedOut: next } }\n- listAccounts",
      "settings: Settings.yaml\nuser: { delay: 16m }", timeouts: timeouts)
    #expect(slow.path.first == "interactive.timedOut")
    #expect(slow.decisions("timeout").count == 1)
    let quick = try await RunHarness().run(
      steps: "- { interactive: {}, timeout: 1m }", "settings: Settings.yaml\nuser: { delay: 59s }", timeouts: timeouts)
    #expect(quick.path == ["interactive.success"])
  }

  @Test func aCancelingTimeoutDoesNotWaitForTheStep() async throws {
    let harness = try RunHarness()
    let start = harness.simulation.clock.now
    _ = try await harness.run(
      steps: "- { interactive: {}, timeout: 1m }", "settings: Settings.yaml\nuser: { delay: 16m }",
      timeouts: .canceling)
    #expect(harness.simulation.clock.now - start == .seconds(60))
  }

  @Test func rejectsWaitsAboveTheMaximum() async throws {
    let outcome = try await RunHarness().run(steps: "- wait: 2h", longestWait: .seconds(60))
    #expect(outcome.path == ["wait.invalidParameter"])
    #expect(outcome.facts("wait")["error"]?["description"]?.string?.contains("a wait of 2h is too long") == true)
    let short = try await RunHarness().run(steps: "- wait: 60s", longestWait: .seconds(60))
    #expect(short.ending == "success")
  }

  @Test func stopsIfTheDebuggerRejectsAStep() async throws {
    let outcome = try await RunHarness().run(
      steps: "- deviceInfo\n- { id: second, deviceInfo: {} }", stopsBefore: "second")
    #expect(outcome.path == ["deviceInfo.success"])
    #expect(outcome.ending == "stopped")
    #expect(!outcome.record.succeeded)
  }
}
