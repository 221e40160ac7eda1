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
    let groups = project.app(of: file).summary.keychainGroups
    guard let first = groups.first else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let group = loaded.settings.keychainGroup, !group.value.isEmpty, !AppManifest.isToBeFilledIn(group.value),
        !groups.hold(group.value)
      else { return nil }
      return finding(
        "the entitlements hold no keychain group \(group.value)",
        help: "add $(AppIdentifierPrefix)\(group.value) to keychain-access-groups", at: group.place,
        related: [.init("the groups that they hold are here", at: first)])
    }
  }
}
