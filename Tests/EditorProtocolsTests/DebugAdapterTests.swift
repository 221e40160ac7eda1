import Documents
import SimulatedWorld
import TestSupport
import Testing

@Suite struct DebugAdapterTests {
  @Test("steps through a scenario and reports its result")
  func stepsThroughScenario() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "first run")
    #expect(try await client.start()["reason"] == "entry")
    var frames: [[String]] = []
    var reason: JSON? = "step"
    while reason != "terminated" {
      frames.append(try await client.frames())
      reason = try await client.go("next")["reason"]
    }
    #expect(frames == [["loadAccount"], ["interactive-fallback"], ["callGraph"], ["signout"]])
    #expect(try await client.event("exited")["exitCode"] == 0)
    #expect(client.output.contains("passed: first run"))
    #expect(client.output.contains("interactive-fallback"))
    #expect(try await client.failure("next") == "the run has ended")
    await client.end()
  }

  @Test("sends events after the response to the request that caused them, with increasing sequence numbers")
  func ordersMessages() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "first run")
    _ = try await client.start()
    let response = try await client.request("next")
    let event = try #require(await client.console.message { $0["event"]?.string == "stopped" })
    #expect((response["seq"]?.integer ?? 0) < (event["seq"]?.integer ?? 0))
    await client.end()
  }

  @Test("enters and leaves a nested workflow")
  func nestedWorkflow() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run")
    _ = try await client.start()
    _ = try await client.go("next")
    #expect(try await client.frames() == ["login"])
    _ = try await client.go("stepIn")
    #expect(try await client.frames() == ["login/loadAccount", "login"])
    #expect(try await client.location() == "login.yaml:4")
    _ = try await client.go("stepOut")
    #expect(try await client.frames() == ["profile"])
    _ = try await client.go("stepBack")
    #expect(try await client.frames() == ["login"])
    _ = try await client.go("next")
    #expect(try await client.frames() == ["profile"])
    let page = try await client.perform("stackTrace", ["threadId": 1, "startFrame": 1, "levels": 1])
    #expect(page["stackFrames"] == [])
    #expect(page["totalFrames"] == 1)
    await client.end()
  }

  @Test("steps back to earlier states and repeats simulated events")
  func stepsBack() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "returning user")
    _ = try await client.start()
    #expect(try await client.failure("stepBack") == "there is no earlier step")
    #expect(try await client.evaluate("simulate wait: 2h").contains("wait"))
    _ = try await client.go("next")
    _ = try await client.go("next")
    #expect(try await client.frames() == ["callGraph"])
    #expect(try await client.evaluate("silent.tokenSource") == "refreshToken")
    #expect(try await client.go("stepBack")["reason"] == "step")
    #expect(try await client.frames() == ["silent"])
    #expect(try await client.failure("evaluate", ["expression": "silent.outcome"]) == "step `silent` has not finished")
    _ = try await client.go("next")
    #expect(try await client.evaluate("silent.tokenSource") == "refreshToken")
    #expect(try await client.go("reverseContinue")["reason"] == "entry")
    #expect(try await client.frames() == ["loadAccount"])
    _ = try await client.go("next")
    _ = try await client.go("next")
    #expect(try await client.evaluate("silent.tokenSource") == "cache")
    await client.end()
  }

  @Test("continues backward to the previous breakpoint")
  func reverseContinue() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "returning user")
    try await client.setBreakpoints("me.yaml", ["- silent", "- callGraph"])
    _ = try await client.start()
    _ = try await client.go("continue")
    _ = try await client.go("continue")
    #expect(try await client.frames() == ["callGraph"])
    #expect(try await client.go("reverseContinue")["reason"] == "breakpoint")
    #expect(try await client.frames() == ["silent"])
    #expect(try await client.go("continue")["reason"] == "breakpoint")
    #expect(try await client.frames() == ["callGraph"])
    await client.end()
  }

  @Test("does not advance the clock while the run is suspended")
  func suspendsTimers() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("parallel.yaml", "both")
    _ = try await client.perform("setFunctionBreakpoints", ["breakpoints": [["name": "quiet.success"]]])
    _ = try await client.start()
    #expect(try await client.scope("Clock")["now"]?["value"] == "2025-01-01T00:00:00.000Z")
    // The other members are waiting for their timers.
    #expect(try await client.go("continue")["reason"] == "function breakpoint")
    #expect(try await client.frames() == ["quiet.success", "together"])
    for _ in 0..<3 {
      #expect(try await client.scope("Clock")["now"]?["value"] == "2025-01-01T00:00:00.000Z")
    }
    #expect(try await client.failure("evaluate", ["expression": "short.outcome"]) == "step `short` has not finished")
    _ = try await client.go("next")
    #expect(try await client.frames() == ["now"])
    #expect(try await client.scope("Clock")["now"]?["value"] == "2025-01-01T02:00:00.000Z")
    #expect(try await client.go("continue")["reason"] == "terminated")
    #expect(try await client.event("exited")["exitCode"] == 0)
    await client.end()
  }

  @Test("stops at failed expectations by default")
  func failedExpectation() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "wrong", ["stopOnEntry": false])
    let stop = try await client.start()
    #expect(stop["reason"] == "exception")
    #expect(stop["text"]?.string?.contains("expected login/silent.tokenSource to be \"refreshToken\"") ?? false)
    #expect(
      try await client.location() == "main.yaml:\(try client.line(of: "login/silent.tokenSource", in: "main.yaml"))")
    let info = try await client.perform("exceptionInfo", ["threadId": 1])
    #expect(info["exceptionId"] == "failedExpectation")
    #expect(try await client.evaluate("login/silent.tokenSource") == "cache")
    #expect(try await client.go("continue")["reason"] == "terminated")
    #expect(try await client.event("exited")["exitCode"] == 1)
    await client.end()
  }

  @Test("restarts with the current contents of the files")
  func restarts() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run", ["stopOnEntry": false])
    try await client.setBreakpoints("main.yaml", ["- id: profile"])
    #expect(try await client.start()["reason"] == "breakpoint")
    let text = DebugAdapterClient.main.replacing("- id: profile", with: "- id: myself")
    try client.files.replace("/app/main.yaml", with: Array(text.utf8), privately: false)
    try await client.perform("restart")
    #expect(try await client.stop()["reason"] == "breakpoint")
    #expect(try await client.frames() == ["myself"])
    try client.files.replace("/app/main.yaml", with: Array("authflow: 1\n".utf8), privately: false)
    #expect(try await client.failure("restart").contains("main.yaml"))
    #expect(try await client.go("continue")["reason"] == "terminated")
    await client.end()
  }

  @Test("ends the run when the client requests it")
  func terminates() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "first run")
    _ = try await client.start()
    try await client.perform("terminate")
    #expect(try await client.stop()["reason"] == "terminated")
    try await client.perform("disconnect")
    await client.end()
  }

  @Test("runs a workflow without a scenario")
  func runsWithoutScenario() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", nil, ["stopOnEntry": false])
    #expect(try await client.start()["reason"] == "terminated")
    #expect(try await client.event("exited")["exitCode"] == 0)
    await client.end()
  }
}
