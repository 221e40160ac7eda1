import AppRegistration

struct TestServerSecret: LoadingRule {
  let rule = SettingsRule.testServerSecret
  let words = "a client secret is given for an authority that is no test server"
  let help = """
    Public test servers want a client secret from everybody; TestServerClientSecret is for those, with AuthorityType: oidc. At
    Microsoft a public client has none, and a secret that an app carries is known to everybody. Its line is not shown.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: 1️⃣https://login.microsoftonline.com/common
    TestServerClientSecret: fake-secret
    """#
  let good: RuleExample = #"""
    AppId: app
    Authority: https://op.example.org
    AuthorityType: oidc
    TestServerClientSecret: fake-secret
    """#
}
