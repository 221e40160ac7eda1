import AppRegistration
import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

struct KeychainGroupMissing: Rule {
  let id = "keychain-group-missing"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]
  let words = "the keychain groups lack the one in which MSAL keeps its tokens"
  let help = """
    MSAL keeps tokens in com.microsoft.adalcache on iOS and in com.microsoft.identity.universalstorage on macOS, which Microsoft's \
    apps share. Without the group every sign-in ends with a keychain error (-34018), unless the app names a group of its own in code.
    """
  let bad = RuleExample([
    (
      "Info.plist",
      #"""
      <plist version="1.0">
      <dict>
        <key>CFBundleURLTypes</key>
        <array>
          <dict>
            <key>CFBundleURLSchemes</key>
            <array>
              <string>msal6731de76-14a6-49ae-97bc-6eba6914391e</string>
            </array>
          </dict>
        </array>
      </dict>
      </plist>
      """#
    ),
    (
      "Mail.entitlements",
      #"""
      <plist version="1.0">
      <dict>
        1️⃣<key>keychain-access-groups</key>
        <array>
          <string>$(AppIdentifierPrefix)com.contoso.mail</string>
        </array>
      </dict>
      </plist>
      """#
    ),
  ])
  let good = RuleExample([
    (
      "Info.plist",
      #"""
      <plist version="1.0">
      <dict>
        <key>CFBundleURLTypes</key>
        <array>
          <dict>
            <key>CFBundleURLSchemes</key>
            <array>
              <string>msal6731de76-14a6-49ae-97bc-6eba6914391e</string>
            </array>
          </dict>
        </array>
      </dict>
      </plist>
      """#
    ),
    (
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
      """#
    ),
  ])

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.isWhole, let (key, list) = file.keychainList else { return [] }
    let groups = file.keychainGroups
    guard !groups.contains(where: \.isWildcard) else { return [] }
    let app = project.app(of: file)
    // An empty list is as good as none, but for an app that is known to need one.
    guard !groups.isEmpty || app.infoPlists(pairedWith: file).contains(where: Self.signsInWithMicrosoft) else {
      return []
    }
    guard !Self.isAnothersMatter(file, groups, app) else { return [] }
    let isMac = file.hasMacEntitlements || app.isForMacOnly(file)
    let shared = groups.filter { ApplePlatform.allGroups.contains(String($0.name)) }
    if !shared.isEmpty { return checkPlatform(file, shared, app).map { [$0] } ?? [] }
    let wanted = (isMac ? ApplePlatform.macOS : .iOS).defaultKeychainGroup
    let near = groups.first { $0.name.hasPrefix("com.microsoft.") && $0.name.lowercased().hasSuffix("cache") }
    return [
      finding(
        "keychain-access-groups lacks \(wanted)\(near.map { ": \($0.name) is another group" } ?? "")",
        severity: Self.isDoubtful(file, groups, app) ? .note : .warning,
        help: "add $(AppIdentifierPrefix)\(wanted), or name one of these groups to MSAL", at: key.place,
        fix: Self.fix(adding: wanted, to: list, like: groups))
    ]
  }

  /// MSAL's group is there, and is the one of the other system.
  private func checkPlatform(_ file: ValidatedFile, _ shared: [KeychainGroup], _ app: App) -> Diagnostic? {
    guard let platform = app.onlyPlatform(ofEntitlements: file), let (key, list) = file.keychainList,
      app.infoPlists(pairedWith: file).contains(where: Self.signsInWithMicrosoft) || !app.settings.isEmpty,
      // Without the sandbox a Mac's keychain may be the old one, and these keys in an iPhone's file mean Mac Catalyst.
      file.hasMacEntitlements == (platform == .macOS)
    else { return nil }
    let wanted = platform.defaultKeychainGroup
    guard !shared.contains(where: { $0.name == wanted }), let other = shared.first else { return nil }
    return finding(
      "keychain-access-groups lacks \(wanted): \(other.name) is MSAL's group on \(platform == .iOS ? "macOS" : "iOS")",
      help: "add $(AppIdentifierPrefix)\(wanted)", at: key.place,
      related: [.init("the other system's group is here", at: other.node.place)],
      fix: Self.fix(adding: wanted, to: list, like: shared))
  }

  private static func fix(adding wanted: String, to list: Node, like groups: [KeychainGroup]) -> Diagnostic.Fix? {
    let prefix = groups.lazy.compactMap(prefixText).first ?? "$(AppIdentifierPrefix)"
    return TextEdits.appendElement("\(prefix)\(wanted)", to: list).map {
      .init(description: "add MSAL's group", edits: $0)
    }
  }

  /// Whether the app keeps its tokens elsewhere, or has nothing to do with MSAL as far as its other files show.
  private static func isAnothersMatter(_ file: ValidatedFile, _ groups: [KeychainGroup], _ app: App) -> Bool {
    // Settings that name a group to MSAL are held against these by a rule of their own.
    if app.settings.contains(where: { $0.loaded.settings.keychainGroup?.value.isEmpty == false }) { return true }
    if groups.contains(where: { $0.name.lowercased().contains("msal") }) { return false }
    let plists = app.infoPlists(pairedWith: file)
    return !plists.isEmpty && app.settings.isEmpty && !plists.contains(where: signsInWithMicrosoft)
  }

  /// Whether the groups may well be all that the app needs: where nothing shows that it signs in with Microsoft; those without a
  /// prefix are none yet, and may be meant as one that the code names to MSAL; and an app that shares files with its extensions
  /// shares its keychain with them too.
  private static func isDoubtful(_ file: ValidatedFile, _ groups: [KeychainGroup], _ app: App) -> Bool {
    if groups.contains(where: \.lacksPrefix) { return true }
    if groups.contains(where: { $0.name.lowercased().hasPrefix("com.microsoft.") }) { return false }
    if app.infoPlists(pairedWith: file).contains(where: signsInWithMicrosoft) { return false }
    if app.settings.isEmpty, !groups.contains(where: { $0.name.lowercased().contains("msal") }) { return true }
    return file.node?.entries.contains { key, _ in
      key.string == "com.apple.security.application-groups" || key.string?.contains("icloud-container") == true
    } ?? false
  }

  /// Intune signs in with MSAL, with settings of its own or without.
  private static func signsInWithMicrosoft(_ plist: InfoPlist) -> Bool {
    plist.signsInWithMSAL || plist.hasIntuneSettings
  }

  private static func prefixText(_ group: KeychainGroup) -> String? {
    switch group.prefix {
    case .reference(let name) where name.lowercased().hasSuffix("identifierprefix"):
      String(group.text.prefix(name.count + 3))
    case .team(let team): "\(team)."
    default: nil
    }
  }
}

extension ApplePlatform {
  fileprivate static let allGroups = Set(allCases.map(\.defaultKeychainGroup))
}
