import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import IdentityPlatform
import OAuth

/// The door to Graph: the token is judged here, once, before Graph sees the request.
struct GraphGateway: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  func answer() async -> ResponseMessage {
    if exchange.segments.first?.lowercased() == "oidc" { return UserinfoEndpoint.answer(exchange, platform) }
    // An upload URL is its own permission: the missing token is no refusal, and not noted as one.
    let isUpload = UploadService.id(in: exchange.path) != nil
    let request = Self.request(exchange, isUpload ? .refused(.uploadOnly) : authentication())
    let response = await platform.graph.answer(request, in: GraphDependencies(platform: platform))
    if let missing = response.head.headerFields[.notEmulated] {
      exchange.audit.note("not emulated", reason: "the emulator does not emulate \(missing)")
    }
    return response
  }

  static func request(_ exchange: EmulatorRequest, _ authentication: GraphAuthentication) -> GraphRequest {
    let target = exchange.request.head.path ?? "/"
    return GraphRequest(
      message: exchange.request, authentication: authentication, baseURL: exchange.graphBase, path: exchange.path,
      query: String(target.dropFirst(exchange.path.count).drop { $0 == "?" }), requestID: exchange.traceID,
      now: exchange.now,
      demandsTLS: HostKind.mayDemandTLS(
        isSecure: exchange.request.head.scheme == "https",
        host: String((exchange.request.head.authority ?? "").prefix { $0 != ":" })))
  }

  /// Who calls, or why the token does not count.
  func authentication() -> GraphAuthentication {
    let base = exchange.loginBase
    func refuse(_ message: String, claims: JSON? = nil) -> GraphAuthentication {
      exchange.audit.note("refused", reason: message)
      return .refused(
        GraphAuthenticationError(
          code: "InvalidAuthenticationToken", message: message,
          challenge: claims.map { BearerChallenge.insufficientClaims($0, base: base) }
            ?? BearerChallenge.plain(base: base)))
    }
    guard let text = AccessTokenCheck.bearer(exchange.request) else { return refuse("Access token is empty.") }
    switch AccessTokenCheck(platform: platform, now: exchange.now).check(text) {
    case .failure(.malformed): return refuse("CompactToken parsing failed with error code: 80049217")
    case .failure(.badSignature): return refuse("Access token validation failure. Invalid signature.")
    case .failure(.expired): return refuse("Lifetime validation failed, the token is expired.")
    case .failure(.accountUnusable(let isContinuous)):
      let message =
        "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: UserDisabled"
      return refuse(message, claims: isContinuous ? Self.freshness(exchange.now) : nil)
    case .failure(.revoked(let since, _)):
      return refuse(
        "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenIssuedBeforeRevocationTimestamp",
        claims: Self.freshness(since))
    case .success(let claims):
      guard Self.isForGraph(claims) else { return refuse("Access token validation failure. Invalid audience.") }
      guard let caller = caller(claims) else { return refuse("CompactToken parsing failed with error code: 80049217") }
      if let demand = demandedContext(claims, caller) {
        return refuse(
          "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenCreatedWithOutdatedPolicies",
          claims: demand)
      }
      exchange.audit.note(
        client: caller.appID, user: (claims["upn"] ?? claims["preferred_username"])?.string,
        scopes: claims["scp"]?.string ?? caller.roles.joined(separator: " "))
      return .caller(caller)
    }
  }

  static func freshness(_ since: Instant) -> JSON {
    ["access_token": ["nbf": ["essential": true, "value": .string(String(since.secondsSince1970))]]]
  }

  /// Whether a token's audience is Graph, in whichever cloud.
  static func isForGraph(_ claims: JSON) -> Bool {
    guard let audience = claims["aud"]?.string else { return false }
    if audience == "https://graph.microsoft.com" || audience.lowercased() == WellKnown.graphAppID { return true }
    guard let host = URLParts(audience)?.host else { return false }
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

  /// What a policy with `challengeWith: claims` demands and the token lacks.
  private func demandedContext(_ claims: JSON, _ caller: GraphCaller) -> JSON? {
    guard let id = caller.accountID, let account = platform.withState({ $0.graph.account(id) }) else { return nil }
    let policies = platform.policies(
      for: account.user, clientID: caller.appID, resources: [.graph()], tenantID: caller.tenantID)
    let challenging = policies.filter { $0.challengeWith == .claims }
    guard !challenging.isEmpty else { return nil }
    let satisfied = claims["acrs"]?.array?.contains("c1") ?? false
    return satisfied ? nil : ["access_token": ["acrs": ["essential": true, "value": "c1"]]]
  }
}
