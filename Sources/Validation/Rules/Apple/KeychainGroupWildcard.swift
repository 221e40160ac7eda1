import AppRegistration
import Diagnostics
import Documents

struct KeychainGroupWildcard: Rule {
  let id = "keychain-group-wildcard"
  let severity = Diagnostic.Severity.warning
  let words = "a keychain group is a wildcard"
  let help = """
    Provisioning profiles hold $(AppIdentifierPrefix)*, and entitlements name what the app uses of it. Signed with the wildcard \
    itself, no group has that name, and App Store Connect refuses the app.
    """
  let bad = RuleExample(
    "Mail.entitlements",
    #"""
    <plist version="1.0">
    <dict>
      <key>keychain-access-groups</key>
      <array>
        1️⃣<string>$(AppIdentifierPrefix)*</string>
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
        <string>$(AppIdentifierPrefix)com.contoso.mail</string>
        <string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>
      </array>
    </dict>
    </plist>
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let groups = file.keychainGroups.filter(\.isWildcard)
    guard !groups.isEmpty, project.app(of: file).targets.msalUse(of: file) != .none else { return [] }
    return groups.map { group in
      finding(
        "\(group.text) names no keychain group", help: "name each group: $(AppIdentifierPrefix)com.microsoft.adalcache",
        at: group.node.place)
    }
  }
}
