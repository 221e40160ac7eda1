import AppRegistration
import Diagnostics

struct NestedAuthIncomplete: LoadingRule {
  let rule = SettingsRule.nestedAuthIncomplete
  let severity = Diagnostic.Severity.warning
  let words = "nested authentication is half configured"
  let help = """
    An app that runs inside another needs that app's client id and its redirect URI; with one of them MSAL ignores both.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    NestedAuthBrokerClientId: 1️⃣6731de76-14a6-49ae-97bc-6eba6914391e
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    NestedAuthBrokerClientId: 6731de76-14a6-49ae-97bc-6eba6914391e
    NestedAuthBrokerRedirectUri: brk://outer
    """#
}
