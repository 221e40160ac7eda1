import AppRegistration

struct PolicyMissing: LoadingRule {
  let rule = SettingsRule.policyMissing
  let words = "a B2C authority names no user flow"
  let help = """
    Azure AD B2C signs in through a user flow (policy), which stands in the path after the tenant.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: 1️⃣https://contoso.b2clogin.com/contoso.onmicrosoft.com
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin
    ValidateAuthority: false
    """#
}
