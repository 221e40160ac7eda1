import AppRegistration

struct AppIDZero: LoadingRule {
  let rule = SettingsRule.appIDZero
  let words = "AppId is the all-zero GUID"
  let help = """
    Nobody is given 00000000-0000-0000-0000-000000000000: it stands for a client id that was never filled in.
    """
  let bad: RuleExample = #"""
    AppId: 1️⃣00000000-0000-0000-0000-000000000000
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    """#
}
