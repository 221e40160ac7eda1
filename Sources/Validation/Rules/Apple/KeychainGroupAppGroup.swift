import AppRegistration
import Diagnostics
import Documents

struct KeychainGroupAppGroup: Rule {
  let id = "keychain-group-app-group"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let groups = file.keychainGroups.filter(\.isAppGroup)
    guard !groups.isEmpty, project.app(of: file).targets.msalUse(of: file) != .none else { return [] }
    return groups.map { group in
      finding(
        "`\(group.text)` is an app group, not a keychain group",
        help: "move it to `com.apple.security.application-groups`, and add MSAL's keychain group here",
        at: group.node.place)
    }
  }
}
