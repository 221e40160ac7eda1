import Documents
import EditorProtocols
import Effects
import TestSupport
import Testing

@Suite struct LanguageServerTests {
  private static let files = [
    "AuthSettings.yaml": EditorSample.settings, "me.yaml": EditorSample.workflow,
  ]

  @Test("publishes the diagnostics of the opened version, even if there are none")
  func publishesDiagnostics() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", EditorSample.workflow)
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == [])
      session.change("me.yaml", EditorSample.workflow.replacing("- silent", with: "- silnet"), version: 2)
      #expect(await session.diagnostics(of: "me.yaml", version: 2).contains { $0.hasPrefix("4 ") })
      session.change("me.yaml", EditorSample.workflow, version: 3)
      #expect(await session.diagnostics(of: "me.yaml", version: 3) == [])
    }
  }

  @Test("reports findings in other files that depend on unsaved text")
  func reportsAcrossFiles() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("AuthSettings.yaml", EditorSample.settings)
      #expect(await session.diagnostics(of: "AuthSettings.yaml", version: 1) == [])
      session.change("AuthSettings.yaml", "AppId: x\nGraphScopes: [User.Read]\n", version: 2)
      #expect(await session.diagnostics(of: "AuthSettings.yaml", version: 2).contains("0 app-id-not-guid"))
      session.notify("textDocument/didClose", ["textDocument": session.document("AuthSettings.yaml")])
      #expect(await session.diagnostics(of: "AuthSettings.yaml", version: nil) == [])
    }
  }

  @Test("reports syntax errors in two documents that open at the same time")
  func reportsSyntaxErrorsInUnknownFiles() async throws {
    try await EditorSession.run(["a.json": "{}", "b.json": "{}"]) { session in
      session.open("a.json", "{")
      session.open("b.json", "[")
      #expect(await session.diagnostics(of: "a.json", version: 1) == ["0 json-syntax"])
      #expect(await session.diagnostics(of: "b.json", version: 1) == ["0 json-syntax"])
    }
  }

  @Test("includes the rule and its documentation page in findings")
  func describesFindings() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("AuthSettings.yaml", "AppId: x\n")
      let message = await session.console.message { $0["method"] == "textDocument/publishDiagnostics" }
      let diagnostic = try #require(message?["params"]?["diagnostics"]?[0])
      #expect(diagnostic["source"] == "authflow")
      let code = try #require(diagnostic["code"]?.string)
      #expect(diagnostic["codeDescription"]?["href"]?.string?.hasSuffix("Rules.md#\(code)") == true)
    }
  }

  @Test("responds to diagnostic requests and reports unchanged results")
  func pullDiagnostics() async throws {
    try await EditorSession.run(Self.files, client: ["textDocument": ["diagnostic": [:]]]) { session in
      session.open("AuthSettings.yaml", "AppId: x\n")
      let report = try await session.request(
        "textDocument/diagnostic", ["textDocument": session.document("AuthSettings.yaml")])
      #expect(report["kind"] == "full")
      #expect(EditorSession.codes(report["items"]).contains("0 app-id-not-guid"))
      let again = try await session.request(
        "textDocument/diagnostic",
        ["textDocument": session.document("AuthSettings.yaml"), "previousResultId": report["resultId"] ?? .null])
      #expect(again["kind"] == "unchanged")
      let workspace = try await session.request("workspace/diagnostic", ["previousResultIds": []])
      #expect(workspace["items"]?.array?.contains { $0["uri"] == session.uri("AuthSettings.yaml") } == true)
    }
  }

  @Test("returns the protocol's error codes")
  func returnsErrors() async throws {
    let console = MessageConsole()
    var world = EditorWorld.empty
    world.console = console
    let server = LanguageServer(world: world, tool: "authflow 1.0")
    let running = Task { await server.run() }
    func code(_ message: JSON) async -> Int64? {
      console.send(message)
      return await console.message { $0["id"] == message["id"] }?["error"]?["code"]?.integer
    }
    #expect(await code(["jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"]) == -32002)
    console.write("Content-Length: 1\r\n\r\n{")
    #expect(await console.message { $0["id"]?.isNull == true }?["error"]?["code"] == -32700)
    console.send(["jsonrpc": "2.0", "id": 2, "method": "initialize", "params": ["capabilities": [:]]])
    let initialized = await console.message { $0["id"] == 2 }
    #expect(initialized?["result"]?["serverInfo"]?["name"] == "authflow")
    #expect(await code(["jsonrpc": "2.0", "id": 3, "method": "textDocument/unknown"]) == -32601)
    #expect(await code(["jsonrpc": "2.0", "id": 4, "method": "initialize", "params": [:]]) == -32600)
    #expect(
      await code([
        "jsonrpc": "2.0", "id": 5, "method": "textDocument/codeLens",
        "params": ["textDocument": ["uri": "file:///missing.yaml"]],
      ]) == -32602)
    #expect(await code(["id": 6, "method": "shutdown"]) == -32600)
    console.send(["jsonrpc": "2.0", "id": 7, "method": "shutdown"])
    #expect(await console.message { $0["id"] == 7 }?["result"] == .null)
    #expect(await code(["jsonrpc": "2.0", "id": 8, "method": "textDocument/codeLens"]) == -32600)
    console.send(["jsonrpc": "2.0", "method": "exit"])
    #expect(await running.value)
  }

  @Test("fails if the client ends the session without a shutdown request")
  func failsWithoutShutdown() async {
    let console = MessageConsole()
    var world = EditorWorld.empty
    world.console = console
    let server = LanguageServer(world: world, tool: "authflow 1.0")
    let running = Task { await server.run() }
    console.close()
    #expect(await !running.value)
  }

  @Test(
    "negotiates the position encoding",
    arguments: [([], "utf-16", 12), (["utf-8", "utf-16"], "utf-8", 14), (["utf-32"], "utf-32", 11)]
      as [([String], String, Int64)])
  func negotiatesEncoding(offered: [String], chosen: String, column: Int64) async throws {
    let encodings = JSON.array(offered.map { .string($0) })
    try await EditorSession.run(Self.files, client: ["general": ["positionEncodings": encodings]]) { session in
      session.open("a.json", "{\"a\": \"😀\", x}")
      let message = await session.console.message { $0["method"] == "textDocument/publishDiagnostics" }
      let start = message?["params"]?["diagnostics"]?[0]?["range"]?["start"]
      #expect(start?["character"]?.integer == column, "\(message?.text() ?? "")")
    }
  }
}
