import Directory
import Effects
import HTTPTypes
import OAuth

/// Routing of requests under `/{tenant}` and `/{tenant}/{policy}` to their endpoints.
enum RealmEndpoints {
  /// The path prefix for endpoints that a misbehavior has moved.
  static let movedPrefix = "elsewhere"

  static func response(to exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    let path: (realm: Realm, rest: ArraySlice<String>)
    do {
      path = try platform.realm(of: exchange)
    } catch {
      return tenantErrorResponse(error, exchange)
    }
    let realm = path.realm
    var segments = path.rest.map { $0.lowercased() }
    if platform.withState({ $0.misbehaviors.contains(.movedEndpoints) }) {
      // Moved endpoints no longer exist at their default paths.
      let isMoved = ["authorize", "token", "devicecode", "logout", "keys"].contains(segments.last)
      if isMoved, segments.first != movedPrefix { return HomeEndpoint.notFound(exchange) }
      if segments.first == movedPrefix { segments.removeFirst() }
    }
    switch segments {
    case ["v2.0", ".well-known", "openid-configuration"], [".well-known", "openid-configuration"]:
      return DiscoveryEndpoint.response(to: exchange, platform, realm: realm, isVersion1: segments.count == 2)
    case ["discovery", "v2.0", "keys"], ["discovery", "keys"]:
      return KeysEndpoint.response(to: exchange, platform, realm: realm, isVersion1: segments.count == 2)
    case ["oauth2", "v2.0", "authorize"], ["oauth2", "authorize"]:
      return AuthorizeEndpoint.response(to: exchange, platform, realm: realm, isVersion1: segments.count == 2)
    case ["login"]: return LoginEndpoint.response(to: exchange, platform, realm: realm)
    case ["oauth2", "v2.0", "token"], ["oauth2", "token"]:
      return TokenEndpoint.response(to: exchange, platform, realm: realm, isVersion1: segments.count == 2)
    case ["oauth2", "v2.0", "devicecode"], ["oauth2", "devicecode"]:
      return DeviceCodeEndpoint.response(to: exchange, platform, realm: realm, isVersion1: segments.count == 2)
    case ["oauth2", "deviceauth"]: return DevicePageEndpoint.response(to: exchange, platform)
    case ["oauth2", "v2.0", "logout"], ["oauth2", "logout"]:
      return LogoutEndpoint.response(to: exchange, platform, realm: realm)
    case ["oauth2", "nativeclient"]: return HomeEndpoint.nativeClient(exchange)
    case ["v2.0", "adminconsent"], ["adminconsent"]:
      return AdminConsentEndpoint.response(to: exchange, platform, realm: realm, isVersion1: segments.count == 1)
    case ["openid", "v2.0", "userinfo"], ["openid", "userinfo"]:
      return UserinfoEndpoint.response(to: exchange, platform)
    default: return HomeEndpoint.notFound(exchange)
    }
  }

  /// Returns the error response for an invalid tenant: JSON for programs, and a page for browsers.
  private static func tenantErrorResponse(_ errorResponse: ErrorResponse, _ exchange: EmulatorRequest)
    -> ResponseMessage
  {
    let last = exchange.segments.last?.lowercased()
    if last == "openid-configuration", errorResponse.code == 900_023, let name = exchange.segments.first, isWord(name) {
      return ErrorResponse(90002, "Tenant '\(name.prefix(100))' was not found; check the tenant ID or domain.")
        .response(to: exchange)
    }
    return last == "authorize" || last == "logout" || last == "adminconsent"
      ? ErrorPage.response(for: errorResponse, to: exchange) : errorResponse.response(to: exchange)
  }

  /// Whether a name consists only of letters, digits, hyphens, and underscores. The discovery endpoint looks up such a
  /// name and returns AADSTS90002. Other endpoints reject such a name with AADSTS900023.
  private static func isWord(_ name: String) -> Bool {
    name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
        || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }
  }
}
