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
        "\(use.scope) is for another resource than the scopes before it", help: "acquire a token for each resource",
        at: use.place)
    }
  }

  /// All of Graph's names for itself are one.
  private static func resource(of scope: String) -> String? {
    ScopeRules.isGraph(scope) ? "graph" : ScopeRules.resource(of: scope)?.lowercased()
  }
}
