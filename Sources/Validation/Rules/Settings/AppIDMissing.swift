import AppRegistration

struct AppIDMissing: LoadingRule {
  let rule = SettingsRule.appIDMissing
  let words = "AppId is missing or empty"
  let help = """
    MSAL makes no application object without a client id (-42000). It stands on the overview page of the app registration as
    Application (client) ID.
    """
  let bad: RuleExample = #"""
    AppId: 1️⃣''
    GraphScopes: [User.Read]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    """#
}
