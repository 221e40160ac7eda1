import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct StepScopeReserved: Rule {
  let id = "step-scope-reserved"
  let severity = Diagnostic.Severity.error
  let words = "a step asks for a scope that MSAL refuses"
  let help = """
    MSAL adds openid, profile and offline_access to every request and refuses to be given them; the client id as scope works with B2C \
    only. The step's outcome would be invalidParameter.
    """
  let bad: RuleExample = #"""
    authflow: 1
    settings: { AppId: 6731de76-14a6-49ae-97bc-6eba6914391e }
    steps:
      - loadAccount
      - silent
      - interactive-fallback: { scopes: [User.Read, 1️⃣openid] }
    """#
  let good: RuleExample = #"""
    authflow: 1
    settings: { AppId: 6731de76-14a6-49ae-97bc-6eba6914391e }
    steps:
      - loadAccount
      - silent
      - interactive-fallback: { scopes: [User.Read] }
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.workflow != nil else { return [] }
    let settings = project.settings(of: file).compactMap(\.resolved)
    let refusedIDs = settings.filter { ScopeRules.refusesClientID($0.authority.kind) }.map(\.clientID)
    // The settings' own scopes have been judged where they stand.
    let own = Set(file.loadedSettings.compactMap { $0.settings.scopes?.value }.joined().compactMap(\.place.span))
    return file.scopeUses.compactMap { use in
      if let span = use.place.span, own.contains(span) { return nil }
      if ScopeRules.isReserved(use.scope) {
        return finding(
          "\(use.scope) may not be asked for: MSAL adds it itself", help: "remove it", at: use.place,
          fix: use.list.removing({ ScopeRules.isReserved(use.list.scopes[$0].value) }, "remove what MSAL adds itself"))
      }
      guard refusedIDs.contains(use.scope) else { return nil }
      return finding(
        "the client id is no scope; that works with B2C only", help: "ask for an API's scope", at: use.place)
    }
  }
}
