import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ADALKeychainGroup: Rule {
  let id = "adal-keychain-group"
  let severity = Diagnostic.Severity.note
  let words = "a Mac app names ADAL's keychain group"
  let help = """
    On iOS MSAL has kept ADAL's group, com.microsoft.adalcache, so that apps with either library share their accounts. On macOS its \
    group is com.microsoft.identity.universalstorage, and only apps that name the same one share accounts.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Platform: macOS
    KeychainGroup: 1️⃣com.microsoft.adalcache
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Platform: macOS
    KeychainGroup: com.microsoft.identity.universalstorage
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.loadedSettings.compactMap { loaded in
      guard loaded.settings.platform?.value == .macOS, let group = loaded.settings.keychainGroup,
        group.value == ApplePlatform.iOS.defaultKeychainGroup
      else { return nil }
      return finding(
        "on macOS MSAL's group is \(ApplePlatform.macOS.defaultKeychainGroup)",
        help: "write that one, or leave the key out", at: group.place,
        fix: file.node(at: group.place).flatMap {
          TextEdits.replaceValue($0, with: ApplePlatform.macOS.defaultKeychainGroup)
        }.map { Diagnostic.Fix(description: "write \(ApplePlatform.macOS.defaultKeychainGroup)", edits: $0) })
    }
  }
}
