import AppRegistration
import Diagnostics

struct TenantMalformed: LoadingRule {
  let rule = SettingsRule.tenantMalformed
  let words = "TenantId is neither a GUID nor a domain"
  let help = """
    A tenant is named by its id or by one of its domains; an empty one would sign in to nowhere (AADSTS900023).
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    TenantId: 1️⃣''
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    TenantId: contoso.onmicrosoft.com
    """#

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = written.trimmingWhiteSpace
    return trimmed.isEmpty || trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
