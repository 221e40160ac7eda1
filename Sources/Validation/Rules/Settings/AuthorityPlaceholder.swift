import AppRegistration

struct AuthorityPlaceholder: LoadingRule {
  let rule = SettingsRule.authorityPlaceholder
}
