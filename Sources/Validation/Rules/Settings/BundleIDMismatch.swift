import AppRegistration
import DeclaredFields
import Diagnostics

struct BundleIDMismatch: LoadingRule {
  let rule = SettingsRule.bundleIDMismatch
  let severity = Diagnostic.Severity.warning
  let words = "settings and Info.plist name different bundle ids"
  let help = """
    MSAL takes the running app's own bundle id, letter by letter, so a redirect URI made of another never comes back.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    InfoPlist: Info.plist
    BundleId: 1️⃣com.contoso.App
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    InfoPlist: Info.plist
    BundleId: com.contoso.app
    """#

  /// Where the case alone differs, the Info.plist is right.
  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let registered = file.loadedSettings.lazy.compactMap { $0.infoPlist?.bundleID?.value }
    return registered.first { $0.lowercased() == written.lowercased() }
  }
}
