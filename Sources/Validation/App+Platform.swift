import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

extension App {
  /// Whether an Info.plist or entitlements are only for macOS, where MSAL does not require URL schemes and uses another
  /// keychain group.
  func isForMacOnly(_ file: ValidatedFile) -> Bool {
    let platforms = configurations(buildingWith: file).compactMap(\.platforms)
    if !platforms.isEmpty { return platforms.allSatisfy { $0 == [.macOS] } }
    return file.infoPlist?.platform == .macOS
  }

  /// The only platform of entitlements; nil if there are several or it is unknown.
  ///
  /// The Xcode project has priority over the Info.plists of the same target. MSAL treats Mac Catalyst as iOS.
  func onlyPlatform(ofEntitlements file: ValidatedFile) -> ApplePlatform? {
    if let built = targets.platforms(of: file) { return built.count == 1 ? built.first : nil }
    return targets.onlyPlatform(pairedWith: file)
  }
}
