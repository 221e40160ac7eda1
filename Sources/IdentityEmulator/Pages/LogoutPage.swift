import Effects
import GraphEmulator
import OAuth

/// The sign-out pages. The emulator shows an account picker if several users are signed in, and a confirmation if the
/// request was not a navigation.
struct LogoutPage: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform
  let realm: Realm
  /// The usernames in the session.
  let names: [String]

  /// The form value for signing out of all accounts.
  static let allAccounts = "all"

  func picker() -> ResponseMessage {
    let rows: [HTML] = names.map { name in
      "<li><button class=\"account\" type=\"submit\" name=\"account\" value=\"\(name)\">\(name)</button></li>\n"
    }
    return page(
      .pickAccount, "Pick an account to sign out",
      """
      <ul class="accounts">
      \(rows)<li><button class="account" type="submit" name="account" value="\(Self.allAccounts)">Sign out of all accounts</button></li>
      </ul>

      """)
  }

  func confirmation() -> ResponseMessage {
    let accounts: [HTML] = names.map { "<p class=\"who\">\($0)</p>\n" }
    return page(
      nil, "Sign out?",
      """
      \(accounts)<div class="row"><button class="main" type="submit" name="account" value="\(Self.allAccounts)">Sign out</button></div>

      """)
  }

  private func page(_ screen: Screen?, _ title: String, _ content: HTML) -> ResponseMessage {
    let binding = BrowserBinding(exchange, randomness: platform.randomness)
    // The form contains the parameters of the request. The emulator validates them when the user submits the form.
    let parameters = ["post_logout_redirect_uri", "state"].compactMap { name in
      exchange.parameters[name].map { (name: name, value: $0) }
    }
    let frame = PageFrame(
      screen: screen, title: title, action: exchange.base + realm.prefix + "/oauth2/v2.0/logout",
      hidden: [(BrowserBinding.field, binding.token)] + parameters, content: content)
    var response = ResponseBuilder.page(frame.text, to: exchange)
    binding.set(on: exchange, in: &response)
    return response
  }
}
