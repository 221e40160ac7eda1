import Documents
import Effects
import HTTPTypes
import Synchronization

/// A network for tests that records all exchanges and their secrets.
final class WireLog: HTTPTransport {
  struct Exchange: Sendable {
    var request: RequestMessage
    var response: ResponseMessage?

    var method: String { request.head.method.rawValue }
    var url: String { request.url }
    var host: String { request.head.authority ?? "" }
    /// The URL without its query.
    var path: String { String((request.head.path ?? "/").prefix { $0 != "?" }) }
    var status: Int? { response?.head.status.code }
    var bearer: String? { request.head.headerFields[.authorization] }
    var body: String { String(decoding: request.body, as: UTF8.self) }
    var form: [String: String] { WireLog.fields(body[...]) }
  }

  private let platform: any HTTPTransport
  /// The handlers for other hosts.
  private let others: Mutex<[String: @Sendable (RequestMessage) -> ResponseMessage]>
  private let log = Mutex<[Exchange]>([])

  init(_ platform: any HTTPTransport) {
    self.platform = platform
    others = Mutex([:])
  }

  var exchanges: [Exchange] { log.withLock { $0 } }

  func serve(_ host: String, _ response: @escaping @Sendable (RequestMessage) -> ResponseMessage) {
    others.withLock { $0[host] = response }
  }

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let other = others.withLock { $0[request.head.authority ?? ""] }
    do {
      let response = if let other { other(request) } else { try await platform.send(request) }
      log.withLock { $0.append(Exchange(request: request, response: response)) }
      return response
    } catch {
      log.withLock { $0.append(Exchange(request: request, response: nil)) }
      throw error
    }
  }

  /// Splits text such as `a=b&c=d` without decoding, because the names do not contain escapes.
  static func fields(_ text: Substring) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let name = pair.prefix { $0 != "=" }
      fields[String(name)] = String(pair.dropFirst(name.count + 1))
    }
    return fields
  }

  // MARK: Secrets

  private static let secretFields: Set<String> = [
    "access_token", "refresh_token", "id_token", "code", "code_verifier", "passwd", "password", "newpassword",
    "confirmpassword", "device_code", "state",
  ]

  /// All recorded tokens, codes, verifiers, passwords, and cookies.
  var secrets: Set<String> {
    var found: Set<String> = []
    func insert(_ fields: [String: String]) {
      for (name, value) in fields where Self.secretFields.contains(name.lowercased()) { found.insert(value) }
    }
    func insertURL(_ url: String) {
      for part in url.split(whereSeparator: { $0 == "?" || $0 == "#" }).dropFirst() { insert(Self.fields(part)) }
    }
    for exchange in exchanges {
      insertURL(exchange.url)
      if exchange.path.hasSuffix("/token") || exchange.method == "POST" { insert(exchange.form) }
      if let bearer = exchange.bearer?.split(separator: " ").last { found.insert(String(bearer)) }
      guard let response = exchange.response else { continue }
      if let location = response.head.headerFields[.location] { insertURL(location) }
      for cookie in response.head.headerFields[values: .setCookie] {
        found.insert(String(cookie.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()))
      }
      if exchange.path.hasSuffix("/token"), let json = try? JSON(parsing: response.body) {
        for name in Self.secretFields { if let text = json[name]?.string { found.insert(text) } }
      }
    }
    // Shorter secrets would match ordinary text.
    return found.filter { $0.utf8.count >= 8 }
  }
}
