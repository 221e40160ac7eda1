import Documents

extension AppManifest {
  /// Whether a node is an app registration, a list of app registrations, or a list of required permissions, in any
  /// format.
  static func recognizes(_ node: Node) -> Bool {
    guard node.kind == .mapping else { return false }
    var keys: Set<String> = []
    for (key, _) in node.entries {
      guard let key = key.string else { continue }
      keys.insert(key.prefix(1).lowercased() + key.dropFirst())
    }
    if !keys.isDisjoint(with: certainKeys) { return true }
    if keys.contains("resourceAppId") { return true }
    if node["AppRegistrations"]?.kind == .array || node["AADApps"]?.kind == .array { return true }
    if let first = node["value"]?[0], first.kind == .mapping { return recognizes(first) }
    if keys.contains("signInAudience"), !keys.isDisjoint(with: ["displayName", "name", "appId"]) { return true }
    if keys.contains("replyUrls"), !keys.isDisjoint(with: ["appId", "objectId", "availableToOtherTenants"]) {
      return true
    }
    let platforms = ["web", "spa", "publicClient"].compactMap { node.member($0) }
    if platforms.contains(where: { $0.member("redirectUris")?.kind == .array }) { return true }
    return keys.contains("appId") && platforms.contains { $0.kind == .mapping }
  }

  /// Keys that do not occur in any other kind of file.
  private static let certainKeys: Set<String> = [
    "replyUrlsWithType", "oauth2AllowImplicitFlow", "requiredResourceAccess", "isFallbackPublicClient",
    "oauth2AllowIdTokenImplicitFlow", "accessTokenAcceptedVersion", "availableToOtherTenants",
  ]
}
