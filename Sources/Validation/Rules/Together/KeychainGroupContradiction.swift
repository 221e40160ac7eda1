import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct KeychainGroupContradiction: Rule {
  let id = "keychain-group-contradiction"
  let severity = Diagnostic.Severity.warning
  let words = "the settings name a keychain group that the entitlements do not hold"
  let help = """
    MSAL keeps its tokens in the keychain group that the app names. Without the group in keychain-access-groups, the keychain answers \
    errSecMissingEntitlement (-34018): nothing is kept, and every start of the app asks for a sign-in.
    """
  let bad = RuleExample([
    (
      "AuthSettings.yaml",
      #"""
      AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
      KeychainGroup: 1️⃣com.contoso.shared
      """#
    ),
    (
      "App.entitlements",
      #"""
      {
        "com.apple.security.network.client": true,
        "keychain-access-groups": [
          "$(AppIdentifierPrefix)com.contoso.app", "$(AppIdentifierPrefix)com.microsoft.identity.universalstorage"
        ]
      }
      """#
    ),
  ])
  let good = RuleExample([
    (
      "AuthSettings.yaml",
      #"""
      AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
      KeychainGroup: com.contoso.shared
      """#
    ),
    (
      "App.entitlements",
      #"""
      {
        "com.apple.security.network.client": true,
        "keychain-access-groups": [
          "$(AppIdentifierPrefix)com.contoso.shared", "$(AppIdentifierPrefix)com.microsoft.identity.universalstorage"
        ]
      }
      """#
    ),
  ])

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings else { return [] }
    let all = project.app(of: file).files.compactMap(\.entitlements)
    let groups = all.compactMap(\.keychainGroups)
    guard let first = groups.first, groups.count == all.count else { return [] }
    let held = groups.flatMap { $0.value.map(\.value) }
    return file.loadedSettings.compactMap { loaded in
      guard let group = loaded.settings.keychainGroup, !group.value.isEmpty, !AppManifest.isToBeFilledIn(group.value),
        !held.contains(where: { Self.names($0, group.value) })
      else { return nil }
      return finding(
        "the entitlements hold no keychain group \(group.value)",
        help: "add $(AppIdentifierPrefix)\(group.value) to keychain-access-groups", at: group.place,
        related: [.init("the groups that they hold are here", at: first.place)])
    }
  }

  /// Entitlements name a group with the team's prefix before it: a reference, or ten letters and digits with a dot.
  private static func names(_ entitlement: String, _ group: String) -> Bool {
    guard entitlement != group else { return true }
    guard entitlement.hasSuffix(group) else {
      return entitlement.contains("$(") && !entitlement.contains("AppIdentifierPrefix)")
    }
    let prefix = entitlement.dropLast(group.count)
    return prefix.hasSuffix(")") || prefix.hasSuffix("}") || prefix.hasSuffix(".")
  }
}
