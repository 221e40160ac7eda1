import IdentityPlatform
import Documents
import Effects
import OrderedCollections
import TraceReading

/// Who takes part in a sign-in, from left to right.
enum Participant: Int, CaseIterable {
  case app, authflow, browser, platform, api

  /// Who sends an exchange's request.
  init(sender exchange: StoryExchange) { self = exchange.from == .browser ? .browser : .authflow }

  /// Who answers it.
  init(receiver exchange: StoryExchange) {
    let role = MessageAddress(exchange).role
    let isProtected = role == .graph || role == .other || role == .userInfo
    self = exchange.from == .app && isProtected ? .api : .platform
  }

  var name: String {
    switch self {
    case .app: "app"
    case .authflow: "authflow"
    case .browser: "browser"
    case .platform: "identity platform"
    case .api: "Graph or API"
    }
  }
}
