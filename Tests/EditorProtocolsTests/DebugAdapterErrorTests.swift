import Documents
import TestSupport
import Testing

@Suite struct DebugAdapterErrorTests {
  @Test("rejects programs that cannot run")
  func launchFailures() async throws {
    let required = """
      authflow: 1
      settings: AuthSettings.plist
      inputs: { who: { required: true } }
      steps: [loadAccount]
      """
    let broken = "authflow: 1\nsettings: AuthSettings.plist\nsteps: [silnet]\n"
    let unset = "authflow: 1\nsettings: {Authority: nowhere}\nsteps: [loadAccount]\n"
    let client = try DebugAdapterClient(files: ["required.yaml": required, "broken.yaml": broken, "unset.yaml": unset])
    try await client.perform("initialize")
    #expect(try await client.failure("launch", [:]).contains("missing `program`"))
    #expect(try await client.failure("launch", ["program": "none.yaml"]).contains("none.yaml"))
    #expect(try await client.failure("launch", ["program": "broken.yaml"]).contains("did you mean `silent`?"))
    #expect(try await client.failure("launch", ["program": "unset.yaml"]).contains("unset.yaml"))
    #expect(try await client.failure("launch", ["program": "required.yaml"]).contains("missing required input `who`"))
    #expect(
      try await client.failure("launch", ["program": "required.yaml", "inputs": ["hwo": "x"]])
        == "unknown input `hwo`; did you mean `who`?")
    let response = try await client.request("launch", ["program": "me.yaml", "scenario": "frist run"])
    #expect(response["message"] == "no scenario `frist run` in me.yaml; did you mean `first run`?")
    #expect(response["body"]?["error"]?["format"] == response["message"])
    #expect(try await client.failure("attach").contains("`attach` is not supported"))
    try await client.perform("launch", ["program": "required.yaml", "inputs": ["who": "x"]])
    #expect(try await client.failure("launch", ["program": "me.yaml"]).contains("already"))
    await client.end()
  }

  @Test("rejects requests in the wrong state")
  func wrongState() async throws {
    let client = try DebugAdapterClient()
    #expect(try await client.failure("threads") == "the first request must be `initialize`")
    try await client.perform("initialize")
    #expect(try await client.failure("initialize") == "the session is already initialized")
    #expect(try await client.failure("next") == "the run has not started")
    #expect(try await client.failure("stackTrace") == "the run has not started")
    #expect(try await client.failure("setVariable") == "unsupported request `setVariable`")
    #expect(try await client.failure("restart") == "no program has been launched")
    await client.end()
  }

  @Test("responds to all requests that arrive while the run is terminated")
  func requestsDuringTermination() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run")
    try await client.perform("configurationDone")
    #expect(try await client.event("stopped") != .null)
    let responses = try await withThrowingTaskGroup(of: JSON.self) { group in
      for command in Array(repeating: "scopes", count: 10) + ["terminate"] + Array(repeating: "scopes", count: 10) {
        group.addTask { try await client.request(command) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(responses.count == 21)
    #expect(responses.contains { $0["command"] == "terminate" && $0["success"] == true })
    await client.end()
  }

  @Test("ignores malformed messages and continues")
  func malformedMessages() async throws {
    let client = try DebugAdapterClient()
    client.console.write("Content-Length: 3\r\n\r\n{x}")
    client.console.write("Content-Length: 2\r\n\r\n[]")
    client.console.write("Content-Length: none\r\n\r\n")
    try await client.perform("initialize")
    #expect(client.console.error.contains("ignored a message"))
    await client.end()
  }

  @Test("counts lines and columns as the client does")
  func zeroBasedLines() async throws {
    let client = try DebugAdapterClient()
    try await client.perform("initialize", ["linesStartAt1": false, "columnsStartAt1": false])
    try await client.perform("launch", ["program": "main.yaml", "scenario": "first run", "stopOnEntry": true])
    let body = try await client.perform(
      "setBreakpoints", ["source": ["path": "/app/main.yaml"], "breakpoints": [["line": 5]]])
    #expect(body["breakpoints"]?[0]?["line"] == 5)
    #expect(body["breakpoints"]?[0]?["verified"] == true)
    _ = try await client.start()
    let frame = try await client.stackFrames().first
    #expect(frame?["line"] == 5)
    #expect(frame?["column"] == 4)
    await client.end()
  }

  @Test("lists the loaded files and the thread")
  func sources() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "first run")
    let names = try await client.perform("loadedSources")["sources"]?.array?.compactMap { $0["name"]?.string }
    #expect(names == ["me.yaml", "me.scenarios.yaml"])
    #expect(try await client.perform("threads")["threads"]?[0]?["name"] == "first run")
    await client.end()
  }
}
