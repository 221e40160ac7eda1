import Documents
import OrderedCollections

/// Something that goes wrong at one endpoint of the platform, a number of times.
package struct Fault: Hashable, Sendable {
  /// Where it strikes.
  package enum Target: Hashable, Sendable {
    case token, authorize, graph
    /// A method (nil: any) and a path as in `GET /v1.0/me`; `*` at the end stands for any rest.
    case request(method: String?, path: String)
  }

  package enum Times: Hashable, Sendable {
    case count(Int)
    case always
  }

  /// What is answered in place of the real answer.
  package struct Answer: Hashable, Sendable {
    /// The HTTP status; nil: 400 with an OAuth error, else 500 (429 with `retryAfter` alone).
    package var status: Int?
    package var retryAfter: Duration?
    /// The OAuth `error`, or Graph's error code.
    package var error: String?
    package var suberror: String?
    /// `AADSTS50076`, `AADB2C90118`, or the number alone; the other fields then default to that error's own.
    package var code: String?
    /// A claims request that comes with the error.
    package var claims: JSON?
    package var headers: OrderedDictionary<String, String> = [:]
    /// The whole body: text as it stands, anything else as JSON.
    package var body: JSON?

    package init() {}
  }

  package enum Effect: Hashable, Sendable {
    case answer(Answer)
    /// The connection breaks before an answer.
    case reset
    /// The right answer, late.
    case delay(Duration)
    /// The answer's body ends in the middle.
    case truncated
    /// A page of HTML from some proxy instead of the answer.
    case html
  }

  package var at = Target.token
  package var effect = Effect.reset
  package var times = Times.count(1)

  package init() {}

  package init(at: Target, _ effect: Effect, times: Times = .count(1)) {
    self.at = at
    self.effect = effect
    self.times = times
  }
}

extension Fault.Target {
  /// Reads `token`, `authorize`, `graph`, `GET /v1.0/me` or `/v1.0/me`.
  package init?(spelled text: String) {
    switch text {
    case "token": self = .token
    case "authorize": self = .authorize
    case "graph": self = .graph
    default:
      let words = text.split(separator: " ", omittingEmptySubsequences: true)
      if words.count == 1, text.hasPrefix("/") {
        self = .request(method: nil, path: text)
      } else if words.count == 2, words[1].hasPrefix("/"), words[0].allSatisfy({ $0.isLetter }) {
        self = .request(method: words[0].uppercased(), path: String(words[1]))
      } else {
        return nil
      }
    }
  }

  package var spelled: String {
    switch self {
    case .token: "token"
    case .authorize: "authorize"
    case .graph: "graph"
    case .request(let method, let path): (method.map { $0 + " " } ?? "") + path
    }
  }

  /// Whether a request of that method and path (without its query) is meant; only for targets that name a path.
  package func matches(method: String, path: String) -> Bool {
    guard case .request(let wantedMethod, let wantedPath) = self else { return false }
    if let wantedMethod, wantedMethod != method.uppercased() { return false }
    let wanted = wantedPath.lowercased()
    let actual = path.lowercased()
    if wanted.hasSuffix("*") { return actual.hasPrefix(wanted.dropLast()) }
    return actual == wanted || actual == wanted + "/"
  }
}
