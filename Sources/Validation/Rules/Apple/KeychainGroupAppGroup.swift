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
        "\(group.text) is an app group and no keychain group",
        help:
          "name it in com.apple.security.application-groups, and here $(AppIdentifierPrefix)com.microsoft.adalcache",
        at: group.node.place)
    }
  }
}
