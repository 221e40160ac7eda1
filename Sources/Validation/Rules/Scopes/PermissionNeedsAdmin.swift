import Diagnostics
import IdentityPlatform

struct PermissionNeedsAdmin: Rule {
  let id = "permission-needs-admin"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeUses.compactMap { use in
      guard ScopeRules.isGraph(use.scope), let permission = GraphPermission.named(ScopeRules.permission(of: use.scope)),
        permission.needsAdmin
      else { return nil }
      return finding(
        "only an administrator can consent to `\(permission.name)`",
        help: "request a less privileged permission if one is sufficient", at: use.place)
    }
  }
}
