import AppRegistration
import Diagnostics

struct AppIDWhiteSpace: LoadingRule {
  let rule = SettingsRule.appIDWhiteSpace
  let words = "AppId has white space around it"
  let help = """
    A line end or blank that was copied along becomes part of the client id, and the service knows no such app. In a property list it
    hides easily, because <string> keeps every character.
    """
  let bad: RuleExample = #"""
    AppId: 1️⃣"6731de76-14a6-49ae-97bc-6eba6914391e\n"
    """#
  let good: RuleExample = #"""
    AppId: "6731de76-14a6-49ae-97bc-6eba6914391e"
    """#

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    written.trimmingWhiteSpace
  }
}
