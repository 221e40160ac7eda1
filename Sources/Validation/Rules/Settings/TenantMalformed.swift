import AppRegistration
import Diagnostics

struct TenantMalformed: LoadingRule {
  let rule = SettingsRule.tenantMalformed

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = value.trimmingWhiteSpace
    return trimmed.isEmpty || trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
