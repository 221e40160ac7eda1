import AppRegistration

struct AuthorityContradiction: LoadingRule {
  let rule = SettingsRule.authorityContradiction
  let words = "two keys answer the same question differently"
  let help = """
    Authority is the whole answer; Cloud, TenantId and Audience together are another way to give it. An audience for several
    organizations fixes the tenant segment itself, so a tenant beside it contradicts.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Audience: AzureADMultipleOrgs
    TenantId: 1️⃣contoso.com
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Audience: AzureADMyOrg
    TenantId: contoso.com
    """#
}
