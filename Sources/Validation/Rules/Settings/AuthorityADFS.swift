import AppRegistration

struct AuthorityADFS: LoadingRule {
  let rule = SettingsRule.authorityADFS
  let words = "the authority is an AD FS server"
  let help = """
    MSAL for iOS and macOS parses an AD FS authority and then refuses to make an application object with it.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: 1️⃣https://fs.contoso.com/adfs
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: https://login.microsoftonline.com/contoso.com
    """#
}
