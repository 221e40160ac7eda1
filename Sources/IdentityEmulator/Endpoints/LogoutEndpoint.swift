import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

/// `/{tenant}/oauth2/v2.0/logout`: ends the browser's session. Signing out does not revoke tokens.
enum LogoutEndpoint {
  static func response(to exchange: EmulatorRequest, _ platform: Platform, realm: Realm) -> ResponseMessage {
    let parameters = exchange.parameters
    let hinted = parameters["id_token_hint"].flatMap { username(in: $0, platform) }
    let hint = parameters["logout_hint"].map { TokenIssuer.username(fromHint: $0).lowercased() } ?? hinted
    let names = signedIn(exchange, platform, realm)
    let isOwnForm = BrowserBinding.isOwnForm(exchange)
    var frames: [String] = []
    if !names.isEmpty {
      let choice = isOwnForm ? parameters["account"]?.lowercased() : nil
      // A user who visits the page is signed out. A background request requires confirmation.
      guard isOwnForm || hinted != nil || isVisit(exchange) else {
        return LogoutPage(exchange: exchange, platform: platform, realm: realm, names: names).confirmation()
      }
      if choice == nil, hint == nil, names.count > 1, realm.policy == nil {
        return LogoutPage(exchange: exchange, platform: platform, realm: realm, names: names).picker()
      }
      frames = end(choice == LogoutPage.allAccounts ? nil : choice ?? hint, exchange, platform, realm)
    }
    // The endpoint redirects only to registered redirect URIs, to prevent open redirects.
    if let target = parameters["post_logout_redirect_uri"], isRegistered(target, platform) {
      var url = URLReference(target)
      let misbehaviors = platform.withState { $0.misbehaviors }
      if let state = parameters["state"], !misbehaviors.contains(.missingLogoutState) {
        url = url.appending(["state": misbehaviors.contains(.wrongLogoutState) ? "another-state" : state])
      }
      return ResponseBuilder.redirect(to: url.text, from: exchange)
    }
    let front: [HTML] = frames.map { "<iframe src=\"\($0)\" title=\"Signing out of an app\" hidden></iframe>\n" }
    let frame = PageFrame(
      screen: .signedOut, title: "You signed out of your account",
      content: "<p role=\"status\">Close all browser windows to be safe.</p>\n\(front)", isDone: true)
    return ResponseBuilder.page(frame.text, to: exchange, frames: Set(frames.compactMap(origin)).sorted())
  }

  /// Returns the usernames in the browser's session, in session order.
  private static func signedIn(_ exchange: EmulatorRequest, _ platform: Platform, _ realm: Realm) -> [String] {
    guard let id = SessionCookies.sessionID(exchange, realm: realm) else { return [] }
    return platform.withState { state in
      (state.sessions[id]?.entries ?? []).compactMap { state.graph.account($0.accountID)?.user.username }
    }
  }

  /// Whether the request is a navigation, such as a link, a redirect, or a frame in the app, rather than a form
  /// submission from another site or a request for an embedded resource. Requests without Fetch Metadata headers count
  /// as navigations.
  private static func isVisit(_ exchange: EmulatorRequest) -> Bool {
    let headers = exchange.request.head.headerFields
    if let mode = headers[.fetchMode], mode != "navigate" { return false }
    guard exchange.method == .post else { return true }
    if let site = headers[.fetchSite], site != "none", site != "same-origin" { return false }
    guard let origin = exchange.origin else { return true }
    return origin.lowercased() == exchange.base
  }

  /// Removes one account or all accounts from the browser's session.
  /// - Returns: The front-channel logout URLs to load.
  private static func end(
    _ name: String?, _ exchange: EmulatorRequest, _ platform: Platform, _ realm: Realm
  ) -> [String] {
    guard let id = SessionCookies.sessionID(exchange, realm: realm) else { return [] }
    return platform.withState { state in
      guard var session = state.sessions[id] else { return [] }
      let accountID = name.map { state.account(named: $0)?.user.id.lowercased() ?? "" }
      let ended = session.entries.filter { accountID == nil || $0.accountID == accountID }
      session.entries.removeAll { accountID == nil || $0.accountID == accountID }
      state.sessions[id] = session.entries.isEmpty ? nil : session
      let listeners = state.apps.values.compactMap(\.logoutUrl).filter { origin($0) != nil }
      // Each account has a separate session ID, so the page loads a frame for each session.
      return ended.flatMap { entry in
        let parameters: Parameters = ["sid": entry.sessionID, "iss": "\(exchange.base)\(realm.prefix)/v2.0"]
        return listeners.map { URLReference($0).appending(parameters).text }
      }
    }
  }

  /// Returns the username in an ID token that this platform issued, even if the token has expired (RP-Initiated Logout
  /// 1.0 §2).
  static func username(in text: String, _ platform: Platform) -> String? {
    guard let token = try? UnverifiedJWT(parsing: text) else { return nil }
    let keys = platform.keys.keys + [platform.keys.elliptic].compactMap { $0 }
    guard (try? JWKSet(keys.map(\.publicKey)).verify(token)) != nil else { return nil }
    return token.claims["preferred_username"]?.string?.lowercased()
  }

  /// Returns the origin of an HTTP URL, such as `https://app.example:8443`, or nil for other URLs.
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

extension HTTPField.Name {
  static let fetchSite = HTTPField.Name(constant: "sec-fetch-site")
  static let fetchMode = HTTPField.Name(constant: "sec-fetch-mode")
}
