import AppRegistration

struct KnownAuthorityMalformed: LoadingRule {
  let rule = SettingsRule.knownAuthorityMalformed
  let words = "an entry of KnownAuthorities is not an authority"
  let help = """
    MSAL for iOS and macOS compares whole authorities by kind and URL. A bare host, as other platforms list it, matches nothing.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    KnownAuthorities: [1️⃣http://login.contoso.com/common]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    KnownAuthorities: [https://login.contoso.com/common]
    """#
}
