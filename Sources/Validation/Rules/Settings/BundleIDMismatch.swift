import AppRegistration
import Diagnostics
import Documents

struct BundleIDMismatch: LoadingRule {
  let rule = SettingsRule.bundleIDMismatch
  let severity = Diagnostic.Severity.warning

  /// Where the case alone differs, the Info.plist is right.
  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let registered = file.loadedSettings.lazy.compactMap { $0.infoPlist?.bundleID?.value }
    return registered.first { $0.lowercased() == written.lowercased() }
  }
}
