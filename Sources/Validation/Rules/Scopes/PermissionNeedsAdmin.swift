import Diagnostics
import IdentityPlatform

struct PermissionNeedsAdmin: Rule {
  let id = "permission-needs-admin"
  let severity = Diagnostic.Severity.note
  let words = "a scope is asked for that only an administrator can grant"
  let help = """
    A user who is no administrator meets "Need admin approval" (AADSTS90094) instead of the consent page. Where a lesser permission \
    will do, ask for that; otherwise have an administrator consent before the app is rolled out.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [1️⃣User.Read.All]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.ReadBasic.All]
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeUses.compactMap { use in
      guard ScopeRules.isGraph(use.scope), let permission = GraphPermission.named(ScopeRules.permission(of: use.scope)),
        permission.needsAdmin
      else { return nil }
      return finding(
        "only an administrator can consent to \(permission.name)",
        help: "ask for a lesser permission where one will do",
        at: use.place)
    }
  }
}
