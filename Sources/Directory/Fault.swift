import Documents
import Effects
import OrderedCollections

/// Something that goes wrong at one endpoint of the platform, a number of times.
package struct Fault: Hashable, Sendable {
  /// The endpoints that have a name.
  package enum Endpoint: String, Hashable, Sendable, CaseIterable {
    case token, authorize, graph
    /// RFC 8628 §3.1.
    case devicecode
    /// OpenID Connect's discovery document.
    case discovery
    /// The key set.
    case keys
    case userinfo, logout
  }

  /// Where it strikes.
  package enum Target: Hashable, Sendable {
    case endpoint(Endpoint)
    /// A method (nil: any) and a path as in `GET /v1.0/me`; each `*` stands for anything.
    case request(method: String?, path: String)

    package static let token = Self.endpoint(.token)
    package static let authorize = Self.endpoint(.authorize)
    package static let graph = Self.endpoint(.graph)
  }

  package enum Times: Hashable, Sendable {
    case count(Int)
    case always
  }

  /// The two forms of the header `Retry-After` (RFC 9110 §10.2.3).
  package enum RetryAfter: Hashable, Sendable {
    /// Whole seconds, rounded up.
    case seconds(Duration)
    /// A date of HTTP, as it is written.
    case date(String)
  }

  /// What is answered in place of the real answer, or what is other about the real one.
  package struct Response: Hashable, Sendable {
    /// The HTTP status; nil: 400 with an OAuth error, else 500 (429 with `retryAfter` alone).
    package var status: Int?
    package var retryAfter: RetryAfter?
    /// The OAuth `error`, or Graph's error code.
    package var error: String?
    package var suberror: String?
    /// `AADSTS50076`, `AADB2C90118`, or the number alone; the other fields then default to that error's own.
    package var code: String?
    /// A claims request that comes with the error.
    package var claims: JSON?
    package var headers: OrderedDictionary<String, String> = [:]
    /// The header `Content-Type`.
    package var type: String?
    /// The whole body: text as it stands, anything else as JSON.
    package var body: JSON?
    /// How long it takes to come.
    package var delay: Duration?

    package init() {}

    /// Whether the real answer comes, with other headers: nothing is said that would take its place.
    package var keepsRealAnswer: Bool {
      status == nil && retryAfter == nil && error == nil && suberror == nil && code == nil && claims == nil
        && body == nil
    }
  }

  package enum Effect: Hashable, Sendable {
    case answer(Response)
    /// The connection breaks before an answer.
    case reset
    /// The right answer, late.
    case delay(Duration)
    /// The connection breaks in the middle of the answer's body, before as much as `Content-Length` says has come: for a
    /// client that is a lost connection, and no answer (RFC 9112 §8).
    case truncated
    /// A page of HTML from some proxy instead of the answer.
    case html
    /// The answer's body goes on for ever.
    case endless
    /// The TLS handshake fails; a served platform, which has shaken hands already, hangs up.
    case tls

    /// What a word alone can mean.
    static let words: [(word: String, effect: Effect)] = [
      ("reset", .reset), ("truncated", .truncated), ("html", .html), ("endless", .endless), ("tls", .tls),
    ]
  }

  package var at = Target.token
  package var effect = Effect.reset
  package var times = Times.count(1)
  /// How many of the requests that come to it pass before it strikes.
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
  /// Reads the name of an endpoint, `GET /v1.0/me` or `/v1.0/me`.
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

  /// Whether a request of that method and path (without its query) is meant; only for targets that name a path.
  package func matches(method: String, path: String) -> Bool {
    guard case .request(let wantedMethod, let wantedPath) = self else { return false }
    if let wantedMethod, wantedMethod != method.uppercased() { return false }
    let wanted = wantedPath.lowercased()
    let actual = path.lowercased()
    guard wanted.utf8.contains(UInt8(ascii: "*")) else { return actual == wanted || actual == wanted + "/" }
    return Self.matches(actual, parts: wanted.split(separator: "*", omittingEmptySubsequences: false))
  }

  /// The first part begins the text, the last ends it, the others come in between, each as early as it can.
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
