import AppRegistration
import Diagnostics
import Documents

struct SecretCommitted: Rule {
  let id = "secret-committed"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard Self.kinds.contains(file.kind), let root = file.node else { return [] }
    var findings: [Diagnostic] = []
    // A workflow's own passwords are those of people who exist on the embedded platform only.
    for part in file.kind == .workflow ? file.settingsNodes : [root] { find(in: part, holder: nil, &findings) }
    // That a browser app has none at all is told by a rule of its own.
    guard let config = file.msalJS, config.isForBrowsers, let told = config.clientSecret else { return findings }
    return findings.filter { $0.place.span != told.place.span }
  }

  /// Token caches and emulated directories hold secrets because that is what they are for.
  private static let kinds: Set<AppRegistrationKind> = [
    .authSettings, .androidConfig, .appsettings, .msalJS, .appManifest, .infoPlist, .workflow,
  ]

  private func find(in node: Node, holder: String?, _ findings: inout [Diagnostic]) {
    for element in node.elements {
      guard let text = element.string, let holder else {
        find(in: element, holder: holder, &findings)
        continue
      }
      // What stands in a list has no key of its own: only its form tells.
      if !text.isEmpty { add(finding(text, holder, nil, at: element.place, isElement: true), to: &findings) }
    }
    for (key, value) in node.entries {
      let name = key.string ?? ""
      guard let text = value.string else {
        find(in: value, holder: name, &findings)
        continue
      }
      // The one for public test servers is judged where the settings are loaded.
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
        "\(key) \(isElement ? "holds" : "is") \(kind)", help: "remove it, and have it replaced: it is known now",
        at: place)
    }
    if let parameter = SecretText.keyInQuery(of: text) {
      return finding(
        "the URL carries a key in its query (\(parameter)=…)",
        help: "leave it out of the file, and have it replaced: it is known now", at: place)
    }
    guard !isElement, SecretKey.names(key, in: holder), SecretText.isPlausible(text) else { return nil }
    return finding("\(key) is a secret", help: "remove it, and have it replaced: it is known now", at: place)
  }
}
