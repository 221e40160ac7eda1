import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// The start page at `/`, which lists endpoints and accounts.
struct StartPage: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform

  /// The maximum number of accounts on the page. The control interface lists all accounts.
  private static let maximum = 20

  var frame: PageFrame {
    let users = platform.withState { state in
      state.graph.accounts.values.map { account in
        (account.user, state.graph.tenants[account.homeTenantID]?.name ?? account.homeTenantID)
      }
    }
    let notable = users.enumerated().filter { $0.offset < 2 || !details(of: $0.element.0, $0.element.1).isEmpty }
    let rows: [HTML] = notable.prefix(Self.maximum).map { _, entry in
      "<dt>\(entry.0.username)</dt><dd>\(password(of: entry.0))\(details(of: entry.0, entry.1))</dd>\n"
    }
    return PageFrame(
      title: PageFrame.product,
      content: """
        <p>This server emulates the Microsoft identity platform and Microsoft Graph for tests.</p>
        <h2>Try it</h2>
        <ul>
        \(tryOut)<li><a href="\(exchange.loginBase)\(DevicePageEndpoint.path(exchange))">Enter a device code</a></li>
        <li><a href="\(exchange.loginBase)/common/oauth2/v2.0/logout">Sign out</a></li>
        <li><a href="\(exchange.loginBase)/common/v2.0/.well-known/openid-configuration">Discovery document</a> and <a href="\(exchange.loginBase)/common/discovery/v2.0/keys">signing keys</a></li>
        </ul>
        <h2>Client settings</h2>
        <dl>
        <dt>Authority</dt><dd>\(exchange.loginBase)/common, /organizations, /consumers, or a tenant (\(tenants))</dd>
        <dt>Microsoft Graph</dt><dd>\(exchange.graphBase)/v1.0</dd>
        \(control)</dl>
        <h2>Accounts</h2>
        <dl>
        \(rows)</dl>
        <p class="hint">\(notable.count < users.count || users.count > Self.maximum ? "\(users.count) accounts in total" : "")</p>

        """)
  }

  /// A link to a sign-in that ends on a page of the emulator. The link requires automatic registration of apps.
  private var tryOut: HTML? {
    guard platform.withState({ $0.automaticRegistration.apps }) else { return nil }
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
    return "<dt>Control interface</dt><dd>curl \(exchange.base)/\(ControlInterface.root)/</dd>\n"
  }

  /// Returns the text that the page shows for a user's password. The page shows only recognizably fake passwords.
  private func password(of user: User) -> String {
    guard let password = user.password, password.hasPrefix("Fake-") else { return "password: see directory" }
    return password
  }

  private func details(of user: User, _ tenant: String) -> String {
    var details: [String] = []
    if user.isAdmin { details.append("administrator of \(tenant)") }
    switch user.mfa {
    case .push: details.append("MFA by notification")
    case .totp: details.append("MFA by one-time code")
    case nil: break
    }
    if user.passwordExpired == true { details.append("password expired") }
    if user.isDisabled { details.append("disabled") }
    if !user.guestIn.isEmpty { details.append("guest in \(user.guestIn.joined(separator: ", "))") }
    if tenant.hasPrefix("Personal") { details.append("personal account") }
    return details.isEmpty ? "" : " – " + details.joined(separator: ", ")
  }
}
