import AppRegistration
import Diagnostics
import Documents

struct KeychainGroupWildcard: Rule {
  let id = "keychain-group-wildcard"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let groups = file.keychainGroups.filter(\.isWildcard)
    guard !groups.isEmpty, project.app(of: file).targets.msalUse(of: file) != .none else { return [] }
    return groups.map { group in
      finding(
        "wildcard `\(group.text)` as a keychain group",
        help: "list each group, such as `$(AppIdentifierPrefix)com.microsoft.adalcache`",
        at: group.node.place)
    }
  }
}
