import AppRegistration

struct AppIDPlaceholder: LoadingRule {
  let rule = SettingsRule.appIDPlaceholder
  let words = "AppId is still what the sample said"
  let help = """
    Samples ship with words like YOUR_APP_ID_HERE where the client id belongs. The service would answer AADSTS700016 on a page that
    never returns to the app.
    """
  let bad: RuleExample = #"""
    AppId: 1️⃣YOUR_APP_ID_HERE
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    """#
}
