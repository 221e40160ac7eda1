import AppRegistration
import Diagnostics

struct AppIDWhiteSpace: LoadingRule {
  let rule = SettingsRule.appIDWhiteSpace

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    written.trimmingWhiteSpace
  }
}
