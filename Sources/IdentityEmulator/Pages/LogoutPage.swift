import Effects
import GraphEmulator
import OAuth

/// What is asked before a session ends: whose, where several are signed in, and whether it is wanted at all, where the
/// browser came by itself.
struct LogoutPage: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform
  let realm: Realm
  /// The usernames that are signed in.
  let names: [String]

  /// The choice that means all of them.
  static let everybody = "everybody"

  func picker() -> ResponseMessage {
    let rows: [HTML] = names.map { name in
      "<li><button class=\"account\" type=\"submit\" name=\"account\" value=\"\(name)\">\(name)</button></li>\n"
    }
    return page(
      .pickAccount, "Which account do you want to sign out of?",
      """
      <ul class="accounts">
      \(rows)<li><button class="account" type="submit" name="account" value="\(Self.everybody)">Sign out of all accounts</button></li>
      </ul>

      """)
  }

  func confirmation() -> ResponseMessage {
    let people: [HTML] = names.map { "<p class=\"who\">\($0)</p>\n" }
    return page(
      nil, "Do you want to sign out?",
      """
      \(people)<div class="row"><button class="main" type="submit" name="account" value="\(Self.everybody)">Sign out</button></div>

      """)
  }

  private func page(_ screen: Screen?, _ title: String, _ content: HTML) -> ResponseMessage {
    let binding = BrowserBinding(exchange, randomness: platform.randomness)
    // What the app asked for goes along, to be checked when the form comes back.
    let kept = ["post_logout_redirect_uri", "state"].compactMap { name in
      exchange.parameters[name].map { (name: name, value: $0) }
    }
    let frame = PageFrame(
      screen: screen, title: title, action: exchange.base + realm.prefix + "/oauth2/v2.0/logout",
      hidden: [(BrowserBinding.field, binding.token)] + kept, content: content)
    var response = ResponseBuilder.page(frame.text, to: exchange)
    binding.set(on: exchange, in: &response)
    return response
  }
}
