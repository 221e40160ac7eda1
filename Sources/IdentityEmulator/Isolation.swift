import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

// Tests that run side by side against one emulator do not meet on faults, counts and the trail. A request belongs to a
// test by the header `x-authflow-isolation`; a client that sets no headers of its own is told apart by the name of the
// host it was pointed at (`test1.localhost`), or by its client id, which the control interface binds to a test.

extension EmulatorRequest {
  /// Which of several tests the request says it belongs to: by its header, else by its host.
  var isolation: String? {
    if let named = request.head.headerFields[.isolation] { return named }
    guard host.hasSuffix(".localhost") else { return nil }
    return String(host.dropLast(".localhost".count))
  }

  /// The app that a request says it is from, unproven: by its form or query, the sign-in it belongs to, HTTP Basic, a
  /// client assertion, or its access token.
  var claimedClient: String? {
    if let id = form["client_id"] ?? query["client_id"] { return id }
    if let flow = form["flow"].flatMap({ SignInFlow(OpaqueTokenCipher.open($0, for: .signInFlow)) }) {
      return flow.parameters["client_id"]
    }
    if let assertion = form["client_assertion"].flatMap({ try? UnverifiedJWT(parsing: $0) }) {
      return assertion.claims["sub"]?.string
    }
    guard let header = request.head.headerFields[.authorization] else { return nil }
    if header.lowercased().hasPrefix("basic "), let bytes = try? Base64.decode(header.dropFirst(6).trimmingSpaces()) {
      return FormCoding.decode(String(decoding: bytes, as: UTF8.self).prefix { $0 != ":" })
    }
    guard let text = AccessTokenCheck.bearer(request) else { return nil }
    let claims =
      text.hasPrefix(TokenIssuer.opaquePrefix)
      ? OpaqueTokenCipher.open(String(text.dropFirst(TokenIssuer.opaquePrefix.count)), for: .accessToken)
      : (try? UnverifiedJWT(parsing: text))?.claims
    return (claims?["appid"] ?? claims?["azp"])?.string
  }
}

extension Platform {
  /// Which of several tests the request belongs to.
  func isolation(of exchange: EmulatorRequest) -> String? {
    if let named = exchange.isolation { return named }
    let clients = withState { $0.isolatedClients }
    guard !clients.isEmpty, let client = exchange.claimedClient else { return nil }
    return clients[client.lowercased()]
  }
}

extension PlatformState {
  /// At most this many tests are counted apart; those that came first are forgotten first.
  private static let isolationLimit = 1000

  mutating func count(_ counted: Route.Counted?, isolation: String?) {
    counts.count(counted)
    guard let isolation else { return }
    if isolatedCounts[isolation] == nil, isolatedCounts.count >= Self.isolationLimit {
      isolatedCounts.removeFirst(Self.isolationLimit / 10)
    }
    isolatedCounts[isolation, default: RequestCounts()].count(counted)
  }

  /// Drops what is kept apart for one test. What the tests share stays: users, apps, the clock.
  mutating func remove(isolation: String) {
    faults.removeAll { $0.isolation == isolation }
    trail.removeAll { $0.isolation == isolation }
    isolatedCounts[isolation] = nil
  }
}
