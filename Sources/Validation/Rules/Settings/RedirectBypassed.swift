import AppRegistration
import Diagnostics

struct RedirectBypassed: LoadingRule {
  let rule = SettingsRule.redirectBypassed
  let severity = Diagnostic.Severity.warning
}
