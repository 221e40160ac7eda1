import AppRegistration
import Diagnostics

struct AuthorityMalformed: LoadingRule {
  let rule = SettingsRule.authorityMalformed

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = written.trimmingWhiteSpace
    return trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
