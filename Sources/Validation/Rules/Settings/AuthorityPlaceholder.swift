import AppRegistration

struct AuthorityPlaceholder: LoadingRule {
  let rule = SettingsRule.authorityPlaceholder
  let words = "the authority or tenant is still what the sample said"
  let help = """
    Samples leave words like <tenant> or Enter_the_Tenant_Info_Here where a tenant id or domain belongs.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    TenantId: 1️⃣Enter_the_Tenant_Info_Here
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    TenantId: contoso.onmicrosoft.com
    """#
}
