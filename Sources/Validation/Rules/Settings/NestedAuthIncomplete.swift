import AppRegistration
import Diagnostics

struct NestedAuthIncomplete: LoadingRule {
  let rule = SettingsRule.nestedAuthIncomplete
  let severity = Diagnostic.Severity.warning
}
