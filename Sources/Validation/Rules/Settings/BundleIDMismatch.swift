import AppRegistration
import Diagnostics
import Documents

struct BundleIDMismatch: LoadingRule {
  let rule = SettingsRule.bundleIDMismatch
  let severity = Diagnostic.Severity.warning

  /// Returns the Info.plist's bundle ID if it differs from the configured bundle ID only in letter case.
  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let registered = file.loadedSettings.lazy.compactMap { $0.infoPlist?.bundleID?.value }
    return registered.first { $0.lowercased() == value.lowercased() }
  }
}
