import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

extension App {
  /// Whether an Info.plist or entitlements are for macOS alone, where MSAL asks for no schemes and keeps its keys elsewhere.
  func isForMacOnly(_ file: ValidatedFile) -> Bool {
    let platforms = configurations(buildingWith: file).compactMap(\.platforms)
    if !platforms.isEmpty { return platforms.allSatisfy { $0 == [.macOS] } }
    return file.infoPlist?.platform == .macOS
  }

  /// The one system that entitlements are certainly for; nil where they may be for several, or nothing tells.
  ///
  /// What the project says counts first, then the Info.plists that they are built with. Mac Catalyst is iOS to MSAL.
  func onlyPlatform(ofEntitlements file: ValidatedFile) -> ApplePlatform? {
    if let built = targets.platforms(of: file) { return built.count == 1 ? built.first : nil }
    return targets.onlyPlatform(pairedWith: file)
  }
}
