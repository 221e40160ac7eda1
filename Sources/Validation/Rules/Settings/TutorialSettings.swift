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
    let hasName = FilePath.name(of: file.name).lowercased().hasPrefix("authsettings.")
    guard hasName || appID != nil && scopes != nil else { return [] }
    var findings = [("AppId", appID), ("GraphScopes", scopes)].compactMap { name, entry in
      entry.flatMap { spelling(of: $0.key, expected: name) }
    }
    if let scopes, scopes.value.kind == .string {
      findings.append(
        finding(
          "GraphScopes is a string: the tutorial's app reads an array (authflow reads both)",
          help: "write an array with one string for each scope", at: scopes.value.place))
    }
    return findings
  }

  private func spelling(of key: Node, expected name: String) -> Diagnostic? {
    guard let written = key.string, written != name else { return nil }
    return finding(
      "the tutorial's app looks up `\(name)` and does not find `\(written)` (authflow does)", help: "write \(name)",
      at: key.place,
      fix: TextEdits.replaceKey(key, with: name).map { .init(description: "write \(name)", edits: $0) })
  }

  /// The entry with this key in any letter case, the exact spelling first.
  private static func entry(_ name: String, in root: Node) -> (key: Node, value: Node)? {
    if let exact = root.entry(name) { return (exact.key, exact.value) }
    return root.entries.first { $0.key.string?.lowercased() == name.lowercased() }.map { ($0.key, $0.value) }
  }
}
