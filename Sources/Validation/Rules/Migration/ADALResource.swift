import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ADALResource: Rule {
  let id = "adal-resource"
  let severity = Diagnostic.Severity.warning
  let words = "a resource is named, as ADAL wanted it, in place of scopes"
  let help = """
    ADAL asked for a token for a resource, MSAL asks for scopes. Everything that was granted to the app for a resource is the scope \
    <resource>/.default. Where the resource's own identifier ends with a slash, two stand in a row (https://contoso.com//.default),
    because the service takes exactly one away. Newer code names single permissions, so that people consent to what is needed only.
    """
  let bad: RuleExample = #"""
    clientId: 6731de76-14a6-49ae-97bc-6eba6914391e
    1️⃣resourceId: https://api.contoso.com/
    """#
  let good: RuleExample = #"""
    clientId: 6731de76-14a6-49ae-97bc-6eba6914391e
    scopes: [https://api.contoso.com//.default]
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings, let root = file.node, let (key, value) = ADALKeys.resource(in: root),
      let resource = value.string, !ADALKeys.isAzureADGraph(resource)
    else { return [] }
    let scope = Self.scope(for: resource)
    let hasScopes = file.loadedSettings.contains { $0.settings.scopes != nil }
    return [
      finding(
        "MSAL asks for scopes, not for a resource",
        help: hasScopes
          ? "remove it: the file names scopes already"
          : "write a list of scopes in its place: \(scope.map { "\($0), or " } ?? "")the permissions by name",
        at: key.place, fix: hasScopes ? nil : scope.flatMap { Self.fix(key, value, $0) })
    ]
  }

  /// The scope that stands for a resource as a whole; nil for a text that is still to be filled in.
  static func scope(for resource: String) -> String? {
    let text = resource.trimmingWhiteSpace
    guard !text.isEmpty, !text.contains(where: \.isWhitespace), TemplatePlaceholder.find(in: text) == nil,
      !Definitions.holdsReference(text)
    else { return nil }
    // Graph goes by its name with and without the slash.
    if text.hasSuffix("/"), let host = URLParts(text)?.host, Cloud.withGraph(host: host) != nil {
      return "https://\(host)/.default"
    }
    return "\(text)/.default"
  }

  private static func fix(_ key: Node, _ value: Node, _ scope: String) -> Diagnostic.Fix? {
    let isLowerCase = key.string?.first?.isLowercase == true
    guard let name = TextEdits.replaceKey(key, with: isLowerCase ? "scopes" : "Scopes"),
      let list = TextEdits.replaceValue(value, with: .array([.string(scope)]))
    else { return nil }
    return Diagnostic.Fix(description: "ask for the scope \(scope)", edits: name + list)
  }
}
