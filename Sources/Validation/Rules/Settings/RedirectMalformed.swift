import AppRegistration
import Diagnostics

struct RedirectMalformed: LoadingRule {
  let rule = SettingsRule.redirectMalformed

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = value.trimmingWhiteSpace
    return trimmed.isEmpty || trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
