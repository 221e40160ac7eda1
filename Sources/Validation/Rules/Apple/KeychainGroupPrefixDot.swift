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
      let mended = group.text.prefix(name.count + 3) + group.name
      return finding(
        "$(\(name)) ends with a dot already", help: "write \(mended)", at: group.node.place,
        fix: use == .certain
          ? TextEdits.replaceValue(group.node, with: String(mended)).map {
            .init(description: "drop the second dot", edits: $0)
          } : nil)
    }.compactMap { $0 }
  }
}
