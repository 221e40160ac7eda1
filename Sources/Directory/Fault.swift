import Documents
import Effects
import OrderedCollections

/// A fault at an endpoint, for a number of requests.
package struct Fault: Hashable, Sendable {
  /// The named endpoints.
  package enum Endpoint: String, Hashable, Sendable, CaseIterable {
    case token, authorize, graph
    /// The device authorization endpoint (RFC 8628 §3.1).
    case devicecode
    /// The discovery document of OpenID Connect.
    case discovery
    /// The key set.
    case keys
    case userinfo, logout
  }

  /// The requests that trigger the fault.
  package enum Target: Hashable, Sendable {
    case endpoint(Endpoint)
    /// A method (nil for any) and a path, as in `GET /v1.0/me`. `*` matches any text.
    case request(method: String?, path: String)

    package static let token = Self.endpoint(.token)
    package static let authorize = Self.endpoint(.authorize)
    package static let graph = Self.endpoint(.graph)
  }

  package enum Times: Hashable, Sendable {
    case count(Int)
    case always
  }

  /// The two formats of the header `Retry-After` (RFC 9110 §10.2.3).
  package enum RetryAfter: Hashable, Sendable {
    /// Seconds, rounded up.
    case seconds(Duration)
    /// An HTTP date, verbatim.
    case date(String)
  }

  /// Replaces the response, or changes its headers.
  package struct Response: Hashable, Sendable {
    /// The HTTP status. By default 400 for an OAuth error, 429 for `retryAfter` alone, and 500 otherwise.
    package var status: Int?
    package var retryAfter: RetryAfter?
    /// The OAuth `error`, or the error code of Microsoft Graph.
    package var error: String?
    package var suberror: String?
    /// `AADSTS50076`, `AADB2C90118`, or the number alone. It sets the defaults of the other fields.
    package var code: String?
    /// The claims challenge in the error response.
    package var claims: JSON?
    package var headers: OrderedDictionary<String, String> = [:]
    /// The header `Content-Type`.
    package var type: String?
    /// The body: a string verbatim, other values as JSON.
    package var body: JSON?
    /// The delay before the response.
    package var delay: Duration?

    package init() {}

    /// Whether the real response is sent with changed headers.
    package var keepsRealAnswer: Bool {
      status == nil && retryAfter == nil && error == nil && suberror == nil && code == nil && claims == nil
        && body == nil
    }
  }

  package enum Effect: Hashable, Sendable {
    case answer(Response)
    /// The connection is reset before the response.
    case reset
    /// The real response after a delay.
    case delay(Duration)
    /// The connection closes in the middle of the body, before `Content-Length` bytes. Clients must treat the response as
    /// incomplete (RFC 9112 §8).
    case truncated
    /// An HTML page of a proxy instead of the response.
    case html
    /// The body never ends.
    case endless
    /// The TLS handshake fails. The emulator as a server closes the connection, because the handshake is already complete.
    case tls

    /// The effects that a single keyword stands for.
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
  /// Parses the name of an endpoint, `GET /v1.0/me`, or `/v1.0/me`.
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

  /// Whether a request matches. For targets with a path only.
  package func matches(method: String, path: String) -> Bool {
    guard case .request(let wantedMethod, let wantedPath) = self else { return false }
    if let wantedMethod, wantedMethod != method.uppercased() { return false }
    let wanted = wantedPath.lowercased()
    let actual = path.lowercased()
    guard wanted.utf8.contains(UInt8(ascii: "*")) else { return actual == wanted || actual == wanted + "/" }
    return Self.matches(actual, parts: wanted.split(separator: "*", omittingEmptySubsequences: false))
  }

  /// Matches the first part at the start, the last at the end, and the others in between, each as early as possible.
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
