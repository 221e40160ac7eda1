import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

// Parallel tests that share an emulator have separate faults, request counts, and log entries. The
// `x-authflow-isolation` header assigns a request to a test. For clients that cannot set headers, a test can use a
// separate host (`test1.localhost`) or bind the client ID through the control interface.

extension EmulatorRequest {
  /// The name of the request's test, from the header or the host.
  var isolation: String? {
    if let name = request.head.headerFields[.isolation] { return name }
    guard host.hasSuffix(".localhost") else { return nil }
    return String(host.dropLast(".localhost".count))
  }

  /// The unverified client ID of the request, from the form, query, sign-in flow, HTTP Basic credentials, client
  /// assertion, or access token.
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
  /// Returns the name of the request's test, from the header, the host, or a client ID that is bound to a test.
  func isolation(of exchange: EmulatorRequest) -> String? {
    if let name = exchange.isolation { return name }
    let clients = withState { $0.isolatedClients }
    guard !clients.isEmpty, let client = exchange.claimedClient else { return nil }
    return clients[client.lowercased()]
  }
}

extension PlatformState {
  /// The maximum number of tests with separate counts. The oldest counts are removed first.
  private static let isolationLimit = 1000

  mutating func count(_ counted: Route.Counted?, isolation: String?) {
    counts.count(counted)
    guard let isolation else { return }
    if isolatedCounts[isolation] == nil, isolatedCounts.count >= Self.isolationLimit {
      isolatedCounts.removeFirst(Self.isolationLimit / 10)
    }
    isolatedCounts[isolation, default: RequestCounts()].count(counted)
  }

  /// Removes the faults, log entries, and counts of a test. All tests share the users, apps, and clock, so these stay
  /// unchanged.
  mutating func remove(isolation: String) {
    faults.removeAll { $0.isolation == isolation }
    requestLog.removeAll { $0.isolation == isolation }
    isolatedCounts[isolation] = nil
  }
}
