import AppRegistration

struct AppIDZero: LoadingRule {
  let rule = SettingsRule.appIDZero
}
