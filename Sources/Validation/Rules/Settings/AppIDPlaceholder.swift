import AppRegistration

struct AppIDPlaceholder: LoadingRule {
  let rule = SettingsRule.appIDPlaceholder
}
