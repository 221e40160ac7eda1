import AppRegistration
import Diagnostics
import IdentityPlatform

struct GraphEndpointMalformed: LoadingRule {
  let rule = SettingsRule.graphEndpointMalformed
  let words = "GraphEndpoint is not the address of a Graph"
  let help = """
    The bearer token goes to this host, so it must be https (http on this machine only). The version belongs to each call.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphEndpoint: 1️⃣http://graph.microsoft.com
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphEndpoint: https://graph.microsoft.com
    """#

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    var text = written[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    for version in ["/v1.0", "/beta"] where text.hasSuffix(version) { text = text.dropLast(version.count) }
    if text.lowercased().hasPrefix("http://"), Cloud.withGraph(host: URLParts(text)?.host ?? "") != nil {
      text = "https://\(text.dropFirst("http://".count))"
    }
    return String(text)
  }
}
