import AppRegistration
import Diagnostics
import Documents

struct KeychainGroupAppGroup: Rule {
  let id = "keychain-group-app-group"
  let severity = Diagnostic.Severity.error
  let words = "an app group stands among the keychain groups"
  let help = """
    Names that begin with group. are app groups, and belong into com.apple.security.application-groups. As keychain groups they have \
    no team in front, so no provisioning profile holds them, and the app cannot be signed or installed.
    """
  let bad = RuleExample(
    "Mail.entitlements",
    #"""
    <plist version="1.0">
    <dict>
      <key>keychain-access-groups</key>
      <array>
        <string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>
        1️⃣<string>group.com.contoso.mail</string>
      </array>
    </dict>
    </plist>
    """#)
  let good = RuleExample(
    "Mail.entitlements",
    #"""
    <plist version="1.0">
    <dict>
      <key>keychain-access-groups</key>
      <array>
        <string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>
      </array>
      <key>com.apple.security.application-groups</key>
      <array>
        <string>group.com.contoso.mail</string>
      </array>
    </dict>
    </plist>
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let groups = file.keychainGroups.filter(\.isAppGroup)
    guard !groups.isEmpty, project.app(of: file).targets.msalUse(of: file) != .none else { return [] }
    return groups.map { group in
      finding(
        "\(group.text) is an app group and no keychain group",
        help:
          "name it in com.apple.security.application-groups, and here $(AppIdentifierPrefix)com.microsoft.adalcache",
        at: group.node.place)
    }
  }
}
