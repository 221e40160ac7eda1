import AppRegistration

struct AppIDMissing: LoadingRule {
  let rule = SettingsRule.appIDMissing
}
