import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import SimulatedWorld

import IdentityEmulator

/// Sends requests directly to Graph, as a caller with a verified token.
struct GraphProbe: Sendable {
  struct Response: Sendable {
    var status: Int
    var headers: HTTPFields
    var bytes: [UInt8]
    var body: JSON

    var value: [JSON] { body["value"]?.array ?? [] }
    var code: String? { body["error"]?["code"]?.string }
    var link: String? { body["@odata.nextLink"]?.string ?? body["@odata.deltaLink"]?.string }

    /// Returns the value of one member from each item.
    func names(_ key: String = "displayName") -> [String] { value.map { $0[key]?.string ?? "" } }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
  }

  static let base = "https://graph.microsoft.com"

  let emulator: IdentityPlatformEmulator
  var caller: GraphCaller
  /// The simulation starts at 2025-01-01T00:00:00Z, which is a Wednesday.
  var now = Simulation.start

  /// - Parameters:
  ///   - user: the signed-in user, or nil for app-only access.
  ///   - scopes: delegated permissions, or application permissions without a user.
  init(
    _ scopes: String..., user: String? = "megan@contoso.com", tenant: String? = nil,
    directory: EmulatedDirectory = .contoso
  ) {
    let world = World.simulated()
    emulator = IdentityPlatformEmulator(directory: directory, clock: world.clock, randomness: world.randomness)
    let match = user.flatMap { directory.user(named: $0) }
    caller = GraphCaller(
      claims: nil, accountID: match?.user.id, objectID: match?.user.id,
      tenantID: tenant ?? match?.tenant.id ?? directory.tenants.first?.id ?? "",
      scopes: user == nil ? [] : scopes, roles: user == nil ? scopes : [],
      appID: "11111111-1111-1111-1111-111111111111")
  }

  /// Creates a probe that sends requests from the same caller to another emulator.
  init(_ emulator: IdentityPlatformEmulator, _ caller: GraphCaller) {
    self.emulator = emulator
    self.caller = caller
  }

  /// Returns a probe that sends requests with other permissions to the same emulator.
  func with(_ scopes: String...) -> GraphProbe {
    var copy = self
    copy.caller.scopes = scopes
    return copy
  }

  func get(_ url: String, _ headers: [(String, String)] = []) async -> Response { await send(.get, url, headers) }

  func post(_ url: String, _ body: JSON, _ headers: [(String, String)] = []) async -> Response {
    await send(.post, url, headers + [("Content-Type", "application/json")], Array(body.text().utf8))
  }

  func patch(_ url: String, _ body: JSON, _ headers: [(String, String)] = []) async -> Response {
    await send(.patch, url, headers + [("Content-Type", "application/json")], Array(body.text().utf8))
  }

  func delete(_ url: String, _ headers: [(String, String)] = []) async -> Response { await send(.delete, url, headers) }

  /// - Parameter url: a path under `/v1.0`, or an absolute URL.
  func send(
    _ method: HTTPRequest.Method, _ url: String, _ headers: [(String, String)] = [], _ body: [UInt8] = [],
    authentication: GraphAuthentication? = nil
  ) async -> Response {
    let absolute = url.hasPrefix("https://") ? url : "\(Self.base)\(url.hasPrefix("/beta/") ? "" : "/v1.0")\(url)"
    var fields = HTTPFields()
    for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
    // Escapes characters that a URL must not contain, as browsers do.
    let escaped = absolute.replacing(" ", with: "%20").replacing("\"", with: "%22")
    guard let message = RequestMessage(method: method, url: escaped, headers: fields, body: body) else {
      return Response(status: 0, headers: [:], bytes: [], body: nil)
    }
    let target = message.head.path ?? "/"
    let path = String(target.prefix { $0 != "?" })
    let request = GraphRequest(
      message: message, authentication: authentication ?? .caller(caller), baseURL: Self.base, path: path,
      query: String(target.dropFirst(path.count + 1)), requestID: "8a7b6c5d-0000-4000-8000-000000000001", now: now,
      demandsTLS: true)
    let response = await GraphService().response(to: request, in: GraphDependencies(platform: emulator.platform))
    return Response(
      status: response.head.status.code, headers: response.head.headerFields, bytes: response.body,
      body: (try? JSON(parsing: response.body)) ?? .null)
  }
}
