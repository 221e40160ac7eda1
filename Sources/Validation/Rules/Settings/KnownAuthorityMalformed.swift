import AppRegistration

struct KnownAuthorityMalformed: LoadingRule {
  let rule = SettingsRule.knownAuthorityMalformed
}
