import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// `/{tenant}/oauth2/v2.0/logout`: ends the browser's session. Tokens stay good; no sign-out revokes them.
enum LogoutEndpoint {
  static func answer(_ exchange: Exchange, _ platform: Platform, realm: Realm) -> ResponseMessage {
    let parameters = exchange.parameters
    let hint = parameters["logout_hint"].map { TokenMint.username(fromHint: $0).lowercased() }
    var frames: [String] = []
    if let id = SessionCookies.sessionID(exchange, realm: realm) {
      platform.withState { state in
        guard var session = state.sessions[id] else { return }
        let hinted = hint.flatMap { state.account(named: $0)?.user.id.lowercased() }
        session.entries.removeAll { hinted == nil || $0.accountID == hinted }
        state.sessions[id] = session.entries.isEmpty ? nil : session
        frames = state.apps.values.compactMap(\.logoutUrl)
      }
    }
    // Back to the app only where that is a registered redirect URI of some app; anything else would be an open door.
    if let target = parameters["post_logout_redirect_uri"], isRegistered(target, platform) {
      var url = URLReference(target)
      if let state = parameters["state"] { url = url.appending(["state": state]) }
      return Answer.redirect(to: url.text, from: exchange)
    }
    let front: [HTML] = frames.map { "<p>Signing out of \($0)</p>\n" }
    let frame = PageFrame(
      screen: .signedOut, title: "You signed out of your account",
      content: "<p role=\"status\">It’s a good idea to close all browser windows.</p>\n\(front)", isDone: true)
    return Answer.page(frame.text, to: exchange)
  }

  private static func isRegistered(_ uri: String, _ platform: Platform) -> Bool {
    platform.withState { state in
      state.apps.values.contains { app in app.redirects.contains { RedirectMatching.matches($0.uri, uri) } }
    }
  }
}
