import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct IntunePlaceholder: Rule {
  let id = "intune-placeholder"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]
  let words = "IntuneMAMSettings still holds what the sample said"
  let help = """
    The Intune SDK signs in with ADALClientId at ADALAuthority as they stand here. With a sample's words, or nothing, in their place \
    the service knows no such app (AADSTS700016) or tenant (AADSTS90002), and the app is never enrolled.
    """
  let bad = RuleExample(
    "Info.plist",
    #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleName</key>
      <string>Mail</string>
      <key>IntuneMAMSettings</key>
      <dict>
        <key>ADALAuthority</key>
        1️⃣<string>https://login.microsoftonline.com/[tenant id]</string>
        <key>ADALClientId</key>
        1️⃣<string>YOUR_CLIENT_ID</string>
      </dict>
    </dict>
    </plist>
    """#)
  let good = RuleExample(
    "Info.plist",
    #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleName</key>
      <string>Mail</string>
      <key>IntuneMAMSettings</key>
      <dict>
        <key>ADALAuthority</key>
        <string>https://login.microsoftonline.com/contoso.com</string>
        <key>ADALClientId</key>
        <string>6731de76-14a6-49ae-97bc-6eba6914391e</string>
      </dict>
    </dict>
    </plist>
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist else { return [] }
    return plist.intune.compactMap { key, entry in
      guard key.hasPrefix("ADAL") || key.hasPrefix("AAD") else { return nil }
      if entry.text.allSatisfy(\.isWhitespace) {
        return finding(
          "\(key) is empty", severity: .warning, help: "fill it in, or remove the key", at: entry.node.place)
      }
      guard let placeholder = TemplatePlaceholder.find(in: entry.text) else { return nil }
      return finding(
        "\(key) is still a placeholder: \(placeholder)", help: Self.help(key), at: entry.node.place)
    }
  }

  private static func help(_ key: String) -> String {
    switch key {
    case "ADALClientId": "write the application (client) id of your app registration"
    case "ADALAuthority": "write your tenant's id or domain in its place"
    case "ADALRedirectUri": "write the redirect URI of your app registration: msauth.<bundle id>://auth"
    default: "write your own in its place"
    }
  }
}
