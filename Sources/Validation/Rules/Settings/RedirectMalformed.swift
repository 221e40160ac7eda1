import AppRegistration
import Diagnostics

struct RedirectMalformed: LoadingRule {
  let rule = SettingsRule.redirectMalformed
  let words = "the redirect URI is not one"
  let help = """
    The answer comes back by this URI, so it needs a scheme, and on iOS it may hold no fragment.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    RedirectUri: 1️⃣''
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BundleId: com.contoso.app
    RedirectUri: msauth.com.contoso.app://auth
    """#

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = written.trimmingWhiteSpace
    return trimmed.isEmpty || trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
