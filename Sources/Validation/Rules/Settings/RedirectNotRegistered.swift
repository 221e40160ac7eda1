import AppRegistration

struct RedirectNotRegistered: LoadingRule {
  let rule = SettingsRule.redirectNotRegistered
  let words = "the Info.plist does not register the redirect URI's scheme"
  let help = """
    On iOS the scheme must stand in CFBundleURLTypes, and msauthv2 and msauthv3 in LSApplicationQueriesSchemes where a broker may
    answer; otherwise MSAL makes no application object (-42001).
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Platform: iOS
    BundleId: com.contoso.app
    RedirectUri: 1️⃣contoso
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Platform: iOS
    BundleId: com.contoso.app
    """#
}
