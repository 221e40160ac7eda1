import AppRegistration
import Diagnostics
import Documents

struct SecretCommitted: Rule {
  let id = "secret-committed"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard Self.kinds.contains(file.kind), let root = file.node else { return [] }
    var findings: [Diagnostic] = []
    // The passwords in a workflow belong to emulated users, so only the workflow's settings are checked.
    for part in file.kind == .workflow ? file.settingsNodes : [root] { find(in: part, holder: nil, &findings) }
    // MSALJSSecret reports the client secret of a browser app.
    guard let config = file.msalJS, config.isForBrowsers, let secret = config.clientSecret else { return findings }
    return findings.filter { $0.place.span != secret.place.span }
  }

  /// The kinds of files that the rule checks. Token caches and emulated directories are excluded, because their purpose
  /// is to store secrets.
  private static let kinds: Set<AppRegistrationKind> = [
    .authSettings, .androidConfig, .appsettings, .msalJS, .appManifest, .infoPlist, .workflow,
  ]

  private func find(in node: Node, holder: String?, _ findings: inout [Diagnostic]) {
    for element in node.elements {
      guard let text = element.string, let holder else {
        find(in: element, holder: holder, &findings)
        continue
      }
      // A list element has no key, so only the element's format can identify a secret.
      if !text.isEmpty { add(finding(text, holder, nil, at: element.place, isElement: true), to: &findings) }
    }
    for (key, value) in node.entries {
      let name = key.string ?? ""
      guard let text = value.string else {
        find(in: value, holder: name, &findings)
        continue
      }
      // TestServerSecret checks this key.
      guard !text.isEmpty, name.lowercased() != "testserverclientsecret" else { continue }
      add(finding(text, name, holder, at: value.place), to: &findings)
    }
  }

  private func add(_ finding: Diagnostic?, to findings: inout [Diagnostic]) {
    guard var finding else { return }
    finding.pointsAtSecret = true
    findings.append(finding)
  }

  private func finding(
    _ text: String, _ key: String, _ holder: String?, at place: FileSpan, isElement: Bool = false
  ) -> Diagnostic? {
    if let kind = SecretText.kind(of: text) {
      return finding(
        "`\(key)` \(isElement ? "contains" : "is") \(kind)", help: Self.help, at: place)
    }
    if let parameter = SecretText.keyInQuery(of: text) {
      return finding(
        "URL contains a key in its query: `\(parameter)=…`", help: Self.help, at: place)
    }
    guard !isElement, SecretKey.isSecret(key, in: holder), SecretText.isPlausible(text) else { return nil }
    return finding("`\(key)` contains a secret", help: Self.help, at: place)
  }

  private static let help = "remove the secret from the file, and rotate it because it is no longer confidential"
}
