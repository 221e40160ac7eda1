import Effects
import GraphEmulator
import OAuth

/// Which part of the platform a request is for.
enum Route: Sendable {
  /// What requests are counted, and faults aimed, by.
  enum Counted: String, Sendable, CaseIterable {
    case token, authorize, graph
    /// RFC 8628 §3.1.
    case devicecode
    /// OpenID Connect's discovery document.
    case discovery
    /// The key set.
    case keys
    case userinfo
    case logout
  }

  case graph
  case api
  case devicePage
  case instanceDiscovery
  case userRealm
  /// `/{tenant}/…`
  case realm
  case errorLookup
  case home

  init(_ exchange: EmulatorRequest, servesEveryHost: Bool) {
    let words = exchange.segments.map { $0.lowercased() }
    switch HostKind(exchange.host) {
    case .graph: self = .graph
    case .devicePage: self = .devicePage
    case .login, .b2c, .external: self = Self.login(words)
    case nil:
      if !servesEveryHost {
        self = .api
      } else if ["v1.0", "beta", "oidc"].contains(words.first ?? "") {
        self = .graph
      } else if words.first == "devicelogin" {
        self = .devicePage
      } else {
        self = Self.login(words)
      }
    }
  }

  private static func login(_ words: [String]) -> Route {
    if words.isEmpty { return .home }
    if words == ["error"] { return .errorLookup }
    if words.count == 3, words[1] == "discovery", words[2] == "instance" { return .instanceDiscovery }
    if words.count == 3, words[1] == "userrealm" { return .userRealm }
    if words.count == 2, words == ["common", "userrealm"] { return .userRealm }
    return .realm
  }

  /// Told by the end of the path, so that it holds for every kind of tenant and policy.
  func counted(_ exchange: EmulatorRequest) -> Counted? {
    switch self {
    case .graph: return exchange.segments.first?.lowercased() == "oidc" ? .userinfo : .graph
    case .realm:
      let words = exchange.segments.map { $0.lowercased() }
      switch words.last {
      case "token" where words.contains("oauth2"): return .token
      case "authorize" where words.contains("oauth2"): return .authorize
      case "devicecode" where words.contains("oauth2"): return .devicecode
      case "logout" where words.contains("oauth2"): return .logout
      case "keys" where words.contains("discovery"): return .keys
      case "userinfo" where words.contains("openid"): return .userinfo
      case "openid-configuration": return .discovery
      default: return nil
      }
    default: return nil
    }
  }

  func answer(_ exchange: EmulatorRequest, _ platform: Platform) async -> ResponseMessage {
    switch self {
    case .graph: await GraphGateway(platform: platform, exchange: exchange).answer()
    case .api: CustomAPIGateway(platform: platform, exchange: exchange).answer()
    case .devicePage: DevicePageEndpoint.answer(exchange, platform)
    case .instanceDiscovery: InstanceDiscoveryEndpoint.answer(exchange, platform)
    case .userRealm: UserRealmEndpoint.answer(exchange, platform)
    case .errorLookup: ErrorLookupEndpoint.answer(exchange)
    case .home: HomeEndpoint.answer(exchange, platform)
    case .realm: RealmEndpoints.answer(exchange, platform)
    }
  }
}
