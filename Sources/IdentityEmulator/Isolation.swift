import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

// Parallel tests that share an emulator have separate faults, request counts, and log entries. The header
// `x-authflow-isolation` assigns a request to a test. Clients that cannot set headers use a separate host
// (`test1.localhost`), or the control interface assigns their client ID to a test.

extension EmulatorRequest {
  /// The name of the test that the request belongs to, from its header or its host.
  var isolation: String? {
    if let name = request.head.headerFields[.isolation] { return name }
    guard host.hasSuffix(".localhost") else { return nil }
    return String(host.dropLast(".localhost".count))
  }

  /// The unverified client ID of the request: from its form or query, its sign-in flow, HTTP Basic, a client assertion,
  /// or its access token.
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
  /// Returns the name of the test that the request belongs to, including client IDs bound to a test.
  func isolation(of exchange: EmulatorRequest) -> String? {
    if let name = exchange.isolation { return name }
    let clients = withState { $0.isolatedClients }
    guard !clients.isEmpty, let client = exchange.claimedClient else { return nil }
    return clients[client.lowercased()]
  }
}

extension PlatformState {
  /// The maximum number of tests with separate counts. The oldest are removed first.
  private static let isolationLimit = 1000

  mutating func count(_ counted: Route.Counted?, isolation: String?) {
    counts.count(counted)
    guard let isolation else { return }
    if isolatedCounts[isolation] == nil, isolatedCounts.count >= Self.isolationLimit {
      isolatedCounts.removeFirst(Self.isolationLimit / 10)
    }
    isolatedCounts[isolation, default: RequestCounts()].count(counted)
  }

  /// Removes the faults, log entries, and counts of a test. Users, apps, and the clock are shared and not removed.
  mutating func remove(isolation: String) {
    faults.removeAll { $0.isolation == isolation }
    requestLog.removeAll { $0.isolation == isolation }
    isolatedCounts[isolation] = nil
  }
}
