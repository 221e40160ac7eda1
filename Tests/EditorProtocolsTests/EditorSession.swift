import Documents
import EditorProtocols
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// A language server with a test client.
struct EditorSession: Sendable {
  let console: MessageConsole
  let client: JSON
  static let folder = "/project"

  /// Starts a server with a project's files, runs the test, and ends the session.
  /// - Parameter client: The client's capabilities.
  static func run(
    _ files: [String: String], client: JSON = [:], environment: [String: String] = [:],
    _ body: (EditorSession) async throws -> Void
  ) async throws {
    let console = MessageConsole()
    let memory = MemoryFileSystem(workingDirectory: "/elsewhere")
    try memory.makeDirectory(folder, privately: false)
    for (name, text) in files {
      let path = "\(folder)/\(name)"
      try memory.makeDirectory(FilePath.folder(of: path), privately: false)
      try memory.replace(path, with: Array(text.utf8), privately: false)
    }
    var world = Simulation(
      seed: "editor", environment: environment, workingDirectory: "/elsewhere", grants: Grants()
    ).world
    world.files = memory
    world.console = console
    let server = LanguageServer(world: world, tool: "authflow 1.0")
    let running = Task { await server.run() }
    let session = EditorSession(console: console, client: client)
    console.send([
      "jsonrpc": "2.0", "id": "initialize", "method": "initialize",
      "params": ["rootUri": "file:///project", "capabilities": client],
    ])
    _ = await session.response("initialize")
    session.notify("initialized", [:])
    do {
      try await body(session)
    } catch {
      console.close()
      _ = await running.value
      throw error
    }
    session.send("shutdown", id: "shutdown", .null)
    _ = await session.response("shutdown")
    session.notify("exit", .null)
    #expect(await running.value)
  }

  func uri(_ name: String) -> JSON { .string("file://\(Self.folder)/\(name)") }

  func notify(_ method: String, _ params: JSON) {
    console.send(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  func send(_ method: String, id: JSON, _ params: JSON) {
    console.send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
  }

  func response(_ id: JSON) async -> JSON? {
    await console.message { $0["id"] == id && $0["method"] == nil }
  }

  /// Sends a request and waits for its result.
  func request(_ method: String, _ params: JSON) async throws -> JSON {
    let id = JSON.string("\(method) \(params.text().hashValue)")
    send(method, id: id, params)
    let response = try #require(await response(id))
    return try #require(response["result"], "\(response.text())")
  }

  /// Sends a request and waits for its error.
  func error(_ method: String, _ params: JSON) async throws -> JSON {
    let id = JSON.string("\(method) error \(params.text().hashValue)")
    send(method, id: id, params)
    let response = try #require(await response(id))
    return try #require(response["error"], "\(response.text())")
  }

  func open(_ name: String, _ text: String, version: Int64 = 1) {
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": uri(name), "languageId": "yaml", "version": .integer(version), "text": .string(text),
        ]
      ])
  }

  /// Replaces the text of an open document.
  func change(_ name: String, _ text: String, version: Int64) {
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": uri(name), "version": .integer(version)],
        "contentChanges": [["text": .string(text)]],
      ])
  }

  /// Waits for the diagnostics of a document version and returns each one as a zero-based line and a code.
  func diagnostics(of name: String, version: Int64?) async -> [String] {
    let uri = uri(name)
    let message = await console.message { message in
      guard message["method"] == "textDocument/publishDiagnostics", message["params"]?["uri"] == uri else {
        return false
      }
      guard let version else { return message["params"]?["version"] == nil }
      return (message["params"]?["version"]?.integer ?? -1) >= version
    }
    return Self.codes(message?["params"]?["diagnostics"])
  }

  static func codes(_ diagnostics: JSON?) -> [String] {
    (diagnostics?.array ?? []).map { diagnostic in
      "\(diagnostic["range"]?["start"]?["line"]?.integer ?? -1) \(diagnostic["code"]?.string ?? "")"
    }
  }

  func document(_ name: String) -> JSON { ["uri": uri(name)] }
}

/// The text of workflows for tests.
enum EditorSample {
  static let settings = """
    AppId: 3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c
    GraphScopes: [User.Read]
    RedirectUri: msauth.com.contoso.app://auth

    """

  static let workflow = """
    authflow: 1
    settings: AuthSettings.yaml
    steps:
      - loadAccount
      - silent
      - interactive-fallback
      - callGraph: /me
    scenarios:
      first sign-in:
        expect:
          path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]
          interactions: 1
      wrong expectation:
        expect:
          interactions: 2

    """
}
