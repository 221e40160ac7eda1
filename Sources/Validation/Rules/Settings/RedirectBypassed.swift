import AppRegistration
import Diagnostics

struct RedirectBypassed: LoadingRule {
  let rule = SettingsRule.redirectBypassed
  let severity = Diagnostic.Severity.warning

  private static let infoPlist = #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key>
      <string>com.contoso.app</string>
    </dict>
    </plist>
    """#
}
