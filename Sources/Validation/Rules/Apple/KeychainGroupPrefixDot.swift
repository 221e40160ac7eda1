import AppRegistration
import Diagnostics
import Documents

struct KeychainGroupPrefixDot: Rule {
  let id = "keychain-group-prefix-dot"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let groups = file.keychainGroups.filter(\.hasStrayDot)
    guard !groups.isEmpty else { return [] }
    let use = project.app(of: file).targets.msalUse(of: file)
    guard use != .none else { return [] }
    return groups.map { group in
      guard case .reference(let name) = group.prefix else { return nil }
      let corrected = group.text.prefix(name.count + 3) + group.name
      return finding(
        "extra dot after `$(\(name))`", help: "replace it with `\(corrected)`", at: group.node.place,
        fix: use == .certain
          ? TextEdits.replaceValue(group.node, with: String(corrected)).map {
            .init(description: "remove the extra dot", edits: $0)
          } : nil)
    }.compactMap { $0 }
  }
}
