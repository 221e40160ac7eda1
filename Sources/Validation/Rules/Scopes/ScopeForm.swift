import AppRegistration

struct ScopeForm: LoadingRule {
  let rule = SettingsRule.scopeForm
  let words = "a scope is not one word"
  let help = """
    Scopes travel separated by spaces, so a blank inside one makes two of it.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [1️⃣User.Read Mail.Read]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: User.Read Mail.Read
    """#
}
