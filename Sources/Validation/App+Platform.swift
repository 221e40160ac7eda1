import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

extension App {
  /// Returns whether an Info.plist or entitlements file is only for macOS. On macOS, MSAL does not require URL schemes
  /// and uses a different keychain group.
  func isForMacOnly(_ file: ValidatedFile) -> Bool {
    let platforms = configurations(buildingWith: file).compactMap(\.platforms)
    if !platforms.isEmpty { return platforms.allSatisfy { $0 == [.macOS] } }
    return file.infoPlist?.platform == .macOS
  }

  /// Returns the platform of an entitlements file. Returns nil if the file is for several platforms or if the platform
  /// is unknown.
  ///
  /// The Xcode project takes priority over the target's Info.plists. MSAL treats Mac Catalyst as iOS.
  func onlyPlatform(ofEntitlements file: ValidatedFile) -> ApplePlatform? {
    if let built = targets.platforms(of: file) { return built.count == 1 ? built.first : nil }
    return targets.onlyPlatform(pairedWith: file)
  }
}
