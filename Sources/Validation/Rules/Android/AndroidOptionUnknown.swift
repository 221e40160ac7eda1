import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidOptionUnknown: Rule {
  let id = "android-option-unknown"
  let severity = Diagnostic.Severity.warning
  let words = "an option of MSAL for Android has a value that MSAL does not know"
  let help = """
    authorization_user_agent is DEFAULT, BROWSER or WEBVIEW; environment is Production or PreProduction; logging.log_level is ERROR, \
    WARNING, INFO or VERBOSE. MSAL passes over any other word, capital letters count, and its default holds.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorization_user_agent": "1️⃣WebView"
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorization_user_agent": "WEBVIEW"
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig else { return [] }
    let options: [(Positioned<String>?, String, [String])] = [
      (config.userAgent, "authorization_user_agent", ["DEFAULT", "BROWSER", "WEBVIEW"]),
      (config.environment, "environment", ["Production", "PreProduction"]),
      (config.logLevel, "log_level", ["ERROR", "WARNING", "INFO", "VERBOSE"]),
    ]
    return options.flatMap { value, key, words in value.map { unknownWord($0, key, among: words, in: file) } ?? [] }
  }
}
