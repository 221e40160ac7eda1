import Documents

/// Recognizes settings for libraries other than MSAL: ADAL, or a plain OAuth client such as NXOAuth2.
///
/// These libraries share keys with MSAL, but other rules apply: ADAL accepted `urn:ietf:wg:oauth:2.0:oob` as a redirect
/// URI, and a plain OAuth client must request `openid` and `offline_access`.
package enum NonMSALSettings {
  /// Whether settings have a key that MSAL does not use, and no key that is specific to MSAL.
  package static func own(_ root: Node) -> Bool {
    var hasForeignKey = false
    for (key, value) in root.entries {
      guard let name = key.string.map(KeySpelling.folded) else { continue }
      if msalKeys.contains(name) || isMSALRedirect(value) { return false }
      if keys.contains(name) { hasForeignKey = true }
    }
    return hasForeignKey || isPlainClient(root)
  }

  /// Whether settings request `openid` or `offline_access`, which MSAL rejects, and redirect to a scheme that MSAL does
  /// not use, as with AppAuth wrappers.
  private static func isPlainClient(_ root: Node) -> Bool {
    guard !AppSettings.isTutorialFormat(root) else { return false }
    var requestsReservedScope = false
    var redirectsToOtherScheme = false
    for (key, value) in root.entries {
      switch key.string.map(KeySpelling.folded) {
      case "scope", "scopes":
        let scopes =
          value.string.map { $0.split(separator: " ").map(String.init) } ?? value.elements.compactMap(\.string)
        requestsReservedScope = requestsReservedScope || scopes.contains { $0 == "openid" || $0 == "offline_access" }
      case "redirecturi", "redirecturl":
        let text = value.string ?? ""
        redirectsToOtherScheme = redirectsToOtherScheme || text.contains(":/") && !text.lowercased().hasPrefix("http")
      default: break
      }
    }
    return requestsReservedScope && redirectsToOtherScheme
  }

  private static func isMSALRedirect(_ value: Node) -> Bool {
    guard let text = value.string else { return false }
    return text.hasPrefix("msauth.") || text.hasPrefix("msauth://") || text.hasPrefix("msal")
  }

  /// Endpoint URLs, protocol parameters, resources, and keys of ADAL samples.
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

/// Compares keys regardless of letter case and separators.
package enum KeySpelling {
  /// Returns the key in lowercase with letters and digits only: `clientid` for `client_id` and `ClientId`.
  package static func folded(_ key: String) -> String { key.lowercased().filter { $0.isLetter || $0.isNumber } }
}
