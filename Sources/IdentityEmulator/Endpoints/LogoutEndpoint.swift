import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// `/{tenant}/oauth2/v2.0/logout`: ends the browser's session. Tokens stay good; no sign-out revokes them.
enum LogoutEndpoint {
  static func answer(_ exchange: Exchange, _ platform: Platform, realm: Realm) -> ResponseMessage {
    let parameters = exchange.parameters
    let hint =
      parameters["logout_hint"].map { TokenMint.username(fromHint: $0).lowercased() }
      ?? parameters["id_token_hint"].flatMap { username(in: $0, platform) }
    var frames: [String] = []
    if let id = SessionCookies.sessionID(exchange, realm: realm) {
      platform.withState { state in
        guard var session = state.sessions[id] else { return }
        let hinted = hint.flatMap { state.account(named: $0)?.user.id.lowercased() }
        let sessionID = session.entries.first?.sessionID ?? ""
        session.entries.removeAll { hinted == nil || $0.accountID == hinted }
        state.sessions[id] = session.entries.isEmpty ? nil : session
        let parameters: Parameters = ["sid": sessionID, "iss": "\(exchange.base)\(realm.prefix)/v2.0"]
        frames = state.apps.values.compactMap(\.logoutUrl).map { URLReference($0).appending(parameters).text }
          .filter { origin($0) != nil }
      }
    }
    // Back to the app only where that is a registered redirect URI of some app; anything else would be an open door.
    if let target = parameters["post_logout_redirect_uri"], isRegistered(target, platform) {
      var url = URLReference(target)
      let ways = platform.withState { $0.misbehaviours }
      if let state = parameters["state"], !ways.contains(.missingLogoutState) {
        url = url.appending(["state": ways.contains(.wrongLogoutState) ? "another-state" : state])
      }
      return Answer.redirect(to: url.text, from: exchange)
    }
    let front: [HTML] = frames.map { "<iframe src=\"\($0)\" title=\"Signing out of an app\" hidden></iframe>\n" }
    let frame = PageFrame(
      screen: .signedOut, title: "You signed out of your account",
      content: "<p role=\"status\">It’s a good idea to close all browser windows.</p>\n\(front)", isDone: true)
    return Answer.page(frame.text, to: exchange, frames: Set(frames.compactMap(origin)).sorted())
  }

  /// Whom an ID token of the platform's own is about, also one that has expired (RP-Initiated Logout 1.0 §2).
  private static func username(in text: String, _ platform: Platform) -> String? {
    guard let token = try? UncheckedJWT(parsing: text) else { return nil }
    let keys = platform.keys.keys + [platform.keys.elliptic].compactMap { $0 }
    guard (try? JWKSet(keys.map(\.publicKey)).verify(token)) != nil else { return nil }
    return token.claims["preferred_username"]?.string?.lowercased()
  }

  /// `https://app.example:8443`; nil for a URL of another kind, which is not opened.
  private static func origin(_ uri: String) -> String? {
    let url = URLReference(uri)
    guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http", let authority = url.authority,
      authority.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 59 && $0 != 44 && $0 != 39 && $0 != 34 && $0 != 64 })
    else { return nil }
    return "\(scheme)://\(authority.lowercased())"
  }

  private static func isRegistered(_ uri: String, _ platform: Platform) -> Bool {
    platform.withState { state in
      state.apps.values.contains { app in app.redirects.contains { RedirectMatching.matches($0.uri, uri) } }
    }
  }
}
