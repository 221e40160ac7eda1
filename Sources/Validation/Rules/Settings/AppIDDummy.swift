import AppRegistration
import Diagnostics

struct AppIDDummy: LoadingRule {
  let rule = SettingsRule.appIDDummy
  let severity = Diagnostic.Severity.warning
}
