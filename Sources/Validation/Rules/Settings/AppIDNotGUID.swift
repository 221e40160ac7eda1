import AppRegistration
import Diagnostics
import IdentityPlatform

struct AppIDNotGUID: LoadingRule {
  let rule = SettingsRule.appIDNotGUID
  let words = "AppId is not a GUID although the authority is Microsoft's"
  let help = """
    Microsoft's client ids are GUIDs. Another text is a name, a secret, or the id of something else, and signing in ends with
    AADSTS700016.
    """
  let bad: RuleExample = #"""
    AppId: 1️⃣my-app
    GraphScopes: [User.Read]
    """#
  let good: RuleExample = #"""
    AppId: my-app
    Authority: https://id.example.org
    AuthorityType: oidc
    """#

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    GUIDText.hidden(in: written)
  }
}
