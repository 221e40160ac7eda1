import AppRegistration
import Diagnostics
import Documents

struct KeychainGroupPrefixDot: Rule {
  let id = "keychain-group-prefix-dot"
  let severity = Diagnostic.Severity.error
  let words = "a dot stands behind $(AppIdentifierPrefix), which ends with one"
  let help = """
    $(AppIdentifierPrefix) and $(TeamIdentifierPrefix) stand for the team's id and a dot. With a second one the name is another: \
    ABCDE12345..com.microsoft.adalcache is no group that MSAL or another app would ask for.
    """
  let bad = RuleExample(
    "Mail.entitlements",
    #"""
    <plist version="1.0">
    <dict>
      <key>keychain-access-groups</key>
      <array>
        1️⃣<string>$(AppIdentifierPrefix).com.microsoft.adalcache</string>
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
    </dict>
    </plist>
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let groups = file.keychainGroups.filter(\.hasStrayDot)
    guard !groups.isEmpty else { return [] }
    let use = project.app(of: file).targets.msalUse(of: file)
    guard use != .none else { return [] }
    return groups.map { group in
      guard case .reference(let name) = group.prefix else { return nil }
      let mended = group.text.prefix(name.count + 3) + group.name
      return finding(
        "$(\(name)) ends with a dot already", help: "write \(mended)", at: group.node.place,
        fix: use == .certain
          ? TextEdits.replaceValue(group.node, with: String(mended)).map {
            .init(description: "drop the second dot", edits: $0)
          } : nil)
    }.compactMap { $0 }
  }
}
