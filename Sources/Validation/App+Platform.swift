import AppRegistration
import DeclaredFields
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
    let built = configurations(buildingWith: file).map(\.platforms)
    let told = built.contains { $0 != nil } ? built : infoPlists(pairedWith: file).map { $0.platform.map { [$0] } }
    guard let first = told.first ?? nil, first.count == 1, told.allSatisfy({ $0 == first }) else { return nil }
    return first.first
  }

  /// The Info.plist that the same target is built with where a project tells, or else all of the app's.
  func infoPlists(pairedWith file: ValidatedFile) -> [InfoPlist] {
    let names = Set(configurations(buildingWith: file).compactMap(\.infoPlist))
    let paired = infoPlists.filter { names.contains(FilePath.join("", $0.file.name)) }
    return (paired.isEmpty ? infoPlists : paired).map(\.plist)
  }
}
