import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections

extension IdentityPlatformEmulator.Options {
  /// Whether the emulator serves the start page with the request list. Without the control interface, the start page
  /// lists only addresses and accounts.
  var hasStartPage: Bool { controlEnabled && servesEveryHost }
}

/// The start page at `/`, which lists addresses and accounts.
///
/// If the control interface is available, the page's script also shows requests as they arrive and sends control
/// requests. The script requires the `PageAccess` cookie.
struct StartPage: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform

  /// The maximum number of accounts on the page. The control interface lists all accounts.
  private static let maximum = 20

  // MARK: Files

  /// The first path segment of the page's scripts and style sheet. Requests for them are not logged.
  static let fileRoot = "_page"
  static let signInScript = "/\(fileRoot)/sign-in.js"

  /// Returns a script or the style sheet, or an error page for an unknown name.
  static func file(_ exchange: EmulatorRequest) -> ResponseMessage {
    guard exchange.segments.count == 2, let name = exchange.segments.last, let file = StartPageDocument.file(name)
    else { return HomeEndpoint.notFound(exchange) }
    let text = file.text
    var headers = ResponseBuilder.common(exchange)
    headers[.contentType] = "\(file.type); charset=utf-8"
    headers[.cacheControl] = "no-store"
    headers[.resourcePolicy] = "same-origin"
    headers[.referrerPolicy] = "no-referrer"
    return ResponseMessage(.ok, headers: headers, body: Array(text.utf8))
  }

  /// Returns the command that creates a link to the start page.
  static func newLinkCommand(_ exchange: EmulatorRequest) -> String {
    "curl -X POST \(exchange.base)/\(ControlInterface.root)/links"
  }

  // MARK: Page

  func response() -> ResponseMessage {
    guard platform.options.hasStartPage else { return ResponseBuilder.page(frame.text, to: exchange) }
    var response = ResponseBuilder.page(page.text, to: exchange)
    response.head.headerFields[.contentSecurityPolicy] =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
      + "frame-ancestors 'none'; form-action 'none'"
    response.head.headerFields[.cacheControl] = "no-store"
    response.head.headerFields[.resourcePolicy] = "same-origin"
    return response
  }

  /// The page without scripts, for an emulator without the control interface.
  private var frame: PageFrame {
    PageFrame(title: PageFrame.product, content: "\(introduction)\(addresses)\(accounts)")
  }

  /// The page with the request list. The script fills the empty sections.
  private var page: HTML {
    StartPageDocument(
      introduction: introduction,
      locked: """
        <h2>Requests from other programs</h2>
        <p>To see requests as they arrive, open the link that <code>authflow emulator</code> printed. A link works once, in one browser. Create another link with this command:</p>
        <pre tabindex="0"><code>\(Self.newLinkCommand(exchange))</code></pre>

        """,
      facts: """
        <section class="card">\(addresses)</section>
        <section class="card">\(accounts)</section>

        """
    ).html
  }

  private var introduction: HTML {
    "<p>This server emulates the Microsoft identity platform and Microsoft Graph for tests.</p>\n"
  }

  private var addresses: HTML {
    """
    <h2>Try it</h2>
    <ul>
    \(tryOut)<li><a href="\(exchange.loginBase)\(DevicePageEndpoint.path(exchange))">Enter a device code</a></li>
    <li><a href="\(exchange.loginBase)/common/oauth2/v2.0/logout">Sign out</a></li>
    <li><a href="\(exchange.loginBase)/common/v2.0/.well-known/openid-configuration">Discovery document</a> and <a href="\(exchange.loginBase)/common/discovery/v2.0/keys">signing keys</a></li>
    </ul>
    \(StartPageDocument.clientSettings(login: exchange.loginBase, graph: exchange.graphBase, tenants: tenants, control: control))
    """
  }

  private var accounts: HTML {
    let users = platform.withState { state in
      state.graph.accounts.values.map { account in
        (account.user, state.graph.tenants[account.homeTenantID]?.name ?? account.homeTenantID)
      }
    }
    let notable = users.enumerated().filter { $0.offset < 2 || !details(of: $0.element.0, $0.element.1).isEmpty }
    let rows: [HTML] = notable.prefix(Self.maximum).map { _, entry in
      "<dt>\(entry.0.username)</dt><dd>\(password(of: entry.0))\(details(of: entry.0, entry.1))</dd>\n"
    }
    return """
      <h2>Accounts</h2>
      <dl>
      \(rows)</dl>
      <p class="hint">\(notable.count < users.count || users.count > Self.maximum ? "\(users.count) accounts in total" : "")</p>

      """
  }

  /// A link that starts a sign-in, or nil if the emulator does not register apps automatically. The sign-in ends on an
  /// emulator page.
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

  /// The base URL of the control interface, or nil if it is disabled.
  private var control: String? { platform.options.controlEnabled ? exchange.base : nil }

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
