import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

/// `https://graph.microsoft.com/oidc/userinfo`: returns the user's claims for the token's scopes (OpenID Connect Core
/// §5.3).
enum UserinfoEndpoint {
  static func response(to exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    guard let text = AccessTokenCheck.bearer(exchange.request),
      case .success(let claims) = AccessTokenCheck(platform: platform, now: exchange.now).check(text),
      claims["tfp"] != nil || GraphGateway.isForGraph(claims),
      let account = claims["xms_home"]?.string.flatMap({ id in platform.withState { $0.graph.account(id) } })
    else {
      let isEmpty = AccessTokenCheck.bearer(exchange.request) == nil
      return reject(exchange, error: isEmpty ? nil : "invalid_token", status: .unauthorized)
    }
    let scopes = Set(claims["scp"]?.string?.split(separator: " ").map(String.init) ?? [])
    guard scopes.contains("openid") || claims["tfp"] != nil else {
      return reject(exchange, error: "insufficient_scope", status: .forbidden)
    }
    let user = account.user
    // The `sub` of an access token is specific to the resource. The response must contain the `sub` of the app's ID
    // tokens instead.
    let subject = TokenIssuer.subject(
      of: user, objectID: claims["oid"]?.string ?? "", client: (claims["appid"] ?? claims["azp"])?.string ?? "",
      tenantID: claims["tid"]?.string ?? "", policy: claims["tfp"]?.string)
    let isOtherUser = platform.withState { $0.misbehaviors.contains(.wrongUserinfoSubject) }
    var members: OrderedDictionary<String, JSON> = ["sub": .string(isOtherUser ? "another-user" : subject)]
    if scopes.contains("profile") || claims["tfp"] != nil {
      members["name"] = .string(user.shownName)
      if let surname = user.surname { members["family_name"] = .string(surname) }
      if let givenName = user.givenName { members["given_name"] = .string(givenName) }
      members["picture"] = .string("\(exchange.graphBase)/v1.0/me/photo/$value")
    }
    if scopes.contains("email"), let mail = user.mail { members["email"] = .string(mail) }
    return open(ResponseBuilder.json(.object(members), to: exchange))
  }

  /// Returns an error response. If the request contains no token, the challenge contains no error code (RFC 6750 §3.1).
  private static func reject(
    _ exchange: EmulatorRequest, error: String?, status: HTTPResponse.Status
  ) -> ResponseMessage {
    var response = ResponseBuilder.json(error.map { ["error": .string($0)] } ?? [:], status: status, to: exchange)
    response.head.headerFields[.wwwAuthenticate] =
      BearerChallenge.plain(base: exchange.loginBase) + (error.map { ", error=\"\($0)\"" } ?? "")
    return open(response)
  }

  /// Allows pages from any origin to read the response. This is safe because the request requires a token.
  private static func open(_ response: ResponseMessage) -> ResponseMessage {
    var response = response
    response.head.headerFields[.accessControlAllowOrigin] = "*"
    return response
  }
}
