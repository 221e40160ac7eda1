import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// What stands at `/`: for a user who has just started the emulator and wonders what it can do.
struct StartPage: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform

  /// So many accounts are shown; the control interface lists all of them.
  private static let shown = 20

  var frame: PageFrame {
    let users = platform.withState { state in
      state.graph.accounts.values.map { account in
        (account.user, state.graph.tenants[account.homeTenantID]?.name ?? account.homeTenantID)
      }
    }
    let remarkable = users.enumerated().filter { $0.offset < 2 || !remark(on: $0.element.0, $0.element.1).isEmpty }
    let rows: [HTML] = remarkable.prefix(Self.shown).map { _, entry in
      "<dt>\(entry.0.username)</dt><dd>\(password(of: entry.0))\(remark(on: entry.0, entry.1))</dd>\n"
    }
    return PageFrame(
      title: PageFrame.product,
      content: """
        <p>This is an emulated Microsoft identity platform with Microsoft Graph, for tests.</p>
        <h2>Try it</h2>
        <ul>
        \(tryOut)<li><a href="\(exchange.loginBase)\(DevicePageEndpoint.path(exchange))">Enter a device code</a></li>
        <li><a href="\(exchange.loginBase)/common/oauth2/v2.0/logout">Sign out</a></li>
        <li><a href="\(exchange.loginBase)/common/v2.0/.well-known/openid-configuration">Discovery document</a> and <a href="\(exchange.loginBase)/common/discovery/v2.0/keys">signing keys</a></li>
        </ul>
        <h2>For clients</h2>
        <dl>
        <dt>Authority</dt><dd>\(exchange.loginBase)/common, /organizations, /consumers, or a tenant: \(tenants)</dd>
        <dt>Microsoft Graph</dt><dd>\(exchange.graphBase)/v1.0</dd>
        \(control)</dl>
        <h2>Accounts</h2>
        <dl>
        \(rows)</dl>
        <p class="hint">\(remarkable.count < users.count || users.count > Self.shown ? "There are \(users.count) accounts in all." : "")</p>

        """)
  }

  /// A sign-in that ends on a page of the emulator's own. It needs an app, and none that is registered leads there.
  private var tryOut: HTML? {
    guard platform.withState({ $0.makesUp.apps }) else { return nil }
    let parameters: Parameters = [
      "client_id": "5747a700-0000-4000-8000-000000000001", "response_type": "code", "scope": "openid profile User.Read",
      "redirect_uri": exchange.loginBase + "/common/oauth2/nativeclient", "prompt": "select_account",
    ]
    let url = "\(exchange.loginBase)/common/oauth2/v2.0/authorize?\(FormCoding.serialize(parameters))"
    return "<li><a href=\"\(url)\">Sign in</a> as one of the accounts below</li>\n"
  }

  private var tenants: String {
    platform.withState { state in
      state.graph.tenants.values.filter { $0.effectiveKind == .work }.compactMap(\.domains.first)
        .joined(separator: ", ")
    }
  }

  private var control: HTML? {
    guard platform.options.controlEnabled else { return nil }
    return "<dt>Control interface, for programs</dt><dd>curl \(exchange.base)/\(ControlInterface.root)/</dd>\n"
  }

  /// Only those that say themselves that they are made up.
  private func password(of user: User) -> String {
    guard let password = user.password, password.hasPrefix("Fake-") else { return "password as in the directory" }
    return password
  }

  private func remark(on user: User, _ tenant: String) -> String {
    var words: [String] = []
    if user.isAdmin { words.append("administrator of \(tenant)") }
    switch user.mfa {
    case .push: words.append("approves a notification")
    case .totp: words.append("types a code of an authenticator app")
    case nil: break
    }
    if user.passwordExpired == true { words.append("password expired") }
    if user.isDisabled { words.append("disabled") }
    if !user.guestIn.isEmpty { words.append("guest at \(user.guestIn.joined(separator: ", "))") }
    if tenant.hasPrefix("Personal") { words.append("personal account") }
    return words.isEmpty ? "" : " – " + words.joined(separator: ", ")
  }
}
