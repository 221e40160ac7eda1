import Diagnostics
import Documents
import IdentityPlatform

struct ScopesMultipleResources: Rule {
  let id = "scopes-multiple-resources"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeUses.compactMap { use in
      guard let first = use.list.scopes.lazy.compactMap({ Self.resource(of: $0.value) }).first,
        let own = Self.resource(of: use.scope),
        own != first
      else { return nil }
      return finding(
        "scope `\(use.scope)` belongs to a different resource than the first scope",
        help: "acquire a token for each resource",
        at: use.place)
    }
  }

  /// Returns the resource to which a scope belongs. All identifiers of Microsoft Graph count as the same resource.
  private static func resource(of scope: String) -> String? {
    ScopeRules.isGraph(scope) ? "graph" : ScopeRules.resource(of: scope)?.lowercased()
  }
}
