import Documents
import Testing

@Suite struct DebugAdapterBreakpointTests {
  @Test("distinguishes steps with the same ID in different files")
  func duplicateIDs() async throws {
    let main = """
      authflow: 1
      settings: AuthSettings.plist
      steps:
        - deviceInfo
        - id: login
          use: inner.yaml
        - loadAccount
      scenarios:
        run:
          expect: { outcome: success }
      """
    let inner = """
      authflow: 1
      settings: AuthSettings.plist
      steps:
        - loadAccount
        - interactive-fallback
      """
    let client = try DebugAdapterClient(files: ["outer.yaml": main, "inner.yaml": inner])
    try await client.launch("outer.yaml", "run", ["stopOnEntry": false])
    try await client.setBreakpoints("inner.yaml", ["- loadAccount"])
    #expect(try await client.start()["reason"] == "breakpoint")
    #expect(try await client.frames() == ["login/loadAccount", "login"])
    #expect(try await client.location() == "inner.yaml:4")
    #expect(try await client.go("continue")["reason"] == "terminated")
    await client.end()
  }

  @Test("moves a breakpoint to the next location in the same step or scenario")
  func movesBreakpoints() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run")
    let moved = try await client.setBreakpoints("main.yaml", ["callGraph: /me", "first run:"])
    #expect(moved[0]["line"]?.integer == Int64(try client.line(of: "forbidden: end", in: "main.yaml")))
    #expect(moved[1]["line"]?.integer == Int64(try client.line(of: "screens", in: "main.yaml")))
    #expect(moved.allSatisfy { $0["verified"] == true })
    let unverified = try await client.setBreakpoints("main.yaml", ["authflow: 1"])
    #expect(unverified[0]["verified"] == false)
    #expect(unverified[0]["message"]?.string?.isEmpty == false)
    let other = try await client.setBreakpoints("AuthSettings.plist", ["AppId"])
    #expect(other[0]["verified"] == false)
    await client.end()
  }

  @Test("lists the locations of a file")
  func listsLocations() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run")
    let body = try await client.perform(
      "breakpointLocations", ["source": ["path": "/app/main.yaml"], "line": 1, "endLine": 13])
    #expect(body["breakpoints"]?.array?.compactMap { $0["line"]?.integer } == [6, 8, 9, 13])
    await client.end()
  }

  @Test("stops at transitions through `on` entries and at expectations")
  func outcomesAndExpectations() async throws {
    let file = """
      authflow: 1
      settings: AuthSettings.plist
      steps:
        - loadAccount:
          on:
            notFound: page
        - silent
        - id: page
          interactive:
      scenarios:
        run:
          expect:
            path: [loadAccount.notFound, page.success]
            interactions: 1
      """
    let client = try DebugAdapterClient(files: ["on.yaml": file])
    try await client.launch("on.yaml", "run", ["stopOnEntry": false])
    try await client.setBreakpoints("on.yaml", ["notFound: page", "path:", "interactions:"])
    #expect(try await client.start()["reason"] == "breakpoint")
    #expect(try await client.frames() == ["loadAccount.notFound"])
    #expect(try await client.location() == "on.yaml:6")
    _ = try await client.go("continue")
    #expect(try await client.location() == "on.yaml:13")
    _ = try await client.go("continue")
    #expect(try await client.location() == "on.yaml:14")
    #expect(try await client.go("continue")["reason"] == "terminated")
    await client.end()
  }

  @Test("evaluates conditions, hit conditions, and log messages")
  func conditions() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "access token expired", ["stopOnEntry": false])
    try await client.setBreakpoints(
      "me.yaml", ["- callGraph"], ["condition": "silent.outcome == success && silent.tokenSource != cache"])
    let invalid = try await client.setBreakpoints("main.yaml", ["- deviceInfo"], ["condition": "a =="])
    #expect(invalid[0]["verified"] == false)
    let hits = try await client.setBreakpoints("main.yaml", ["- deviceInfo"], ["hitCondition": "often"])
    #expect(hits[0]["message"]?.string?.contains("invalid hit condition") ?? false)
    #expect(try await client.start()["reason"] == "breakpoint")
    #expect(try await client.frames() == ["callGraph"])
    try await client.setBreakpoints("me.yaml", ["- signout"], ["logMessage": "user {callGraph.$.displayName} \\{x\\}"])
    #expect(try await client.go("continue")["reason"] == "terminated")
    #expect(client.output.contains("user Megan Bowen {x}"))
    await client.end()
  }

  @Test("counts the hits of a breakpoint")
  func hitConditions() async throws {
    let file = """
      authflow: 1
      settings: AuthSettings.plist
      steps:
        - id: again
          wait: 1s
          maxRuns: 5
          on: { success: again, exhausted: end }
      scenarios:
        run: { expect: { outcome: success } }
      """
    let client = try DebugAdapterClient(files: ["loop.yaml": file])
    try await client.launch("loop.yaml", "run", ["stopOnEntry": false])
    try await client.setBreakpoints("loop.yaml", ["- id: again"], ["hitCondition": "% 2"])
    _ = try await client.start()
    #expect(try await client.scope("Clock")["now"]?["value"] == "2025-01-01T00:00:01.000Z")
    _ = try await client.go("continue")
    #expect(try await client.scope("Clock")["now"]?["value"] == "2025-01-01T00:00:03.000Z")
    _ = try await client.go("stepBack")
    #expect(try await client.scope("Clock")["now"]?["value"] == "2025-01-01T00:00:02.000Z")
    _ = try await client.go("continue")
    #expect(try await client.scope("Clock")["now"]?["value"] == "2025-01-01T00:00:03.000Z")
    #expect(try await client.go("continue")["reason"] == "terminated")
    await client.end()
  }

  @Test("stops at steps and outcomes by name")
  func functionBreakpoints() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "interaction required (password changed)", ["stopOnEntry": false])
    let body = try await client.perform(
      "setFunctionBreakpoints",
      ["breakpoints": [["name": "silent.interactionRequired"], ["name": "signout"], ["name": "silnet"]]])
    let breakpoints = body["breakpoints"]?.array ?? []
    #expect(breakpoints.map { $0["verified"] } == [true, true, false])
    #expect(breakpoints[2]["message"] == "unknown step or outcome `silnet`; did you mean `silent`?")
    let stop = try await client.start()
    #expect(stop["reason"] == "function breakpoint")
    #expect(stop["hitBreakpointIds"] == [breakpoints[0]["id"] ?? 0])
    #expect(try await client.frames() == ["silent.interactionRequired"])
    #expect(try await client.evaluate("error.code") == "AADSTS50173")
    _ = try await client.go("continue")
    #expect(try await client.frames() == ["signout"])
    await client.end()
  }

  @Test("stops at error outcomes if the filter is set")
  func errorOutcomes() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "interaction required (password changed)", ["stopOnEntry": false])
    try await client.perform("setExceptionBreakpoints", ["filters": ["errorOutcome"]])
    #expect(
      try await client.failure("setExceptionBreakpoints", ["filters": ["all"]]).contains("unknown exception filter"))
    #expect(try await client.start()["reason"] == "exception")
    #expect(try await client.perform("exceptionInfo")["exceptionId"] == "errorOutcome")
    #expect(try await client.go("continue")["reason"] == "terminated")
    await client.end()
  }

  @Test("binds breakpoints that were set before the launch")
  func bindsAtLaunch() async throws {
    let client = try DebugAdapterClient()
    try await client.perform("initialize")
    let pending = try await client.perform("setFunctionBreakpoints", ["breakpoints": [["name": "signout"]]])
    #expect(pending["breakpoints"]?[0]?["verified"] == false)
    try await client.setBreakpoints("me.yaml", ["- callGraph"])
    try await client.perform("configurationDone")
    try await client.perform("launch", ["program": "me.yaml", "scenario": "first run"])
    #expect(try await client.event("breakpoint")["breakpoint"]?["verified"] == true)
    #expect(try await client.stop()["reason"] == "breakpoint")
    #expect(try await client.go("continue")["reason"] == "function breakpoint")
    await client.end()
  }
}
