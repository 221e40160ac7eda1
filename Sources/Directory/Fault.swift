import Documents
import Effects
import OrderedCollections

/// A fault that affects requests to an endpoint.
package struct Fault: Hashable, Sendable {
  /// The named endpoints.
  package enum Endpoint: String, Hashable, Sendable, CaseIterable {
    case token, authorize, graph
    /// The device authorization endpoint (RFC 8628 §3.1).
    case devicecode
    /// The OpenID Connect discovery document.
    case discovery
    /// The JSON Web Key Set.
    case keys
    case userinfo, logout
  }

  /// The requests that trigger the fault.
  package enum Target: Hashable, Sendable {
    case endpoint(Endpoint)
    /// A method and a path, as in `GET /v1.0/me`. A nil method matches any method, and `*` in the path matches any
    /// text.
    case request(method: String?, path: String)

    package static let token = Self.endpoint(.token)
    package static let authorize = Self.endpoint(.authorize)
    package static let graph = Self.endpoint(.graph)
  }

  package enum Times: Hashable, Sendable {
    case count(Int)
    case always
  }

  /// The two formats of the `Retry-After` header (RFC 9110 §10.2.3).
  package enum RetryAfter: Hashable, Sendable {
    /// A number of seconds, rounded up.
    case seconds(Duration)
    /// An HTTP date, sent unchanged.
    case date(String)
  }

  /// A response that replaces the real response, or only some of its headers.
  package struct Response: Hashable, Sendable {
    /// The HTTP status. The default is 400 for an OAuth error, 429 if only `retryAfter` is set, and 500 otherwise.
    package var status: Int?
    package var retryAfter: RetryAfter?
    /// The OAuth `error`, or the Microsoft Graph error code.
    package var error: String?
    package var suberror: String?
    /// The error code, such as `AADSTS50076` or `AADB2C90118`, or only its number. The code determines the default
    /// values of the other fields.
    package var code: String?
    /// The claims challenge in the error response.
    package var claims: JSON?
    package var headers: OrderedDictionary<String, String> = [:]
    /// The `Content-Type` header.
    package var type: String?
    /// The body. A string is sent unchanged, and other values are sent as JSON.
    package var body: JSON?
    /// The delay before the response.
    package var delay: Duration?

    package init() {}

    /// Whether the emulator sends the real response with changed headers.
    package var keepsRealAnswer: Bool {
      status == nil && retryAfter == nil && error == nil && suberror == nil && code == nil && claims == nil
        && body == nil
    }
  }

  package enum Effect: Hashable, Sendable {
    case answer(Response)
    /// Resets the connection before the response.
    case reset
    /// Sends the real response after a delay.
    case delay(Duration)
    /// Closes the connection in the middle of the body, which is then shorter than `Content-Length`. Clients must treat
    /// the response as incomplete (RFC 9112 §8).
    case truncated
    /// Sends an HTML page instead of the response, as a proxy might.
    case html
    /// Sends a body that never ends.
    case endless
    /// Simulates a failed TLS handshake. When the emulator runs as a server, it closes the connection instead, because
    /// the handshake is already complete.
    case tls

    /// The effects that a workflow specifies with a single keyword.
    static let words: [(word: String, effect: Effect)] = [
      ("reset", .reset), ("truncated", .truncated), ("html", .html), ("endless", .endless), ("tls", .tls),
    ]
  }

  package var at = Target.token
  package var effect = Effect.reset
  package var times = Times.count(1)
  /// The number of matching requests that pass before the fault triggers.
  package var skip = 0

  package init() {}

  package init(at: Target, _ effect: Effect, times: Times = .count(1), skip: Int = 0) {
    self.at = at
    self.effect = effect
    self.times = times
    self.skip = skip
  }
}

extension Fault.Target {
  /// Parses an endpoint name, or a path with or without a method, such as `GET /v1.0/me` or `/v1.0/me`.
  package init?(spelled text: String) {
    if let endpoint = Fault.Endpoint(rawValue: text) {
      self = .endpoint(endpoint)
      return
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    if words.count == 1, text.hasPrefix("/") {
      self = .request(method: nil, path: text)
    } else if words.count == 2, words[1].hasPrefix("/"), words[0].allSatisfy({ $0.isLetter }) {
      self = .request(method: words[0].uppercased(), path: String(words[1]))
    } else {
      return nil
    }
  }

  package var spelled: String {
    switch self {
    case .endpoint(let endpoint): endpoint.rawValue
    case .request(let method, let path): (method.map { $0 + " " } ?? "") + path
    }
  }

  /// Whether the target has a path that matches a request. False for named endpoints.
  package func matches(method: String, path: String) -> Bool {
    guard case .request(let wantedMethod, let wantedPath) = self else { return false }
    if let wantedMethod, wantedMethod != method.uppercased() { return false }
    let wanted = wantedPath.lowercased()
    let actual = path.lowercased()
    guard wanted.utf8.contains(UInt8(ascii: "*")) else { return actual == wanted || actual == wanted + "/" }
    return Self.matches(actual, parts: wanted.split(separator: "*", omittingEmptySubsequences: false))
  }

  /// Whether the text starts with the first part, ends with the last part, and contains the other parts between them,
  /// in order.
  private static func matches(_ text: String, parts: [Substring]) -> Bool {
    guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
