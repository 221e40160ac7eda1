import DeclaredFields
import Diagnostics
import IdentityPlatform

struct DefaultScopeMixed: Rule {
  let id = "default-scope-mixed"
  let severity = Diagnostic.Severity.error
  let words = ".default is asked for together with single permissions of the same resource"
  let help = """
    .default stands for everything that the registration lists for the resource, so it cannot be combined with permissions by name \
    (AADSTS70011).
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [Mail.Read, 1️⃣https://graph.microsoft.com/.default]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [https://graph.microsoft.com/.default]
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeUses.compactMap { use in
      guard ScopeRules.permission(of: use.scope) == ".default" else { return nil }
      let named = use.list.scopes.lazy.map(\.value).first { other in
        guard ScopeRules.permission(of: other) != ".default", let resource = ScopeRules.resource(of: other) else {
          return false
        }
        return ScopeRules.isGraph(use.scope)
          ? ScopeRules.isGraph(other) : resource == ScopeRules.resource(of: use.scope)
      }
      guard let named else { return nil }
      return finding(
        ".default cannot be combined with \(named) of the same resource", help: "keep one of the two",
        at: use.place)
    }
  }
}
