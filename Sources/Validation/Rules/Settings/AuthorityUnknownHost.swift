import AppRegistration
import Diagnostics

struct AuthorityUnknownHost: LoadingRule {
  let rule = SettingsRule.authorityUnknownHost
  let severity = Diagnostic.Severity.warning
}
