import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct SecretCommitted: Rule {
  let id = "secret-committed"
  let severity = Diagnostic.Severity.warning
  let words = "a secret stands in the settings"
  let help = """
    Whoever has the file has the secret: a client secret, or a key in a URL's query. A public client needs no secret at all; a key \
    belongs where the app can be asked to prove itself first.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    ClientSecret: 1️⃣Zm9vYmFyYmF6cXV1eA
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind.holdsSettings, let root = file.node else { return [] }
    return find(in: root)
  }

  private func find(in node: Node) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for element in node.elements { findings += find(in: element) }
    for (key, value) in node.entries {
      let name = key.string?.lowercased().filter { $0 != "_" && $0 != "-" } ?? ""
      guard let text = value.string, !text.isEmpty else {
        findings += find(in: value)
        continue
      }
      guard Placeholder.find(in: text) == nil, !Definitions.holdsReference(text) else { continue }
      // The one for public test servers is judged where the settings are loaded.
      if name == "testserverclientsecret" { continue }
      if name.hasSuffix("clientsecret") || name == "password" || name.hasSuffix("privatekey") {
        findings.append(
          finding(
            "\(key.string ?? "this") is a secret", help: "remove it, and have it replaced: it is known now",
            at: value.place))
      } else if let parameter = Self.keyInQuery(of: text) {
        findings.append(
          finding(
            "the URL carries a key in its query (\(parameter)=…)",
            help: "leave it out of the file, and have it replaced: it is known now", at: value.place))
      }
    }
    return findings
  }

  /// The parameter of a URL that is a key: a function's `code`, a signature, or the like.
  private static func keyInQuery(of text: String) -> String? {
    guard text.contains("://"), let query = URLParts(text)?.query else { return nil }
    let keys: Set<String> = [
      "code", "sig", "key", "apikey", "api_key", "subscription-key", "client_secret", "access_token",
    ]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2, keys.contains(parts[0].lowercased()), parts[1].count >= 16 { return String(parts[0]) }
    }
    return nil
  }
}
