import Diagnostics
import Documents
import IdentityPlatform

struct DefaultScopeMixed: Rule {
  let id = "default-scope-mixed"
  let severity = Diagnostic.Severity.error

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
        "`.default` cannot be combined with `\(named)` for the same resource", help: "remove one of them",
        at: use.place)
    }
  }
}
