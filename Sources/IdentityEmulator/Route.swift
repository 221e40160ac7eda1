import Effects
import OAuth

/// Which part of the platform a request is for.
enum Route: Sendable {
  /// What requests are counted, and faults aimed, by.
  enum Counted: Sendable {
    case token, authorize, graph
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

  init(_ exchange: Exchange, servesEveryHost: Bool) {
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
  func counted(_ exchange: Exchange) -> Counted? {
    switch self {
    case .graph: return .graph
    case .realm:
      guard exchange.segments.contains(where: { $0.lowercased() == "oauth2" }) else { return nil }
      switch exchange.segments.last?.lowercased() {
      case "token": return .token
      case "authorize": return .authorize
      default: return nil
      }
    default: return nil
    }
  }

  func answer(_ exchange: Exchange, _ platform: Platform) async -> ResponseMessage {
    switch self {
    case .graph: await GraphFront(platform: platform, exchange: exchange).answer()
    case .api: APIFront(platform: platform, exchange: exchange).answer()
    case .devicePage: DevicePageEndpoint.answer(exchange, platform)
    case .instanceDiscovery: InstanceDiscoveryEndpoint.answer(exchange, platform)
    case .userRealm: UserRealmEndpoint.answer(exchange, platform)
    case .errorLookup: ErrorLookupEndpoint.answer(exchange)
    case .home: HomeEndpoint.answer(exchange)
    case .realm: RealmEndpoints.answer(exchange, platform)
    }
  }
}
