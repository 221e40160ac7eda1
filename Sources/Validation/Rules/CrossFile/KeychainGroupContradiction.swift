import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct KeychainGroupContradiction: Rule {
  let id = "keychain-group-contradiction"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings else { return [] }
    let groups = project.app(of: file).summary.keychainGroups
    guard let first = groups.first else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let group = loaded.settings.keychainGroup, !group.value.isEmpty, !AppManifest.isToBeFilledIn(group.value),
        !groups.contains(group.value)
      else { return nil }
      return finding(
        "keychain group `\(group.value)` is not in the entitlements",
        help: "add `$(AppIdentifierPrefix)\(group.value)` to `keychain-access-groups`", at: group.place,
        related: [.init("keychain groups are listed here", at: first)])
    }
  }
}
