import Directory
import Effects
import HTTPTypes
import OAuth

/// The endpoints under `/{tenant}` and `/{tenant}/{policy}`: one line for each.
enum RealmEndpoints {
  /// What stands before the paths of endpoints that have moved.
  static let elsewhere = "elsewhere"

  static func answer(_ exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    let found: (realm: Realm, rest: ArraySlice<String>)
    do {
      found = try platform.realm(of: exchange)
    } catch {
      return tenantRefusal(error, exchange)
    }
    let realm = found.realm
    var words = found.rest.map { $0.lowercased() }
    if platform.withState({ $0.misbehaviors.contains(.movedEndpoints) }) {
      // What has moved is no longer where one would guess.
      let isMoved = ["authorize", "token", "devicecode", "logout", "keys"].contains(words.last)
      if isMoved, words.first != elsewhere { return HomeEndpoint.notFound(exchange) }
      if words.first == elsewhere { words.removeFirst() }
    }
    switch words {
    case ["v2.0", ".well-known", "openid-configuration"], [".well-known", "openid-configuration"]:
      return DiscoveryEndpoint.answer(exchange, platform, realm: realm, isVersion1: words.count == 2)
    case ["discovery", "v2.0", "keys"], ["discovery", "keys"]:
      return KeysEndpoint.answer(exchange, platform, realm: realm, isVersion1: words.count == 2)
    case ["oauth2", "v2.0", "authorize"], ["oauth2", "authorize"]:
      return AuthorizeEndpoint.answer(exchange, platform, realm: realm, isVersion1: words.count == 2)
    case ["login"]: return LoginEndpoint.answer(exchange, platform, realm: realm)
    case ["oauth2", "v2.0", "token"], ["oauth2", "token"]:
      return TokenEndpoint.answer(exchange, platform, realm: realm, isVersion1: words.count == 2)
    case ["oauth2", "v2.0", "devicecode"], ["oauth2", "devicecode"]:
      return DeviceCodeEndpoint.answer(exchange, platform, realm: realm, isVersion1: words.count == 2)
    case ["oauth2", "deviceauth"]: return DevicePageEndpoint.answer(exchange, platform)
    case ["oauth2", "v2.0", "logout"], ["oauth2", "logout"]:
      return LogoutEndpoint.answer(exchange, platform, realm: realm)
    case ["oauth2", "nativeclient"]: return HomeEndpoint.nativeClient(exchange)
    case ["v2.0", "adminconsent"], ["adminconsent"]:
      return AdminConsentEndpoint.answer(exchange, platform, realm: realm, isVersion1: words.count == 1)
    case ["openid", "v2.0", "userinfo"], ["openid", "userinfo"]: return UserinfoEndpoint.answer(exchange, platform)
    default: return HomeEndpoint.notFound(exchange)
    }
  }

  /// The refusal of a tenant: JSON for a program, a page for a user.
  private static func tenantRefusal(_ refusal: ErrorResponse, _ exchange: EmulatorRequest) -> ResponseMessage {
    let last = exchange.segments.last?.lowercased()
    if last == "openid-configuration", refusal.code == 900_023, let name = exchange.segments.first, isWord(name) {
      return ErrorResponse(90002, "Tenant '\(name.prefix(100))' not found. Check the tenant's id or domain.")
        .answer(to: exchange)
    }
    return last == "authorize" || last == "logout" || last == "adminconsent"
      ? ErrorPage.answer(refusal, to: exchange) : refusal.answer(to: exchange)
  }

  /// Whether a tenant's name without a dot could be a tenant's name at all: discovery looks it up, and only the other
  /// endpoints refuse it unseen.
  private static func isWord(_ name: String) -> Bool {
    name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
        || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }
  }
}
