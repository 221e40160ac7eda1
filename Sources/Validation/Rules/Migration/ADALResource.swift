import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct ADALResource: Rule {
  let id = "adal-resource"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings, let root = file.node, let (key, value) = ADALKeys.resource(in: root),
      let resource = value.string, !ADALKeys.isAzureADGraph(resource)
    else { return [] }
    let scope = Self.scope(for: resource)
    let hasScopes = file.loadedSettings.contains { $0.settings.scopes != nil }
    return [
      finding(
        "MSAL requests scopes, not resources",
        help: hasScopes
          ? "remove it: the file already lists scopes"
          : "replace it with a list of scopes: \(scope.map { "`\($0)`, or " } ?? "")individual permissions",
        at: key.place, fix: hasScopes ? nil : scope.flatMap { Self.fix(key, value, $0) })
    ]
  }

  /// Returns the scope that requests all permissions for a resource, or nil for a placeholder.
  static func scope(for resource: String) -> String? {
    let text = resource.trimmingWhiteSpace
    guard !text.isEmpty, !text.contains(where: \.isWhitespace), TemplatePlaceholder.find(in: text) == nil,
      !Definitions.containsReference(text)
    else { return nil }
    // Microsoft Graph accepts its identifier with or without the trailing slash.
    if text.hasSuffix("/"), let host = URLReference(valid: text)?.host, Cloud.withGraph(host: host) != nil {
      return "https://\(host)/.default"
    }
    return "\(text)/.default"
  }

  private static func fix(_ key: Node, _ value: Node, _ scope: String) -> Diagnostic.Fix? {
    let isLowerCase = key.string?.first?.isLowercase == true
    guard let name = TextEdits.replaceKey(key, with: isLowerCase ? "scopes" : "Scopes"),
      let list = TextEdits.replaceValue(value, with: .array([.string(scope)]))
    else { return nil }
    return Diagnostic.Fix(description: "replace with the scope `\(scope)`", edits: name + list)
  }
}
