import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidAccountMode: Rule {
  let id = "android-account-mode"
  let severity = Diagnostic.Severity.warning
  let words = "account_mode is neither SINGLE nor MULTIPLE"
  let help = """
    MSAL for Android passes over a value that it does not know and works with several accounts; an app that asks for \
    a single account is then refused. Capital letters count.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "account_mode": "1️⃣single"
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "account_mode": "SINGLE"
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let mode = file.androidConfig?.accountMode else { return [] }
    return unknownWord(mode, "account_mode", among: ["SINGLE", "MULTIPLE"], in: file)
  }
}
