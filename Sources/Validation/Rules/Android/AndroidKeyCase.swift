import AppRegistration
import Diagnostics
import Documents

struct AndroidKeyCase: Rule {
  let id = "android-key-case"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .androidConfig, let root = file.node else { return [] }
    // If the file also contains the key that MSAL reads, the other key may be for the app's own use.
    return Self.keys(of: root).filter { $0.mapping[$0.meant] == nil }.map { key, meant, _ in
      finding("MSAL does not read `\(key.string ?? "")`", help: "rename it to `\(meant)`", at: key.place)
    }
  }

  /// Returns the keys that differ from a known key only in letter case, underscores, or hyphens. Each result also
  /// contains the known key.
  static func keys(of root: Node) -> [(key: Node, meant: String, mapping: Node)] {
    AndroidConfig.levels(of: root).flatMap { level, mapping -> [(key: Node, meant: String, mapping: Node)] in
      let known = level.keys
      return mapping.entries.prefix(mostKeys).compactMap { key, _ in
        guard let text = key.string, !known.contains(text), let meant = meant(by: text, known) else { return nil }
        return (key, meant, mapping)
      }
    }
  }

  static func meant(by text: String, _ known: [String]) -> String? {
    let folded = KeySpelling.folded(text)
    return known.first { KeySpelling.folded($0) == folded }
  }

  /// The maximum number of keys to check. Real configurations have far fewer.
  private static let mostKeys = 200
}
