import AppRegistration
import Diagnostics
import Documents

struct KeychainGroupPrefix: Rule {
  let id = "keychain-group-prefix"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let groups = file.keychainGroups
    guard groups.contains(where: \.lacksPrefix) else { return [] }
    let use = project.app(of: file).targets.msalUse(of: file)
    guard use != .none else { return [] }
    let prefix = groups.contains { $0.text.hasPrefix("${") } ? "${AppIdentifierPrefix}" : "$(AppIdentifierPrefix)"
    return groups.filter(\.lacksPrefix).map { group in
      // The correction for a malformed reference is uncertain.
      let isPlain = group.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }
      return finding(
        "keychain group `\(group.text)` without `$(AppIdentifierPrefix)`",
        help: isPlain ? "use `\(prefix)\(group.text)`" : "start it with `\(prefix)`", at: group.node.place,
        fix: isPlain && use == .certain
          ? TextEdits.replaceValue(group.node, with: prefix + group.text).map {
            .init(description: "add the prefix", edits: $0)
          } : nil)
    }
  }
}
