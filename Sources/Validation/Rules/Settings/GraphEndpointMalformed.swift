import AppRegistration
import Diagnostics
import Effects
import IdentityPlatform

struct GraphEndpointMalformed: LoadingRule {
  let rule = SettingsRule.graphEndpointMalformed

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    var text = value[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    for version in ["/v1.0", "/beta"] where text.hasSuffix(version) { text = text.dropLast(version.count) }
    if text.lowercased().hasPrefix("http://"), Cloud.withGraph(host: URLReference(valid: text)?.host ?? "") != nil {
      text = "https://\(text.dropFirst("http://".count))"
    }
    return String(text)
  }
}
