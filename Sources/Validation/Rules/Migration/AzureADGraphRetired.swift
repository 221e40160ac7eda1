import AppRegistration
import Diagnostics
import Documents

struct AzureADGraphRetired: Rule {
  let id = "azure-ad-graph-retired"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings || file.kind == .appsettings || file.kind == .workflow, let root = file.node else {
      return []
    }
    var places: [FileSpan] = []
    Self.search(root, &places)
    return places.map {
      finding(
        "Azure AD Graph has been shut down", help: "request Microsoft Graph permissions by name, such as `User.Read`",
        at: $0)
    }
  }

  private static func search(_ node: Node, _ places: inout [FileSpan]) {
    if let text = node.string, ADALKeys.isAzureADGraph(text) { places.append(node.place) }
    for element in node.elements { search(element, &places) }
    for (_, value) in node.entries { search(value, &places) }
  }
}
