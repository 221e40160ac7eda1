import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Studio
import TestSupport
import Testing

/// A studio with an in-memory folder, and a browser.
struct StudioHarness {
  static let base = "http://127.0.0.1:4711"
  static let workflow = """
    # A comment that must remain.
    authflow: 1
    name: Read <b>my</b> profile
    settings: AuthSettings.yaml
    user: megan@contoso.com
    steps: [loadAccount, silent, interactive-fallback, callGraph: /me]
    scenarios:
      first sign-in: # another comment
        expect: { interactions: 1 }

    """

  let files: MemoryFileSystem
  let server: StudioServer
  let cookie: String

  init(
    _ more: [String: String] = [:], emulator: String? = nil, http: (any HTTPTransport)? = nil,
    starter: EmulatorStarter? = nil
  ) async throws {
    let texts = [
      "AuthSettings.yaml": """
      AppId: 3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c
      GraphScopes: [User.Read]
      RedirectUri: msauth.com.contoso.app://auth

      """, "me.yaml": Self.workflow,
    ].merging(more) { $1 }
    files = MemoryFileSystem(
      Dictionary(uniqueKeysWithValues: texts.map { ("/project/\($0.key)", Array($0.value.utf8)) }),
      workingDirectory: "/project")
    var world = Simulation(seed: "studio", environment: [:], workingDirectory: "/project", grants: Grants()).world
    world.files = files
    if let http { world.http = http }
    server = StudioServer(
      folder: "/project", port: 4711, world: world, tool: "authflow 1.0", emulator: emulator, starter: starter)
    let link = try #require(server.linkPath)
    let opened = await server.respond(to: try #require(RequestMessage(url: Self.base + link)))
    cookie = String((opened.head.headerFields[.setCookie] ?? "").prefix { $0 != ";" })
  }

  func send(
    _ path: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: String = ""
  ) async throws -> ResponseMessage {
    var fields = headers
    if fields[.cookie] == nil { fields[.cookie] = cookie }
    let url = path.hasPrefix("http") ? path : Self.base + path
    return await server.respond(
      to: try #require(RequestMessage(method: method, url: url, headers: fields, body: Array(body.utf8))))
  }

  func get(_ path: String) async throws -> JSON { try JSON(parsing: try await send(path).body) }

  /// Sends a POST request in the same way as the studio's page.
  func post(_ path: String, _ body: JSON) async throws -> (status: Int, json: JSON) {
    let response = try await send(
      path, method: .post, headers: [.contentType: "application/json", .origin: Self.base], body: body.text())
    return (response.head.status.code, try JSON(parsing: response.body))
  }

  func text(of name: String) throws -> String {
    String(decoding: try files.read("/project/\(name)", limit: 1 << 20), as: UTF8.self)
  }
}
