import Documents
import EditorProtocols
import Effects
import SimulatedWorld
import Synchronization
import TestSupport
import Testing

/// A client of the debug adapter. Its files are the shipped workflows and the test's own files, in `/app`.
final class DebugAdapterClient: Sendable {
  static let main = """
    authflow: 1
    settings: AuthSettings.plist
    inputs:
      who: { default: megan@contoso.com }
    steps:
      - deviceInfo
      - use: login.yaml
        id: login
      - id: profile
        callGraph: /me
        capture: { name: $.displayName }
        on:
          forbidden: end
    scenarios:
      first run:
        expect:
          login/interactive-fallback.screens: [username, password, consent]
          interactions: 1
      wrong:
        given: [signedIn: megan@contoso.com]
        expect:
          interactions: 0
          login/silent.tokenSource: refreshToken
          requests: { graph: 1 }
    """
  static let login = """
    authflow: 1
    settings: AuthSettings.plist
    steps:
      - loadAccount
      - silent:
          scopes: [User.Read]
        on:
          userCanceled: fail
      - interactive-fallback
    """
  static let parallel = """
    authflow: 1
    settings: AuthSettings.plist
    steps:
      - deviceInfo
      - parallel:
          - wait: 2h
          - id: short
            wait: 1m
          - id: quiet
            deviceInfo: {}
        id: together
      - id: now
        wait: 1s
    scenarios:
      both:
        expect: { accounts: 0 }
    """

  let console = MessageConsole()
  let files: MemoryFileSystem
  private let server: Task<Void, Never>
  private let number = Mutex<Int64>(0)

  init(files texts: [String: String] = [:]) throws {
    var files: [String: [UInt8]] = [:]
    for name in try ProjectFiles.files(in: "Workflows") {
      files["/app/\(name)"] = try ProjectFiles.bytes(of: "Workflows/\(name)")
    }
    for (name, text) in ["main.yaml": Self.main, "login.yaml": Self.login, "parallel.yaml": Self.parallel]
      .merging(texts, uniquingKeysWith: { $1 })
    {
      files["/app/\(name)"] = Array(text.utf8)
    }
    self.files = MemoryFileSystem(files, workingDirectory: "/app")
    var world = World.simulated(files: self.files)
    world.console = console
    world.environment.workingDirectory = "/app"
    let adapter = DebugAdapter(world: world, tool: "tests")
    server = Task { await adapter.run() }
  }

  /// Sends a request and returns its response.
  func request(_ command: String, _ arguments: JSON = [:]) async throws -> JSON {
    let seq = number.withLock { number in
      number += 1
      return number
    }
    console.send(["seq": .integer(seq), "type": "request", "command": .string(command), "arguments": arguments])
    return try #require(
      await console.message { $0["type"]?.string == "response" && $0["request_seq"]?.integer == seq })
  }

  /// Sends a request that must succeed and returns the body of its response.
  @discardableResult
  func perform(
    _ command: String, _ arguments: JSON = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSON {
    let response = try await request(command, arguments)
    // After a failure, the test would wait for an event forever.
    try #require(response["success"] == true, "\(response.text())", sourceLocation: sourceLocation)
    return response["body"] ?? [:]
  }

  /// Sends a request that must fail and returns the message of its response.
  func failure(
    _ command: String, _ arguments: JSON = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let response = try await request(command, arguments)
    #expect(response["success"] == false, "\(response.text())", sourceLocation: sourceLocation)
    return response["message"]?.string ?? ""
  }

  /// Initializes the session and launches a program.
  func launch(_ program: String, _ scenario: String? = nil, _ more: JSON = [:]) async throws {
    try await perform("initialize", ["adapterID": "authflow"])
    #expect(try await event("initialized") != .null)
    var arguments: JSON = ["program": .string("/app/\(program)"), "stopOnEntry": true]
    if let scenario { arguments["scenario"] = .string(scenario) }
    more.forEachMember { arguments[$0] = $1 }
    try await perform("launch", arguments)
  }

  /// Sets breakpoints at the lines that contain these strings.
  @discardableResult
  func setBreakpoints(_ file: String, _ texts: [String], _ more: JSON = [:]) async throws -> [JSON] {
    let breakpoints = try texts.map { text -> JSON in
      var json: JSON = ["line": .integer(Int64(try line(of: text, in: file)))]
      more.forEachMember { json[$0] = $1 }
      return json
    }
    let body = try await perform(
      "setBreakpoints", ["source": ["path": .string("/app/\(file)")], "breakpoints": .array(breakpoints)])
    return body["breakpoints"]?.array ?? []
  }

  /// Completes the configuration and waits for the first stop.
  func start() async throws -> JSON {
    try await perform("configurationDone")
    return try await stop()
  }

  /// Waits for an event and returns its body.
  func event(_ name: String) async throws -> JSON {
    let event = try #require(await console.message { $0["event"]?.string == name })
    return event["body"] ?? [:]
  }

  /// Waits until the run stops or ends. Returns the body of `stopped`, or `["reason": "terminated"]`.
  func stop() async throws -> JSON {
    let event = try #require(
      await console.message { ["stopped", "terminated"].contains($0["event"]?.string ?? "") })
    return event["event"] == "terminated" ? ["reason": "terminated"] : event["body"] ?? [:]
  }

  /// Sends a request that resumes the run and waits for the next stop.
  func go(_ command: String) async throws -> JSON {
    try await perform(command, ["threadId": 1])
    return try await stop()
  }

  /// Returns the names of the stack frames, innermost first.
  func frames() async throws -> [String] {
    try await stackFrames().map { $0["name"]?.string ?? "" }
  }

  func stackFrames() async throws -> [JSON] {
    try await perform("stackTrace", ["threadId": 1])["stackFrames"]?.array ?? []
  }

  /// Returns the file and line of the innermost frame.
  func location() async throws -> String {
    let frame = try await stackFrames().first
    return "\(frame?["source"]?["name"]?.string ?? ""):\(frame?["line"]?.integer ?? 0)"
  }

  /// Returns the result of an expression in the debug console.
  func evaluate(_ expression: String, context: String = "repl") async throws -> String {
    let body = try await perform("evaluate", ["expression": .string(expression), "context": .string(context)])
    return body["result"]?.string ?? ""
  }

  /// Returns the variables of a scope of the innermost frame, by name.
  func scope(_ name: String) async throws -> [String: JSON] {
    let frame = try await stackFrames().first?["id"] ?? 0
    let scopes = try await perform("scopes", ["frameId": frame])["scopes"]?.array ?? []
    let scope = try #require(scopes.first { $0["name"]?.string == name })
    return try await variables(scope["variablesReference"] ?? 0)
  }

  func variables(_ reference: JSON) async throws -> [String: JSON] {
    let variables = try await perform("variables", ["variablesReference": reference])["variables"]?.array ?? []
    return Dictionary(uniqueKeysWithValues: variables.map { ($0["name"]?.string ?? "", $0) })
  }

  /// Closes standard input and waits until the server exits.
  func end() async {
    console.close()
    await server.value
  }

  func line(of text: String, in file: String) throws -> Int {
    let lines = String(decoding: try files.read("/app/\(file)", limit: 1 << 20), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.contains(text) }) + 1
  }

  /// The text of all `output` events so far.
  var output: String {
    console.messages.filter { $0["event"]?.string == "output" }.map { $0["body"]?["output"]?.string ?? "" }.joined()
  }
}
