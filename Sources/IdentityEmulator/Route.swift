import Effects
import GraphEmulator
import OAuth

/// The service that handles a request.
enum Route: Sendable {
  /// An endpoint whose requests are counted and can trigger faults.
  enum Counted: String, Sendable, CaseIterable {
    case token, authorize, graph
    /// The device authorization endpoint (RFC 8628 §3.1).
    case devicecode
    /// The OpenID Connect discovery document.
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
    let segments = exchange.segments.map { $0.lowercased() }
    switch HostKind(exchange.host) {
    case .graph: self = .graph
    case .devicePage: self = .devicePage
    case .login, .b2c, .external: self = Self.login(segments)
    case nil:
      if !servesEveryHost {
        self = .api
      } else if ["v1.0", "beta", "oidc"].contains(segments.first ?? "") {
        self = .graph
      } else if segments.first == "devicelogin" {
        self = .devicePage
      } else {
        self = Self.login(segments)
      }
    }
  }

  private static func login(_ segments: [String]) -> Route {
    if segments.isEmpty { return .home }
    if segments == ["error"] { return .errorLookup }
    if segments.count == 3, segments[1] == "discovery", segments[2] == "instance" { return .instanceDiscovery }
    if segments.count == 3, segments[1] == "userrealm" { return .userRealm }
    if segments.count == 2, segments == ["common", "userrealm"] { return .userRealm }
    return .realm
  }

  /// Returns the endpoint that the end of the path identifies, regardless of the tenant and user flow.
  func counted(_ exchange: EmulatorRequest) -> Counted? {
    switch self {
    case .graph: return exchange.segments.first?.lowercased() == "oidc" ? .userinfo : .graph
    case .realm:
      let segments = exchange.segments.map { $0.lowercased() }
      switch segments.last {
      case "token" where segments.contains("oauth2"): return .token
      case "authorize" where segments.contains("oauth2"): return .authorize
      case "devicecode" where segments.contains("oauth2"): return .devicecode
      case "logout" where segments.contains("oauth2"): return .logout
      case "keys" where segments.contains("discovery"): return .keys
      case "userinfo" where segments.contains("openid"): return .userinfo
      case "openid-configuration": return .discovery
      default: return nil
      }
    default: return nil
    }
  }

  func response(to exchange: EmulatorRequest, _ platform: Platform) async -> ResponseMessage {
    switch self {
    case .graph: await GraphGateway(platform: platform, exchange: exchange).response()
    case .api: CustomAPIGateway(platform: platform, exchange: exchange).response()
    case .devicePage: DevicePageEndpoint.response(to: exchange, platform)
    case .instanceDiscovery: InstanceDiscoveryEndpoint.response(to: exchange, platform)
    case .userRealm: UserRealmEndpoint.response(to: exchange, platform)
    case .errorLookup: ErrorLookupEndpoint.response(to: exchange)
    case .home: HomeEndpoint.response(to: exchange, platform)
    case .realm: RealmEndpoints.response(to: exchange, platform)
    }
  }
}
