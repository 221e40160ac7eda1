import AppRegistration
import Diagnostics

struct AuthorityHTTP: LoadingRule {
  let rule = SettingsRule.authorityHTTP
  let words = "the authority is spoken to without TLS"
  let help = """
    Passwords, codes and tokens would travel in the clear, so MSAL takes https only. An issuer of your own may use http on this
    machine, with AuthorityType: oidc.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: 1️⃣http://login.microsoftonline.com/common
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: https://login.microsoftonline.com/common
    """#

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    written.lowercased().hasPrefix("http://") ? "https://\(written.dropFirst("http://".count))" : nil
  }
}
