import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct KeychainGroupAbsent: Rule {
  let id = "keychain-group-absent"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let app = project.app(of: file)
    let wanted = ApplePlatform.iOS.defaultKeychainGroup
    let help = "add keychain-access-groups with $(AppIdentifierPrefix)\(wanted)"
    // Settings may name the app's own group to MSAL; it needs the entitlement as well, but not under this name.
    guard !app.summary.settingsNameKeychainGroup else { return [] }
    switch file.kind {
    case .entitlements:
      guard file.isWhole, let root = file.node, root.entry("keychain-access-groups") == nil,
        !file.hasMacEntitlements, app.onlyPlatform(ofEntitlements: file) == .iOS, Self.belongsToApp(file, in: app),
        app.targets.msalUse(of: file) == .certain
      else { return [] }
      return [
        finding(
          "the entitlements have no keychain-access-groups, in which MSAL stores tokens", help: help, at: root.place)
      ]
    case .infoPlist:
      // Only a project shows that the app has no entitlements at all.
      guard let plist = file.infoPlist, Self.signsIn(plist), let scheme = plist.schemes.first else { return [] }
      let built = app.targets.configurations(buildingWith: file).filter(\.isApp)
      guard !built.isEmpty, built.allSatisfy({ $0.entitlements == nil && $0.platforms == [.iOS] }),
        app.files(.entitlements).isEmpty
      else { return [] }
      return [
        finding(
          "the target \(built[0].target) has no entitlements, and MSAL stores tokens in a keychain group",
          help: "add the Keychain Sharing capability with \(wanted)", at: scheme.node.place)
      ]
    default: return []
    }
  }

  /// Whether an Info.plist is that of an app that signs in.
  private static func signsIn(_ plist: InfoPlist) -> Bool {
    plist.signsInWithMSAL && !plist.isAppExtension
  }

  /// Entitlements beside those that have the group may be an extension's.
  private static func belongsToApp(_ file: ValidatedFile, in app: App) -> Bool {
    let built = app.targets.configurations(buildingWith: file)
    if !built.isEmpty { return built.allSatisfy(\.isApp) }
    return app.files(.entitlements).count == 1 && app.infoPlists.count == 1
  }
}
