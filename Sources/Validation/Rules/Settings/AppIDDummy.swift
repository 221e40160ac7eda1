import AppRegistration
import Diagnostics

struct AppIDDummy: LoadingRule {
  let rule = SettingsRule.appIDDummy
  let severity = Diagnostic.Severity.warning
  let words = "AppId looks made up"
  let help = """
    One digit all along, or the digits in order: such GUIDs are written by hand to stand for a real one. The embedded platform
    registers any, the real service knows none.
    """
  let bad: RuleExample = #"""
    AppId: 1️⃣11111111-1111-1111-1111-111111111111
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    """#
}
