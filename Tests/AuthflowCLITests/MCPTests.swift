import AuthflowCLI
import Documents
import EditorProtocols
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// A client of `authflow mcp` in a simulated environment.
final class MCPClient: Sendable {
  let console = MessageConsole(hasHeaders: false)
  let files: MemoryFileSystem
  private let server: Task<ExitStatus, Never>

  /// - Parameters:
  ///   - arguments: The options of `authflow mcp`.
  ///   - shipped: Whether the `Workflows` folder of the project exists.
  init(
    _ arguments: [String] = [], files: [String: String] = [:], links: [String: String] = [:], shipped: Bool = false,
    variables: [String: String] = [:]
  ) throws {
    let session = try TerminalSession(
      files: ["../secret.yaml": "secret: 1\n"].merging(files) { $1 }, shipped: shipped, variables: variables)
    self.files = session.files
    for (path, target) in links { session.files.link(path, to: target) }
    var world = session.simulation.world
    world.console = console
    server = Task { [world] in await CommandLineTool.run(["mcp"] + arguments, in: world) }
  }

  /// Returns a client after the handshake.
  static func connected(
    _ arguments: [String] = [], files: [String: String] = [:], links: [String: String] = [:], shipped: Bool = false
  ) async throws -> MCPClient {
    let client = try MCPClient(arguments, files: files, links: links, shipped: shipped)
    _ = try await client.initialize()
    client.console.send(["jsonrpc": "2.0", "method": "notifications/initialized"])
    return client
  }

  func initialize(version: String = "2025-06-18") async throws -> JSON {
    try await request(
      "initialize",
      ["protocolVersion": .string(version), "capabilities": [:], "clientInfo": ["name": "test", "version": "1"]], id: 0)
  }

  /// Sends a request and waits for its response.
  func request(_ method: String, _ params: JSON = [:], id: JSON = 1) async throws -> JSON {
    console.send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
    return try await response(id)
  }

  func response(_ id: JSON) async throws -> JSON {
    try #require(await console.message { $0["id"] == id && $0["method"] == nil })
  }

  /// Calls a tool.
  func call(_ tool: String, _ arguments: JSON = [:]) async throws -> ToolResponse {
    let response = try await request("tools/call", ["name": .string(tool), "arguments": arguments])
    return ToolResponse(json: try #require(response["result"], "\(response.text())"))
  }

  /// Closes the input and waits until the server exits.
  func close() async -> ExitStatus {
    console.close()
    return await server.value
  }
}

struct ToolResponse {
  let json: JSON
  var isError: Bool { json["isError"]?.bool ?? false }
  var text: String { json["content"]?[0]?["text"]?.string ?? "" }
  var content: JSON { json["structuredContent"] ?? .null }
}

/// The protocol of `authflow mcp`: lifecycle, errors, concurrency, and cancellation.
@Suite struct MCPTests {
  @Test("the server responds with the client's version if supported, and otherwise with its own newest version")
  func versions() async throws {
    for (asked, answered) in [
      ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("1.0", "2025-11-25"),
    ] {
      let client = try MCPClient()
      let result = try await client.initialize(version: asked)["result"]
      #expect(result?["protocolVersion"]?.string == answered)
      #expect(result?["serverInfo"]?["name"] == "authflow")
      #expect(result?["capabilities"]?["tools"] != nil)
      #expect(result?["instructions"]?.string?.contains("/home/dev/app") == true)
      #expect(await client.close() == .success)
    }
  }

  @Test("only ping works before the handshake, and a second handshake is rejected")
  func lifecycle() async throws {
    let client = try MCPClient()
    #expect(try await client.request("ping")["result"] == [:])
    #expect(try await client.request("tools/list")["error"]?["code"] == -32600)
    #expect(try await client.request("initialize", [:])["error"]?["code"] == -32602)
    _ = try await client.initialize()
    #expect(try await client.request("tools/list")["result"]?["tools"]?.array?.isEmpty == false)
    #expect(try await client.initialize()["error"]?["code"] == -32600)
    #expect(await client.close() == .success)
  }

  @Test("requests with a version in `_meta` do not need a handshake")
  func envelope() async throws {
    let client = try MCPClient()
    func meta(_ version: String) -> JSON {
      [
        "_meta": [
          "io.modelcontextprotocol/protocolVersion": .string(version),
          "io.modelcontextprotocol/clientCapabilities": [:],
        ]
      ]
    }
    let discovery = try await client.request("server/discover", meta("2026-07-28"))["result"]
    #expect(discovery?["supportedVersions"] == ["2026-07-28"] && discovery?["resultType"] == "complete")
    let tools = try await client.request("tools/list", meta("2026-07-28"))["result"]
    #expect(tools?["tools"]?.array?.isEmpty == false && tools?["cacheScope"] == "private")
    #expect(try await client.request("tools/list", meta("2099-01-01"))["error"]?["code"] == -32022)
    #expect(try await client.request("server/discover")["error"]?["code"] == -32601)
    #expect(await client.close() == .success)
  }

  @Test("invalid messages result in an error, and the connection stays open")
  func malformedMessages() async throws {
    let client = try await MCPClient.connected()
    client.console.write("{\"jsonrpc\": \"2.0\", \n")
    #expect(try await client.response(.null)["error"]?["code"] == -32700)
    client.console.write(String(repeating: "[", count: 100_000) + "\n")
    #expect(try await client.response(.null)["error"]?["code"] == -32700)
    for message in ["1", "[]", "{}", #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, #"{"id":1,"method":"ping"}"#] {
      client.console.write(message + "\n")
      let response = try #require(await client.console.message { $0["error"] != nil })
      #expect(response["error"]?["code"] == -32600, "\(message)")
    }
    #expect(try await client.request("ping", id: 1.5)["result"] == [:])
    #expect(try await client.request("unknown/method")["error"]?["code"] == -32601)
    client.console.write("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":[]}\n")
    #expect(try await client.response(5)["error"]?["code"] == -32602)
    client.console.write(
      "[{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"x\"},1]\n")
    let batch = try #require(await client.console.message { $0.array != nil })
    #expect(batch.array?.count == 2)
    #expect(await client.close() == .success)
  }

  @Test(
    "the error for an unknown or invalid argument contains the argument and the fix",
    arguments: [
      ("validate", ["pth": "."], "did you mean `path`?"), ("run", [:], "missing argument `path`"),
      ("run", ["path": 1], "must be a string"),
      ("run", ["path": "w.yaml", "live": "yes"], "must be `true` or `false`"),
      ("explore", ["path": "w.yaml", "depth": 9], "from 1 to 8"),
      ("graph", ["path": "w.yaml", "format": "png"], "one of mermaid, dot, svg, json"),
      ("run", ["path": "w.yaml", "inputs": ["a": []]], "an object whose values are"),
      ("validat", [:], "did you mean `validate`?"),
      ("test", [1], "must be an object"),
    ] as [(String, JSON, String)])
  func wrongArguments(tool: String, arguments: JSON, message: String) async throws {
    let client = try await MCPClient.connected()
    let response = try await client.request("tools/call", ["name": .string(tool), "arguments": arguments])
    #expect(response["error"]?["code"] == -32602)
    #expect(response["error"]?["message"]?.string?.contains(message) == true, "\(response.text())")
    #expect(await client.close() == .success)
  }

  @Test("a slow tool reports progress and does not delay a ping")
  func concurrency() async throws {
    let client = try await MCPClient.connected(shipped: true)
    client.console.send([
      "jsonrpc": "2.0", "id": "slow", "method": "tools/call",
      "params": ["name": "test", "arguments": ["path": "Workflows/me.yaml"], "_meta": ["progressToken": "t"]],
    ])
    let progress = try #require(await client.console.message { $0["method"] == "notifications/progress" })
    #expect(progress["params"]?["progressToken"] == "t")
    #expect(try await client.request("ping")["result"] == [:])
    let result = try await client.response("slow")["result"]
    #expect(result?["structuredContent"]?["summary"]?["failed"] == 0)
    #expect(result?["isError"] == false)
    let later = client.console.messages.compactMap { $0["params"]?["progress"]?.integer }
    #expect(later == later.sorted() && later.count > 3)
    #expect(await client.close() == .success)
  }

  @Test("the server does not respond to a canceled request")
  func cancellation() async throws {
    let client = try await MCPClient.connected(shipped: true)
    client.console.send([
      "jsonrpc": "2.0", "id": 7, "method": "tools/call",
      "params": ["name": "test", "arguments": ["path": "Workflows"], "_meta": ["progressToken": 1]],
    ])
    _ = await client.console.message { $0["method"] == "notifications/progress" }
    client.console.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 7]])
    client.console.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 99]])
    #expect(try await client.request("ping")["result"] == [:])
    #expect(await client.close() == .success)
    #expect(!client.console.messages.contains { $0["id"] == 7 })
  }

  @Test("the server responds to running requests after its input closes")
  func endOfInput() async throws {
    let client = try await MCPClient.connected(shipped: true)
    client.console.send([
      "jsonrpc": "2.0", "id": 3, "method": "tools/call",
      "params": ["name": "run", "arguments": ["path": "Workflows/me.yaml"]],
    ])
    #expect(await client.close() == .success)
    #expect(client.console.messages.contains { $0["id"] == 3 && $0["result"] != nil })
  }

  @Test("the server validates log levels and sends only messages of the selected level or higher")
  func logging() async throws {
    let client = try await MCPClient.connected()
    #expect(try await client.request("logging/setLevel", ["level": "loud"])["error"]?["code"] == -32602)
    #expect(try await client.request("logging/setLevel", ["level": "debug"])["result"] == [:])
    _ = try await client.call("explain", ["query": "AADSTS50076"])
    #expect(client.console.messages.contains { $0["method"] == "notifications/message" })
    #expect(await client.close() == .success)
  }

  @Test("a missing folder is a usage error")
  func missingFolder() async throws {
    let client = try MCPClient(["--root", "missing"])
    #expect(await client.close() == .usageError)
    #expect(client.console.error.contains("is not a folder"))
  }
}
