import AppRegistration
import Diagnostics
import Documents

struct AzureADGraphRetired: Rule {
  let id = "azure-ad-graph-retired"
  let severity = Diagnostic.Severity.warning
  let words = "Azure AD Graph is named, which is retired"
  let help = """
    Microsoft Graph has taken the place of Azure AD Graph (graph.windows.net), which answers no more. No fix is offered, because \
    permissions and calls have other names there: register Microsoft Graph's permissions, ask for those by name, and call
    graph.microsoft.com.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [1️⃣https://graph.windows.net/User.Read]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings || file.kind == .appsettings || file.kind == .workflow, let root = file.node else {
      return []
    }
    var places: [FileSpan] = []
    Self.search(root, &places)
    return places.map {
      finding(
        "Azure AD Graph is retired; Microsoft Graph takes its place",
        help: "ask for Microsoft Graph's permissions by name, such as User.Read", at: $0)
    }
  }

  private static func search(_ node: Node, _ places: inout [FileSpan]) {
    if let text = node.string, ADALKeys.isAzureADGraph(text) { places.append(node.place) }
    for element in node.elements { search(element, &places) }
    for (_, value) in node.entries { search(value, &places) }
  }
}
