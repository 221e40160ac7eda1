import AppRegistration
import Diagnostics

struct AuthorityHTTP: LoadingRule {
  let rule = SettingsRule.authorityHTTP

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    written.lowercased().hasPrefix("http://") ? "https://\(written.dropFirst("http://".count))" : nil
  }
}
