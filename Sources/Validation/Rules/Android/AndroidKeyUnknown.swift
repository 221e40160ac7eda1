import AppRegistration
import Diagnostics
import Documents

struct AndroidKeyUnknown: Rule {
  let id = "android-key-unknown"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.androidConfig != nil, let root = file.node else { return [] }
    return AndroidConfig.levels(of: root).flatMap { level, mapping in
      let keys = level.keys
      return mapping.entries.prefix(Self.mostKeys).compactMap { key, _ in
        key.string.flatMap { check($0, at: key, on: level, keys) }
      }
    }
  }

  /// The maximum number of keys to check. Real configurations have far fewer.
  private static let mostKeys = 200

  private func check(_ key: String, at node: Node, on level: AndroidConfig.Level, _ keys: [String]) -> Diagnostic? {
    guard !keys.contains(key), !Self.isComment(key), !Self.isAnotherSpelling(key) else { return nil }
    if let expected = Self.expectedLevel(of: key, not: level) {
      return finding(
        "MSAL ignores `\(key)` \(level.location)", help: "specify it \(expected.location)", at: node.place)
    }
    // Misspelled keys are reported when the file is read.
    guard Suggestion.nearest(to: key, among: keys) == nil || keys.isEmpty else { return nil }
    let message = "MSAL does not read the key `\(key)`"
    if let meant = Self.meant[key.lowercased()] {
      return finding(message, help: "did you mean `\(meant)`?", at: node.place)
    }
    // An app can read additional keys from the same file.
    let isAboutSignIn = key.lowercased().split(separator: "_").contains { Self.vocabulary.contains(String($0)) }
    return finding(
      message, severity: isAboutSignIn ? .warning : .note,
      help: "remove it, or pass the value to MSAL in code", at: node.place)
  }

  private static func isComment(_ key: String) -> Bool {
    guard let first = key.first, first.isLetter else { return true }
    return key.lowercased().contains("comment") || key.contains(where: \.isWhitespace)
  }

  /// Returns whether `AndroidKeyCase` reports the key. For example, it reports `clientId`, which should be `client_id`.
  private static func isAnotherSpelling(_ key: String) -> Bool {
    guard key.contains(where: \.isUppercase) || key.contains("-") else { return false }
    let folded = KeySpelling.folded(key)
    return AndroidConfig.Level.allCases.contains { $0.keys.contains { KeySpelling.folded($0) == folded } }
  }

  /// Returns the level that supports the key, or nil if the name is too general to identify the intended option.
  private static func expectedLevel(of key: String, not level: AndroidConfig.Level) -> AndroidConfig.Level? {
    guard key.contains("_") || key == "audience" || key == "authorities" else {
      return level == .audience && key == "default" ? .authority : nil
    }
    return AndroidConfig.Level.containing(key).first { $0 != level }
  }

  private static let meant: [String: String] = [
    "use_browser": "authorization_user_agent", "browser": "authorization_user_agent",
    "user_agent": "authorization_user_agent", "authorization_agent": "authorization_user_agent",
    "use_webview": "authorization_user_agent", "use_web_view": "authorization_user_agent",
    "webview": "authorization_user_agent", "webview_enabled": "authorization_user_agent",
    "use_embedded_webview": "authorization_user_agent", "use_system_browser": "authorization_user_agent",
    "broker_enabled": "broker_redirect_uri_registered", "use_broker": "broker_redirect_uri_registered",
    "broker": "broker_redirect_uri_registered", "enable_broker": "broker_redirect_uri_registered",
    "is_broker_enabled": "broker_redirect_uri_registered", "broker_redirect_uri": "broker_redirect_uri_registered",
    "broker_redirect_uri_enabled": "broker_redirect_uri_registered",
    "browser_safe_list_enabled": "browser_safelist", "browser_safelist_enabled": "browser_safelist",
    "browser_allow_list": "browser_safelist", "browser_allowlist": "browser_safelist",
    "browser_white_list": "browser_safelist", "browser_whitelist": "browser_safelist",
    "browsers": "browser_safelist", "authority": "authorities", "authority_type": "authorities",
    "tenant": "authorities", "single_account": "account_mode", "single_account_mode": "account_mode",
    "multiple_account_mode": "account_mode", "app_id": "client_id", "application_id": "client_id",
    "shared_device_mode": "shared_device_mode_supported", "log": "logging", "enable_logging": "logging",
    "enable_pii": "pii_enabled", "timeout": "http", "connection_timeout": "connect_timeout",
  ]

  /// Words that occur in MSAL's key names. A key that contains any of these words was probably intended for MSAL.
  private static let vocabulary: Set<String> = [
    "broker", "browser", "redirect", "authority", "authorities", "tenant", "webview", "logging", "log", "pii", "logcat",
    "account", "accounts", "cloud", "clouds", "safelist", "client", "agent", "audience", "secret", "timeout", "msal",
  ]
}
