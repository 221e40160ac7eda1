import AppRegistration
import Diagnostics

struct TenantMalformed: LoadingRule {
  let rule = SettingsRule.tenantMalformed

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = written.trimmingWhiteSpace
    return trimmed.isEmpty || trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
