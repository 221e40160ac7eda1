import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct RedirectInvalid: LoadingRule {
  let rule = SettingsRule.redirectInvalid

  /// Returns MSAL's default URI if the configured URI differs from it only in letter case, slashes, or an incomplete
  /// ending. Any other URI can be registered as it is, so authflow does not change it.
  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let loaded = file.loadedSettings.first { $0.settings.redirectURI?.place.span == finding.place.span }
    guard let bundleID = loaded?.settings.bundleID?.value ?? loaded?.infoPlist?.bundleID?.value,
      !Definitions.containsReference(bundleID)
    else { return nil }
    let own = "msauth.\(bundleID)"
    let variants = [own, "\(own)://", "\(own)://auth", "\(own)://auth/", "\(own):/auth", "\(own)//auth"]
    return variants.contains { $0.lowercased() == value.lowercased() } ? "\(own)://auth" : nil
  }
}
