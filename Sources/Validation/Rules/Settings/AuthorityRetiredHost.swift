import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AuthorityRetiredHost: Rule {
  let id = "authority-retired-host"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.loadedSettings.flatMap { loaded -> [Diagnostic] in
      let settings = loaded.settings
      var findings: [Diagnostic] = []
      for text in [settings.authority, settings.graphEndpoint].compactMap({ $0 }) {
        guard let host = URLReference(valid: text.value)?.host, let successor = Self.successors[host] else {
          continue
        }
        findings.append(
          finding(
            "`\(host)` was shut down in 2021", help: "replace it with `\(successor)`", at: text.place,
            fix: Self.fix(host, successor, in: text.value, at: text.place, in: file)))
      }
      if let cloud = settings.cloud, cloud.value == .germany {
        findings.append(
          finding("the German cloud was shut down in 2021", help: "use the public cloud", at: cloud.place))
      }
      return findings
    }
  }

  private static let successors = [
    "login.microsoftonline.de": "login.microsoftonline.com", "graph.microsoft.de": "graph.microsoft.com",
  ]

  private static func fix(
    _ host: String, _ successor: String, in text: String, at place: FileSpan, in file: ValidatedFile
  ) -> Diagnostic.Fix? {
    guard let node = file.node(at: place), node.string == text, text.contains(host) else { return nil }
    let edits = TextEdits.replaceValue(node, with: text.replacing(host, with: successor))
    return edits.map { Diagnostic.Fix(description: "replace with `\(successor)`", edits: $0) }
  }
}
