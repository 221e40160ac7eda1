import AppRegistration

struct AuthorityContradiction: LoadingRule {
  let rule = SettingsRule.authorityContradiction
}
