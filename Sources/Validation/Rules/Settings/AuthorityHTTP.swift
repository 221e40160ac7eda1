import AppRegistration
import Diagnostics

struct AuthorityHTTP: LoadingRule {
  let rule = SettingsRule.authorityHTTP

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    value.lowercased().hasPrefix("http://") ? "https://\(value.dropFirst("http://".count))" : nil
  }
}
