import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ScopeReserved: LoadingRule {
  let rule = SettingsRule.scopeReserved

  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let list = file.scopeLists.first(where: { $0.scopes.contains { $0.place.span == finding.place.span } }) else {
      return nil
    }
    return list.removing({ ScopeRules.isReserved(list.scopes[$0].value) }, "remove scopes that MSAL adds automatically")
  }
}
