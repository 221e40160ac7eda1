import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct KeychainGroupAbsent: Rule {
  let id = "keychain-group-absent"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let app = project.app(of: file)
    let group = ApplePlatform.iOS.defaultKeychainGroup
    let help = "add `keychain-access-groups` with `$(AppIdentifierPrefix)\(group)`"
    // If the settings specify the app's own group, `KeychainGroupContradiction` compares it with the entitlements.
    guard !app.summary.settingsNameKeychainGroup else { return [] }
    switch file.kind {
    case .entitlements:
      guard file.isComplete, let root = file.node, root.entry("keychain-access-groups") == nil,
        !file.hasMacEntitlements, app.onlyPlatform(ofEntitlements: file) == .iOS, Self.belongsToApp(file, in: app),
        app.targets.msalUse(of: file) == .certain
      else { return [] }
      return [
        finding(
          "missing `keychain-access-groups` entitlement, which MSAL needs to store tokens", help: help, at: root.place)
      ]
    case .infoPlist:
      // Only an Xcode project shows whether the app has an entitlements file.
      guard let plist = file.infoPlist, Self.signsIn(plist), let scheme = plist.schemes.first else { return [] }
      let built = app.targets.configurations(buildingWith: file).filter(\.isApp)
      guard !built.isEmpty, built.allSatisfy({ $0.entitlements == nil && $0.platforms == [.iOS] }),
        app.files(.entitlements).isEmpty
      else { return [] }
      return [
        finding(
          "target `\(built[0].target)` has no entitlements for the keychain group that MSAL uses",
          help: "add the Keychain Sharing capability with `\(group)`", at: scheme.node.place)
      ]
    default: return []
    }
  }

  /// Returns whether an Info.plist belongs to an app that signs in with MSAL.
  private static func signsIn(_ plist: InfoPlist) -> Bool {
    plist.signsInWithMSAL && !plist.isAppExtension
  }

  /// Returns whether an entitlements file certainly belongs to the app and not to an extension.
  private static func belongsToApp(_ file: ValidatedFile, in app: App) -> Bool {
    let built = app.targets.configurations(buildingWith: file)
    if !built.isEmpty { return built.allSatisfy(\.isApp) }
    return app.files(.entitlements).count == 1 && app.infoPlists.count == 1
  }
}
