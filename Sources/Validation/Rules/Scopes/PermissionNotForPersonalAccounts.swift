import AppRegistration
import Diagnostics
import IdentityPlatform

struct PermissionNotForPersonalAccounts: Rule {
  let id = "permission-not-for-personal-accounts"
  let severity = Diagnostic.Severity.warning
  let words = "a scope is asked of personal accounts that they cannot grant"
  let help = """
    Under the consumers authority only personal accounts sign in, and they have no teams, groups or directory. The sign-in ends at \
    the consent page.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: https://login.microsoftonline.com/consumers
    GraphScopes: [1️⃣Chat.Read]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: https://login.microsoftonline.com/consumers
    GraphScopes: [Mail.Read]
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard project.settings(of: file).contains(where: { $0.resolved?.authority.tenant == .consumers }) else { return [] }
    return file.scopeUses.compactMap { use in
      guard ScopeRules.isGraph(use.scope), let permission = GraphPermission.named(ScopeRules.permission(of: use.scope)),
        !permission.allowsPersonalAccounts
      else { return nil }
      return finding(
        "personal accounts cannot use \(permission.name)", help: "remove it, or let organizations sign in",
        at: use.place)
    }
  }
}
