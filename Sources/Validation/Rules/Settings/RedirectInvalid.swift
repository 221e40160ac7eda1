import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct RedirectInvalid: LoadingRule {
  let rule = SettingsRule.redirectInvalid

  /// MSAL's own URI for the app, where what is written differs only in case, by a slash or by its end.
  /// Any other may be registered just so, and is for its owner to change.
  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? {
    let loaded = file.loadedSettings.first { $0.settings.redirectURI?.place.span == finding.place.span }
    guard let bundleID = loaded?.settings.bundleID?.value ?? loaded?.infoPlist?.bundleID?.value,
      !Definitions.holdsReference(bundleID)
    else { return nil }
    let own = "msauth.\(bundleID)"
    let near = [own, "\(own)://", "\(own)://auth", "\(own)://auth/", "\(own):/auth", "\(own)//auth"]
    return near.contains { $0.lowercased() == written.lowercased() } ? "\(own)://auth" : nil
  }
}
