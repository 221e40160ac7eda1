import AppRegistration

struct TestServerSecret: LoadingRule {
  let rule = SettingsRule.testServerSecret
}
