import AppRegistration
import Diagnostics

struct BundleIDMalformed: LoadingRule {
  let rule = SettingsRule.bundleIDMalformed
  let severity = Diagnostic.Severity.warning
}
