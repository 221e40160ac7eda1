import AppRegistration
import Diagnostics

struct AuthorityMalformed: LoadingRule {
  let rule = SettingsRule.authorityMalformed
  let words = "the authority is not one"
  let help = """
    An authority is https://<host>/<tenant>. Without a tenant MSAL cannot tell whose accounts may sign in, and refuses the URL.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: 1️⃣https://login.microsoftonline.com/
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: https://login.microsoftonline.com/common
    """#

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let trimmed = written.trimmingWhiteSpace
    return trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}
