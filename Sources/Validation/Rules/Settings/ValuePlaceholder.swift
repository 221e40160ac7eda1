import AppRegistration
import Diagnostics
import Documents

struct ValuePlaceholder: Rule {
  let id = "value-placeholder"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let root = file.node else { return [] }
    let isForSignInOnly: Bool
    switch file.kind {
    case .authSettings, .androidConfig: isForSignInOnly = true
    case .appsettings, .msalJS: isForSignInOnly = false
    case .infoPlist:
      guard file.infoPlist?.isAppExtension == false else { return [] }
      isForSignInOnly = false
    default: return []
    }
    var findings: [Diagnostic] = []
    find(in: root, key: "", isForSignInOnly: isForSignInOnly, &findings)
    return findings
  }

  private func find(in node: Node, key: String, isForSignInOnly: Bool, _ findings: inout [Diagnostic]) {
    guard findings.count <= ProjectValidator.mostFindings else { return }
    if let text = node.string {
      let isSecret = SecretKey.names(key, in: nil)
      guard isForSignInOnly || isSecret || Self.isAboutSignIn(key),
        let placeholder = TemplatePlaceholder.request(in: text, isSecret: isSecret)
      else { return }
      findings.append(
        finding("\(key) is still a placeholder: \(placeholder)", help: "write your app's own value", at: node.place))
    }
    for element in node.elements { find(in: element, key: key, isForSignInOnly: isForSignInOnly, &findings) }
    for (key, value) in node.entries where key.string?.hasPrefix("CFBundleURL") != true {
      find(in: value, key: key.string ?? "", isForSignInOnly: isForSignInOnly, &findings)
    }
  }

  private static func isAboutSignIn(_ key: String) -> Bool {
    // The keys of every file come by here: comparing bytes takes a tenth of the time of `contains`.
    let folded = Array(KeySpelling.folded(key).utf8)
    return folded.indices.contains { start in signInWords.contains { folded[start...].starts(with: $0) } }
  }

  private static let signInWords = [
    "clientid", "tenant", "authority", "redirecturi", "redirecturl", "msal", "adal", "aad", "azuread", "scope", "b2c",
    "audience", "applicationid",
  ].map { Array($0.utf8) }

  /// The findings of a file without those of this rule for values that another rule reports.
  static func withoutRepeats(_ findings: [Diagnostic]) -> [Diagnostic] {
    let own = ValuePlaceholder().id
    guard findings.contains(where: { $0.rule == own }) else { return findings }
    let spans = findings.filter { $0.rule != own && $0.severity != .note }.prefix(1000).compactMap(\.place.span)
    return findings.filter { finding in
      guard finding.rule == own, let span = finding.place.span else { return true }
      return !spans.contains { $0.start < span.end && span.start < $0.end }
    }
  }
}
