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
    let options: [(Located<String>?, String, [String])] = [
      (config.userAgent, "authorization_user_agent", ["DEFAULT", "BROWSER", "WEBVIEW"]),
      (config.environment, "environment", ["Production", "PreProduction"]),
      (config.logLevel, "log_level", ["ERROR", "WARNING", "INFO", "VERBOSE"]),
    ]
    return options.flatMap { value, key, words in value.map { unknownWord($0, key, among: words) } ?? [] }
  }
}

extension Rule {
  /// A finding about a word that is none of a few; with the right one as fix where only capitals or a letter differ.
  func unknownWord(_ value: Located<String>, _ key: String, among words: [String]) -> [Diagnostic] {
    guard !words.contains(value.value), !value.isReference else { return [] }
    let meant = words.first { $0.lowercased() == value.value.lowercased() }
    let near = meant ?? Suggestion.nearest(to: value.value, among: words)
    let whole = value.value[...]
    return [
      finding(
        "\(key) is \"\(value.value)\", which MSAL does not know",
        help: near.map { "did you mean \($0)?" } ?? "write \(words.joined(separator: " or "))",
        at: value.place(of: whole),
        fix: meant.flatMap { meant in
          value.span(of: whole).map {
            .init(description: "write \(meant)", edits: [.init(span: $0, replacement: meant)])
          }
        })
    ]
  }
}
