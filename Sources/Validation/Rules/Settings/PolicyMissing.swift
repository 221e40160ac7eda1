import AppRegistration

struct PolicyMissing: LoadingRule {
  let rule = SettingsRule.policyMissing
}
