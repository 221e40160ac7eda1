import AppRegistration

struct ScopesEmpty: LoadingRule {
  let rule = SettingsRule.scopesEmpty
  let words = "the list of scopes is empty"
  let help = """
    A token is always for something. Leave the key out for User.Read, or name what the app needs.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: 1️⃣[]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    """#
}
