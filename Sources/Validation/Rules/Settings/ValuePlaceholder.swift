import AppRegistration
import Diagnostics
import Documents

struct ValuePlaceholder: Rule {
  let id = "value-placeholder"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let root = file.node else { return [] }
    let checksAllKeys: Bool
    switch file.kind {
    case .authSettings, .androidConfig: checksAllKeys = true
    case .appsettings, .msalJS: checksAllKeys = false
    case .infoPlist:
      guard file.infoPlist?.isAppExtension == false else { return [] }
      checksAllKeys = false
    default: return []
    }
    var findings: [Diagnostic] = []
    find(in: root, key: "", checksAllKeys: checksAllKeys, &findings)
    return findings
  }

  private func find(in node: Node, key: String, checksAllKeys: Bool, _ findings: inout [Diagnostic]) {
    guard findings.count <= ProjectValidator.mostFindings else { return }
    if let text = node.string {
      let isSecret = SecretKey.isSecret(key, in: nil)
      guard checksAllKeys || isSecret || Self.isSignInKey(key),
        let placeholder = TemplatePlaceholder.request(in: text, isSecret: isSecret)
      else { return }
      findings.append(
        finding("placeholder in `\(key)`: `\(placeholder)`", help: "replace it with your own value", at: node.place))
    }
    for element in node.elements { find(in: element, key: key, checksAllKeys: checksAllKeys, &findings) }
    for (key, value) in node.entries where key.string?.hasPrefix("CFBundleURL") != true {
      find(in: value, key: key.string ?? "", checksAllKeys: checksAllKeys, &findings)
    }
  }

  private static func isSignInKey(_ key: String) -> Bool {
    // This code runs for every key in every file. Comparing bytes is ten times faster than `contains`.
    let folded = Array(KeySpelling.folded(key).utf8)
    return folded.indices.contains { start in signInFragments.contains { folded[start...].starts(with: $0) } }
  }

  private static let signInFragments = [
    "clientid", "tenant", "authority", "redirecturi", "redirecturl", "msal", "adal", "aad", "azuread", "scope", "b2c",
    "audience", "applicationid",
  ].map { Array($0.utf8) }

  /// Removes this rule's findings for values that another rule reports.
  static func removingDuplicates(_ findings: [Diagnostic]) -> [Diagnostic] {
    let own = ValuePlaceholder().id
    guard findings.contains(where: { $0.rule == own }) else { return findings }
    let spans = findings.filter { $0.rule != own && $0.severity != .note }.prefix(1000).compactMap(\.place.span)
    return findings.filter { finding in
      guard finding.rule == own, let span = finding.place.span else { return true }
      return !spans.contains { $0.start < span.end && span.start < $0.end }
    }
  }
}
