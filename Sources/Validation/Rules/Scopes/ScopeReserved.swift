import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ScopeReserved: LoadingRule {
  let rule = SettingsRule.scopeReserved
  let words = "a scope is asked for that MSAL adds itself"
  let help = """
    MSAL adds openid, profile and offline_access to every request and refuses to be given them (-42000). email may be asked for.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read, 1️⃣offline_access]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    """#

  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let list = file.scopeLists.first(where: { $0.scopes.contains { $0.place.span == finding.place.span } }) else {
      return nil
    }
    return list.removing({ ScopeRules.isReserved(list.scopes[$0].value) }, "remove what MSAL adds itself")
  }
}
