import AppRegistration
import Diagnostics

struct RedirectMalformed: LoadingRule {
  let rule = SettingsRule.redirectMalformed

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = written.trimmingWhiteSpace
    return trimmed.isEmpty || trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
