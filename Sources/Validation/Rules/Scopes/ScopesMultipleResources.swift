import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ScopesMultipleResources: Rule {
  let id = "scopes-multiple-resources"
  let severity = Diagnostic.Severity.warning
  let words = "one request asks for scopes of several resources"
  let help = """
    An access token is for one resource, so the token request fails (AADSTS28000). Acquire a token for each resource; further \
    scopes can be consented to on the way with extraScopesToConsent.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read, 1️⃣https://vault.azure.net/user_impersonation]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read, https://graph.microsoft.com/Mail.Read]
    """#

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
