import AppRegistration
import Diagnostics

struct RedirectBypassed: LoadingRule {
  let rule = SettingsRule.redirectBypassed
  let severity = Diagnostic.Severity.warning
  let words = "redirect validation is bypassed, and no redirect URI is named"
  let help = """
    MSAL makes its default redirect URI while it validates. Without validation there is only the one that the settings name; an
    interactive request without one ends in invalidParameter (-42000).
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BypassRedirectURIValidation: 1️⃣true
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BypassRedirectURIValidation: true
    RedirectUri: http://localhost
    """#
}
