import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct RedirectInvalid: LoadingRule {
  let rule = SettingsRule.redirectInvalid
  let words = "no broker could answer to the redirect URI"
  let help = """
    For accounts of organizations MSAL insists on msauth.<bundle id>://auth, so that Authenticator or Company Portal can answer; with any
    other it makes no application object (-42011). BypassRedirectURIValidation turns the check off, and the broker with it.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BundleId: com.contoso.app
    RedirectUri: 1️⃣msauth.com.contoso.App://auth/
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    BundleId: com.contoso.app
    RedirectUri: msauth.com.contoso.app://auth
    """#

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
