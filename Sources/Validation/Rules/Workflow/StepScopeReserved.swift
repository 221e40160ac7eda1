import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct StepScopeReserved: Rule {
  let id = "step-scope-reserved"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.workflow != nil else { return [] }
    let settings = project.settings(of: file).compactMap(\.resolved)
    let rejectedIDs = settings.filter { ScopeRules.rejectsClientID($0.authority.kind) }.map(\.clientID)
    // ScopeReserved and ScopeClientID check the scopes in the settings.
    let own = Set(file.loadedSettings.compactMap { $0.settings.scopes?.value }.joined().compactMap(\.place.span))
    return file.scopeUses.compactMap { use in
      if let span = use.place.span, own.contains(span) { return nil }
      if ScopeRules.isReserved(use.scope) {
        return finding(
          "MSAL adds `\(use.scope)` automatically and rejects it as a scope", help: "remove it", at: use.place,
          fix: use.list.removing(
            { ScopeRules.isReserved(use.list.scopes[$0].value) }, "remove scopes that MSAL adds automatically"))
      }
      guard rejectedIDs.contains(use.scope) else { return nil }
      return finding(
        "client ID as a scope is supported only with B2C", help: "request a scope of an API", at: use.place)
    }
  }
}
