import AppRegistration

struct ScopeClientID: LoadingRule {
  let rule = SettingsRule.scopeClientID
  let words = "the client id is asked for as scope"
  let help = """
    That is how a B2C app asks for a token for itself; with any other authority MSAL refuses it (-42000).
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [1️⃣6731de76-14a6-49ae-97bc-6eba6914391e]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [api://6731de76-14a6-49ae-97bc-6eba6914391e/read]
    """#
}
