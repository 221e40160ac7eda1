import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ADALKeychainGroup: Rule {
  let id = "adal-keychain-group"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.loadedSettings.compactMap { loaded in
      guard loaded.settings.platform?.value == .macOS, let group = loaded.settings.keychainGroup,
        group.value == ApplePlatform.iOS.defaultKeychainGroup
      else { return nil }
      return finding(
        "`\(group.value)` is not MSAL's keychain group on macOS",
        help: "use `\(ApplePlatform.macOS.defaultKeychainGroup)`, or remove the key", at: group.place,
        fix: file.node(at: group.place).flatMap {
          TextEdits.replaceValue($0, with: ApplePlatform.macOS.defaultKeychainGroup)
        }.map { Diagnostic.Fix(description: "replace with `\(ApplePlatform.macOS.defaultKeychainGroup)`", edits: $0) })
    }
  }
}
