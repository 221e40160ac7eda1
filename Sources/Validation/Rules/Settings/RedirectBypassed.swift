import AppRegistration
import Diagnostics

struct RedirectBypassed: LoadingRule {
  let rule = SettingsRule.redirectBypassed
  let severity = Diagnostic.Severity.warning
  let words = "redirect validation is bypassed, and the app has no redirect URI"
  let help = """
    MSAL derives its default redirect URI even if validation is bypassed, but on iOS only if the Info.plist registers its \
    scheme. Otherwise the app has no redirect URI: interactive requests fail with invalidParameter (-42000).
    """
  let bad = RuleExample([
    (
      "AuthSettings.yaml",
      #"""
      AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
      Platform: iOS
      InfoPlist: Info.plist
      BypassRedirectURIValidation: 1️⃣true
      """#
    ),
    ("Info.plist", infoPlist),
  ])
  let good = RuleExample([
    (
      "AuthSettings.yaml",
      #"""
      AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
      Platform: iOS
      InfoPlist: Info.plist
      BypassRedirectURIValidation: true
      RedirectUri: http://localhost
      """#
    ),
    ("Info.plist", infoPlist),
  ])

  private static let infoPlist = #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key>
      <string>com.contoso.app</string>
    </dict>
    </plist>
    """#
}
