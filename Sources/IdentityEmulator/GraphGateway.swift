import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import IdentityPlatform
import OAuth

/// The gateway that validates the access token in a Graph request and forwards the request to the Graph emulator.
struct GraphGateway: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  func response() async -> ResponseMessage {
    if exchange.segments.first?.lowercased() == "oidc" { return UserinfoEndpoint.response(to: exchange, platform) }
    // Upload URLs are preauthenticated, so a missing token is not an error.
    let isUpload = UploadService.id(in: exchange.path) != nil
    let request = Self.request(exchange, isUpload ? .rejected(.uploadOnly) : authentication())
    let response = await platform.graph.response(to: request, in: GraphDependencies(platform: platform))
    if let missing = response.head.headerFields[.notEmulated] {
      exchange.decisionLog.record(.notEmulated, reason: "the emulator does not support \(missing)")
    }
    return response
  }

  static func request(_ exchange: EmulatorRequest, _ authentication: GraphAuthentication) -> GraphRequest {
    let target = exchange.request.head.path ?? "/"
    return GraphRequest(
      message: exchange.request, authentication: authentication, baseURL: exchange.graphBase, path: exchange.path,
      query: String(target.dropFirst(exchange.path.count).drop { $0 == "?" }), requestID: exchange.traceID,
      now: exchange.now,
      demandsTLS: HostKind.sendsStrictTransportSecurity(
        isSecure: exchange.request.head.scheme == "https",
        host: String((exchange.request.head.authority ?? "").prefix { $0 != ":" })))
  }

  /// Returns the caller, or an error if the token is not valid.
  func authentication() -> GraphAuthentication {
    let base = exchange.loginBase
    func reject(_ message: String, claims: JSON? = nil) -> GraphAuthentication {
      exchange.decisionLog.record(.rejected, reason: message)
      exchange.decisionLog.check("access token", message, isPassed: false)
      return .rejected(
        GraphAuthenticationError(
          code: "InvalidAuthenticationToken", message: message,
          challenge: claims.map { BearerChallenge.insufficientClaims($0, base: base) }
            ?? BearerChallenge.plain(base: base)))
    }
    guard let text = AccessTokenCheck.bearer(exchange.request) else { return reject("Access token is empty.") }
    switch AccessTokenCheck(platform: platform, now: exchange.now).check(text) {
    case .failure(.malformed): return reject("CompactToken parsing failed with error code: 80049217")
    case .failure(.badSignature): return reject("Access token validation failure. Invalid signature.")
    case .failure(.expired): return reject("Lifetime validation failed, the token is expired.")
    case .failure(.accountUnusable(let isContinuous)):
      let message =
        "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: UserDisabled"
      return reject(message, claims: isContinuous ? Self.issuedAfter(exchange.now) : nil)
    case .failure(.revoked(let since, _)):
      return reject(
        "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenIssuedBeforeRevocationTimestamp",
        claims: Self.issuedAfter(since))
    case .success(let claims):
      guard Self.isForGraph(claims) else { return reject("Access token validation failure. Invalid audience.") }
      guard let caller = caller(claims) else { return reject("CompactToken parsing failed with error code: 80049217") }
      if let challenge = requiredContext(claims, caller) {
        return reject(
          "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenCreatedWithOutdatedPolicies",
          claims: challenge)
      }
      exchange.decisionLog.record(
        client: caller.appID, user: (claims["upn"] ?? claims["preferred_username"])?.string,
        scopes: claims["scp"]?.string ?? caller.roles.joined(separator: " "))
      exchange.decisionLog.check("access token", "valid for Microsoft Graph, and not expired")
      return .caller(caller)
    }
  }

  /// Returns the claims request for an access token that was issued after `since`.
  static func issuedAfter(_ since: Instant) -> JSON {
    ["access_token": ["nbf": ["essential": true, "value": .string(String(since.secondsSince1970))]]]
  }

  /// Whether the audience of a token is Microsoft Graph in any cloud.
  static func isForGraph(_ claims: JSON) -> Bool {
    guard let audience = claims["aud"]?.string else { return false }
    if audience == "https://graph.microsoft.com" || audience.lowercased() == WellKnown.graphAppID { return true }
    guard let host = URLReference(valid: audience)?.host else { return false }
    return Cloud.withGraph(host: host) != nil
  }

  private func caller(_ claims: JSON) -> GraphCaller? {
    guard let tenantID = claims["tid"]?.string, let appID = (claims["appid"] ?? claims["azp"])?.string else {
      return nil
    }
    let home = claims["xms_home"]?.string
    return GraphCaller(
      claims: claims, accountID: home?.lowercased(), objectID: home == nil ? nil : claims["oid"]?.string,
      tenantID: tenantID,
      scopes: claims["scp"]?.string?.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) } ?? [],
      roles: claims["roles"]?.array?.compactMap(\.string) ?? [], appID: appID)
  }

  /// Returns the claims that a policy with `challengeWith: claims` requires, or nil if the token contains them.
  private func requiredContext(_ claims: JSON, _ caller: GraphCaller) -> JSON? {
    guard let id = caller.accountID, let account = platform.withState({ $0.graph.account(id) }) else { return nil }
    let policies = platform.policies(
      for: AccessAttempt(
        user: account.user, clientID: caller.appID, resources: [.graph()], tenantID: caller.tenantID))
    let challenging = policies.filter { $0.challengeWith == .claims }
    guard !challenging.isEmpty else { return nil }
    let satisfied = claims["acrs"]?.array?.contains("c1") ?? false
    return satisfied ? nil : ["access_token": ["acrs": ["essential": true, "value": "c1"]]]
  }
}
