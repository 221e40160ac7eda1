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
