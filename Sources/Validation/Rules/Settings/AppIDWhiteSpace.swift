import AppRegistration
import Diagnostics

struct AppIDWhiteSpace: LoadingRule {
  let rule = SettingsRule.appIDWhiteSpace

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    value.trimmingWhiteSpace
  }
}
