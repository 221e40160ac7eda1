import AppRegistration

struct ScopeClientID: LoadingRule {
  let rule = SettingsRule.scopeClientID
}
