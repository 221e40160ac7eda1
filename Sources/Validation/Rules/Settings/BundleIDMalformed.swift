import AppRegistration
import Diagnostics

struct BundleIDMalformed: LoadingRule {
  let rule = SettingsRule.bundleIDMalformed
  let severity = Diagnostic.Severity.warning
  let words = "a bundle id holds a character that Apple does not allow"
  let help = """
    Letters, digits, - and . only. The id becomes part of a URL scheme, where others cannot stand.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BundleId: 1️⃣com.contoso.my_app
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BundleId: com.contoso.my-app
    """#
}
