import Documents

/// The kind of a document, detected from its content and never from its name.
package enum AppRegistrationKind: String, Sendable, CaseIterable {
  case authSettings, infoPlist, entitlements, androidConfig, androidManifest, appManifest, appsettings, msalJS,
    xcodeProject
  /// AppAuth's configuration, which shares only its file name with MSAL's.
  case appAuth
  case workflow, scenarios, directory, tokenCache
  case unknown

  /// The kind with an article for messages, such as `an Info.plist`.
  package var description: String {
    switch self {
    case .authSettings: "app registration settings"
    case .infoPlist: "an Info.plist"
    case .entitlements: "entitlements"
    case .androidConfig: "an MSAL Android configuration"
    case .androidManifest: "an Android manifest"
    case .appManifest: "an app manifest"
    case .appsettings: "appsettings"
    case .msalJS: "an MSAL.js configuration"
    case .xcodeProject: "an Xcode project"
    case .appAuth: "an AppAuth configuration"
    case .workflow: "a workflow"
    case .scenarios: "a scenarios file"
    case .directory: "a directory"
    case .tokenCache: "a token cache"
    case .unknown: "an unknown kind of document"
    }
  }

  /// Whether JSON files of this kind may contain comments. Other programs and build tools accept or remove them.
  /// authflow's own formats are strict JSON.
  package var toleratesComments: Bool {
    switch self {
    case .workflow, .scenarios, .directory, .tokenCache: false
    default: true
    }
  }

  /// Whether to report trailing commas as a note. Gson, which parses MSAL for Android's configurations, reads each
  /// trailing comma as an empty element.
  var notesTrailingCommas: Bool { self == .androidConfig }

  /// The JSON rules that do not apply to this kind.
  var toleratedRules: Set<String> {
    self == .appsettings ? ["comment-in-json", "trailing-comma"] : ["comment-in-json"]
  }

  package static func recognize(_ document: Document) -> AppRegistrationKind { recognize(document.root) }

  package static func recognize(_ root: Node) -> AppRegistrationKind {
    if root.kind == .array { return root[0].map(AppManifest.recognizes) == true ? .appManifest : .unknown }
    guard root.kind == .mapping else { return .unknown }
    var keys: Set<String> = []
    for (key, _) in root.entries { if let key = key.string { keys.insert(key) } }
    if AuthflowOutput.recognizes(root) { return .unknown }
    if keys.contains("authflow") { return isScenariosFile(root, keys) ? .scenarios : .workflow }
    if keys.contains("directory") { return .directory }
    if XcodeProject.recognizes(root) { return .xcodeProject }
    if isTokenCache(root, keys) { return .tokenCache }
    // These prefixes also match misspelled keys, and Info.plist files of new projects have few other keys.
    if keys.contains(where: { $0.hasPrefix("CFBundle") || $0.hasPrefix("LSApplicationQuer") })
      || keys.contains("IntuneMAMSettings")
    {
      return .infoPlist
    }
    if !keys.isDisjoint(with: ["keychain-access-groups", "application-identifier", "aps-environment"])
      || keys.contains(where: { $0.hasPrefix("com.apple.security.") || $0.hasPrefix("com.apple.developer.") })
    {
      return .entitlements
    }
    if AzureAdSection.hasSection(in: root) { return .appsettings }
    if !keys.isDisjoint(with: ["authorization_endpoint_uri", "discovery_uri", "authorization_scope"]) {
      return .appAuth
    }
    if isAndroidConfig(root, keys) { return .androidConfig }
    if AppManifest.recognizes(root) { return .appManifest }
    if MSALJSConfig.node(in: root) != nil { return .msalJS }
    return SettingsRecognition.isSettings(root) ? .authSettings : .unknown
  }

  /// Whether a file is a scenarios file by the criteria of the workflow reader: it refers to a workflow, or contains
  /// only scenarios.
  private static func isScenariosFile(_ root: Node, _ keys: Set<String>) -> Bool {
    guard !keys.contains("steps") else { return false }
    return keys.contains("workflow")
      || root["scenarios"]?.kind == .mapping && keys.isDisjoint(with: ["settings", "clients"])
  }

  private static func isTokenCache(_ root: Node, _ keys: Set<String>) -> Bool {
    let sections = keys.intersection(["AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata"])
    return sections.count >= 2 && sections.allSatisfy { root[$0]?.kind == .mapping }
  }

  private static func isAndroidConfig(_ root: Node, _ keys: Set<String>) -> Bool {
    // Wrapper libraries set the client ID or the redirect URI at runtime.
    let certain: Set<String> = [
      "broker_redirect_uri_registered", "authorization_user_agent", "authorization_in_current_task",
    ]
    if !keys.isDisjoint(with: certain) { return true }
    if root["authorities"]?[0]?["authority_url"] != nil || root["authorities"]?[0]?["audience"]?["type"] != nil {
      return true
    }
    // MSAL reads these entries regardless of the names of other keys.
    if let type = root["authorities"]?[0]?["type"]?.string, ["AAD", "B2C", "ADFS", "CIAM"].contains(type.uppercased()) {
      return true
    }
    guard keys.contains("client_id") || keys.contains("redirect_uri") else { return false }
    return keys.contains("authorities") || keys.contains("account_mode")
      || root["redirect_uri"]?.string?.hasPrefix("msauth://") == true
  }
}
