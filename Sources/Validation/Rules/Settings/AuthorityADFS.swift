import AppRegistration

struct AuthorityADFS: LoadingRule {
  let rule = SettingsRule.authorityADFS
}
