import AppRegistration
import Diagnostics
import IdentityPlatform

struct AppIDNotGUID: LoadingRule {
  let rule = SettingsRule.appIDNotGUID

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    GUIDText.hidden(in: value)
  }
}
