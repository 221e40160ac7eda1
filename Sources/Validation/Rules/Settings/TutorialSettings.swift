import AppRegistration
import Diagnostics
import Documents

struct TutorialSettings: Rule {
  let id = "tutorial-settings"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings, file.document?.syntax.isPropertyList == true, let root = file.node else {
      return []
    }
    let appID = Self.entry("AppId", in: root)
    let scopes = Self.entry("GraphScopes", in: root)
    let hasTutorialFileName = FilePath.name(of: file.name).lowercased().hasPrefix("authsettings.")
    guard hasTutorialFileName || appID != nil && scopes != nil else { return [] }
    var findings = [("AppId", appID), ("GraphScopes", scopes)].compactMap { name, entry in
      entry.flatMap { misspelling(of: $0.key, expected: name) }
    }
    if let scopes, scopes.value.kind == .string {
      findings.append(
        finding(
          "the tutorial app requires an array for `GraphScopes` (authflow also accepts a string)",
          help: "use an array with one string for each scope", at: scopes.value.place))
    }
    return findings
  }

  private func misspelling(of key: Node, expected name: String) -> Diagnostic? {
    guard let spelling = key.string, spelling != name else { return nil }
    return finding(
      "the tutorial app looks up `\(name)` and ignores `\(spelling)` (authflow accepts both)",
      help: "rename the key to `\(name)`",
      at: key.place,
      fix: TextEdits.replaceKey(key, with: name).map { .init(description: "rename to `\(name)`", edits: $0) })
  }

  /// Returns the entry with this key in any letter case. An exact match takes priority.
  private static func entry(_ name: String, in root: Node) -> (key: Node, value: Node)? {
    if let exact = root.entry(name) { return (exact.key, exact.value) }
    return root.entries.first { $0.key.string?.lowercased() == name.lowercased() }.map { ($0.key, $0.value) }
  }
}
