import AppRegistration

struct ScopesEmpty: LoadingRule {
  let rule = SettingsRule.scopesEmpty
}
