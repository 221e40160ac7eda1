import Documents

/// Tells settings that were written for another library than MSAL: ADAL, or a plain OAuth client such as NXOAuth2.
///
/// They name the same things by the same keys, but other rules hold: ADAL took urn:ietf:wg:oauth:2.0:oob as a redirect URI, and a
/// plain OAuth client has to ask for openid and offline_access itself.
package enum NonMSALSettings {
  /// Whether settings have a key that MSAL has no use for, and nothing that is MSAL's own.
  package static func own(_ root: Node) -> Bool {
    var isSeen = false
    for (key, value) in root.entries {
      guard let name = key.string.map(KeySpelling.folded) else { continue }
      if msalKeys.contains(name) || isMSALRedirect(value) { return false }
      if keys.contains(name) { isSeen = true }
    }
    return isSeen || asksLikeAPlainClient(root)
  }

  /// Whether settings ask for openid or offline_access, which MSAL refuses, and return to a scheme that MSAL does not use: those of
  /// an AppAuth wrapper, for example.
  private static func asksLikeAPlainClient(_ root: Node) -> Bool {
    guard !AppSettings.isTutorialFormat(root) else { return false }
    var asks = false
    var returns = false
    for (key, value) in root.entries {
      switch key.string.map(KeySpelling.folded) {
      case "scope", "scopes":
        let scopes =
          value.string.map { $0.split(separator: " ").map(String.init) } ?? value.elements.compactMap(\.string)
        asks = asks || scopes.contains { $0 == "openid" || $0 == "offline_access" }
      case "redirecturi", "redirecturl":
        let text = value.string ?? ""
        returns = returns || text.contains(":/") && !text.lowercased().hasPrefix("http")
      default: break
      }
    }
    return asks && returns
  }

  private static func isMSALRedirect(_ value: Node) -> Bool {
    guard let text = value.string else { return false }
    return text.hasPrefix("msauth.") || text.hasPrefix("msauth://") || text.hasPrefix("msal")
  }

  /// Addresses of endpoints, words of the protocol, the resource, and keys of the samples of that time.
  private static let keys: Set<String> = [
    "tokenurl", "tokenuri", "tokenendpoint", "accesstokenurl", "loginurl", "authorizationurl", "authorizeurl",
    "authorizationendpoint", "apiversion", "responsetype", "responsemode", "granttype", "keychain", "additionalscopes",
    "taskwebapi", "showclaims", "fullscreen", "promptbehavior", "resource", "resourceid", "resourcestring",
    "resourceuri", "resourceurl", "resourceidentifier", "graphresourceid", "idaresource", "idaresourceid",
  ]

  private static let msalKeys: Set<String> = [
    "graphscopes", "graphuserscopes", "knownauthorities", "aadscopes", "msalclientid", "msalauthority",
    "msalredirecturi", "bypassredirecturivalidation", "validateauthority", "multiplecloudssupported",
    "nestedauthbrokerclientid", "nestedauthbrokerredirecturi", "brokeravailability", "isaadauthenabled",
  ]
}

/// How a key is spelled matters to nobody who looks for what it names.
package enum KeySpelling {
  /// `client_id`, `ClientId` and `ida:ClientId` in lower case, letters and digits only.
  package static func folded(_ key: String) -> String { key.lowercased().filter { $0.isLetter || $0.isNumber } }
}
