import AppRegistration

struct RedirectInvalid: LoadingRule {
  let rule = SettingsRule.redirectInvalid
  let words = "no broker could answer to the redirect URI"
  let help = """
    For accounts of organisations MSAL insists on msauth.<bundle id>://auth, so that Authenticator or Company Portal can answer; with any
    other it makes no application object (-42011). BypassRedirectURIValidation turns the check off, and the broker with it.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BundleId: com.contoso.app
    RedirectUri: 1️⃣http://localhost
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BundleId: com.contoso.app
    RedirectUri: msauth.com.contoso.app://auth
    """#
}
