import AppRegistration
import Diagnostics

struct AuthorityMalformed: LoadingRule {
  let rule = SettingsRule.authorityMalformed

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = value.trimmingWhiteSpace
    return trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
