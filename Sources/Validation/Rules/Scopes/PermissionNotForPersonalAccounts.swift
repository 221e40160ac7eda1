import AppRegistration
import Diagnostics
import IdentityPlatform

struct PermissionNotForPersonalAccounts: Rule {
  let id = "permission-not-for-personal-accounts"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard project.settings(of: file).contains(where: { $0.resolved?.authority.tenant == .consumers }) else { return [] }
    return file.scopeUses.compactMap { use in
      guard ScopeRules.isGraph(use.scope), let permission = GraphPermission.named(ScopeRules.permission(of: use.scope)),
        !permission.allowsPersonalAccounts
      else { return nil }
      return finding(
        "personal accounts cannot use `\(permission.name)`", help: "remove it, or allow work and school accounts",
        at: use.place)
    }
  }
}
