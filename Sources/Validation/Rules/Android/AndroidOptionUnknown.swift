import AppRegistration
import Diagnostics
import Documents

struct AndroidOptionUnknown: Rule {
  let id = "android-option-unknown"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig else { return [] }
    let options: [(Positioned<String>?, String, [String])] = [
      (config.userAgent, "authorization_user_agent", ["DEFAULT", "BROWSER", "WEBVIEW"]),
      (config.environment, "environment", ["Production", "PreProduction"]),
      (config.logLevel, "log_level", ["ERROR", "WARNING", "INFO", "VERBOSE"]),
    ]
    return options.flatMap { value, key, allowed in
      value.map { unknownValue($0, key, among: allowed, in: file) } ?? []
    }
  }
}
