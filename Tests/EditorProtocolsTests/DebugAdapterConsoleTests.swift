import Documents
import Testing

@Suite struct DebugAdapterConsoleTests {
  @Test("shows the state of the run without secrets")
  func scopes() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run", ["stopOnEntry": false])
    try await client.setBreakpoints("main.yaml", ["forbidden: end"])
    _ = try await client.perform("setFunctionBreakpoints", ["breakpoints": [["name": "profile.success"]]])
    _ = try await client.start()
    let frame = try #require(try await client.stackFrames().first?["id"])
    let scopes = try await client.perform("scopes", ["frameId": frame])["scopes"]?.array ?? []
    #expect(
      scopes.map { $0["name"]?.string } == [
        "Captures", "Inputs", "Step results", "Account", "Token claims", "Token cache", "Clock", "Emulator",
      ])
    #expect(try await client.scope("Captures")["name"]?["value"] == "Megan Bowen")
    #expect(try await client.scope("Inputs")["who"]?["value"] == "megan@contoso.com")
    let account = try #require(try await client.scope("Account")["current"])
    #expect(try await client.variables(account["variablesReference"] ?? 0)["username"]?["value"] == "megan@contoso.com")
    let results = try await client.scope("Step results")
    let silent = try #require(results["login/interactive-fallback"])
    let outcome = try #require(try await client.variables(silent["variablesReference"] ?? 0)["outcome"])
    #expect(outcome["value"] == "success")
    #expect(outcome["evaluateName"] == "login/interactive-fallback.outcome")
    let claims = try await client.scope("Token claims")
    let token = try #require(claims.first { $0.key.hasPrefix("ID token") }?.value)
    #expect(
      try await client.variables(token["variablesReference"] ?? 0)["preferred_username"]?["value"]
        == "megan@contoso.com")
    let cache = try await client.scope("Token cache")
    #expect(cache.keys.contains("RefreshToken"))
    let refreshTokens = try await client.variables(cache["RefreshToken"]?["variablesReference"] ?? 0)
    let fields = try await client.variables(refreshTokens.values.first?["variablesReference"] ?? 0)
    #expect(fields["secret"]?["value"]?.string?.hasPrefix("‹refresh token") ?? false)
    #expect(try await client.scope("Emulator")["requests"] != nil)
    await client.end()
  }

  @Test("rejects unknown frames and references, and frames and references from earlier stops")
  func unknownReferences() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "first run")
    _ = try await client.start()
    let frame = try #require(try await client.stackFrames().first?["id"])
    _ = try await client.perform("scopes", ["frameId": frame])
    _ = try await client.go("next")
    #expect(try await client.failure("scopes", ["frameId": frame]).contains("unknown frame"))
    #expect(try await client.failure("variables", ["variablesReference": 2]).contains("unknown variables reference"))
    #expect(try await client.failure("evaluate", ["expression": "1", "frameId": 99]) == "unknown frame 99")
    await client.end()
  }

  @Test("evaluates expressions")
  func expressions() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run", ["stopOnEntry": false])
    _ = try await client.perform("setFunctionBreakpoints", ["breakpoints": [["name": "profile.success"]]])
    _ = try await client.start()
    #expect(try await client.evaluate("profile.outcome == success") == "true")
    #expect(try await client.evaluate("profile.status >= 200 and profile.status < 300") == "true")
    #expect(try await client.evaluate("$.displayName") == "Megan Bowen")
    #expect(try await client.evaluate("name") == "Megan Bowen")
    #expect(try await client.evaluate("Hello ${name}", context: "watch") == "Hello Megan Bowen")
    #expect(try await client.evaluate("name: {startsWith: Meg}") == "true")
    #expect(try await client.evaluate("!(name contains x) || false") == "true")
    #expect(try await client.evaluate("login/interactive-fallback.screens", context: "hover").contains("password"))
    #expect(try await client.evaluate("profile").contains("attempts"))
    await client.end()
  }

  @Test("reports invalid expressions in one message without repeating long text")
  func invalidExpressions() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run")
    _ = try await client.start()
    #expect(
      try await client.failure("evaluate", ["expression": "lgoin.outcome"])
        == "unknown step, capture, or input `lgoin`; did you mean `login`?")
    #expect(try await client.failure("evaluate", ["expression": "a = b"]) == "invalid operator `=`: use `==`")
    #expect(try await client.failure("evaluate", ["expression": ""]) == "empty expression")
    let long = String(repeating: "x", count: 3_000)
    #expect(try await client.failure("evaluate", ["expression": .string(long)]).count <= 200)
    let nested = String(repeating: "(", count: 2_000) + "1" + String(repeating: ")", count: 2_000)
    #expect(try await client.failure("evaluate", ["expression": .string(nested)]) == "expression nested too deeply")
    #expect(
      try await client.failure("evaluate", ["expression": "simulate offlin", "context": "repl"]).contains("offline"))
    #expect(try await client.evaluate("help").contains("passwordChanged"))
    await client.end()
  }

  @Test("simulates events at the current point of the run")
  func simulatesEvents() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("me.yaml", "returning user")
    _ = try await client.start()
    _ = try await client.go("next")
    _ = try await client.evaluate("simulate wait: 2h")
    _ = try await client.evaluate("simulate passwordChanged")
    #expect(client.output.contains("simulated passwordChanged: the user changed the password"))
    #expect(try await client.go("next")["reason"] == "step")
    #expect(try await client.frames() == ["interactive-fallback"])
    #expect(try await client.evaluate("silent.error.code") == "AADSTS50173")
    await client.end()
  }

  @Test("completes steps, result fields, and events")
  func completes() async throws {
    let client = try DebugAdapterClient()
    try await client.launch("main.yaml", "first run")
    _ = try await client.start()
    func labels(_ text: String) async throws -> [String] {
      let body = try await client.perform(
        "completions", ["text": .string(text), "column": .integer(Int64(text.count + 1))])
      return body["targets"]?.array?.compactMap { $0["label"]?.string } ?? []
    }
    #expect(try await labels("log") == ["login"])
    #expect(try await labels("profile.st") == ["profile.status"])
    #expect(try await labels("simulate off") == ["offline"])
    #expect(try await labels("sim") == ["simulate"])
    #expect(try await labels("profile.outcome == wh") == ["who"])
    await client.end()
  }
}
