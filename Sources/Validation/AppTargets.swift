import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// The assignment of Info.plists and entitlements files to targets.
///
/// An Xcode project specifies both files for each target. Without a project, files in one folder with the same name
/// stem belong together, such as `Mail-Info.plist` and `Mail.entitlements`. A folder with one Info.plist and one
/// entitlements file, or several variants of that file, is one target.
struct AppTargets: Sendable {
  /// A summary of the Info.plists that belong to one target, folder, or app.
  struct InfoPlistSummary: Sendable {
    private(set) var count = 0
    private(set) var signingIn = 0
    private(set) var platforms: Set<ApplePlatform?> = []

    mutating func add(_ plist: InfoPlist) {
      count += 1
      if plist.signsInWithMicrosoft { signingIn += 1 }
      platforms.insert(plist.platform)
    }

    /// The platform that all Info.plists share, or nil if they differ or any platform is unknown.
    var onlyPlatform: ApplePlatform? { platforms.count == 1 ? platforms.first ?? nil : nil }
  }

  private struct Key: Hashable {
    var folder: String
    var stem: String
  }

  private var configurationsByPath: [String: [XcodeProject.Configuration]] = [:]
  private var infoPlistsByPath: [String: InfoPlist] = [:]
  private var entitlementsByPath: [String: ValidatedFile] = [:]
  private var entitlementPathsByTarget: [String: [String]] = [:]
  private var appTargets: Set<String> = []
  private var namesEntitlements = false

  private var plistsByKey: [Key: InfoPlistSummary] = [:]
  private var plistsByFolder: [String: InfoPlistSummary] = [:]
  /// The Info.plists of all targets except extensions, frameworks, and tests.
  private var allPlists = InfoPlistSummary()
  private var stemsByFolder: [String: Set<String>] = [:]
  private var allStems: Set<Key> = []
  private var networkedByKey: [Key: ValidatedFile] = [:]
  /// Whether any file indicates that a target uses MSAL.
  private var anyUsesMSAL = false
  private var hasSettings = false

  init(files: [ValidatedFile], configurations: [XcodeProject.Configuration]) {
    for configuration in configurations {
      for path in Set([configuration.infoPlist, configuration.entitlements].compactMap { $0 }) {
        configurationsByPath[path, default: []].append(configuration)
      }
      if let path = configuration.entitlements {
        namesEntitlements = true
        entitlementPathsByTarget[configuration.target, default: []].append(path)
      }
      if configuration.isApp { appTargets.insert(configuration.target) }
    }
    for file in files { add(file) }
  }

  private mutating func add(_ file: ValidatedFile) {
    let key = Self.key(of: file)
    if let plist = file.infoPlist {
      infoPlistsByPath[Self.path(of: file)] = plist
      plistsByKey[key, default: .init()].add(plist)
      plistsByFolder[key.folder, default: .init()].add(plist)
      if !file.isNestedBundle { allPlists.add(plist) }
      anyUsesMSAL = anyUsesMSAL || plist.signsInWithMicrosoft
    } else if file.kind == .entitlements {
      entitlementsByPath[Self.path(of: file)] = file
      stemsByFolder[key.folder, default: []].insert(key.stem)
      allStems.insert(key)
      if file.isSandboxedWithNetwork, networkedByKey[key] == nil { networkedByKey[key] = file }
      anyUsesMSAL = anyUsesMSAL || file.containsMSALGroup
    } else if file.kind == .authSettings, !file.loadedSettings.isEmpty {
      hasSettings = true
      anyUsesMSAL = true
    } else if file.kind == .androidConfig {
      anyUsesMSAL = true
    }
  }

  private static func path(of file: ValidatedFile) -> String { FilePath.join("", file.name) }

  private static func key(of file: ValidatedFile) -> Key {
    Key(folder: FilePath.folder(of: file.name), stem: TargetNameStem.of(FilePath.name(of: file.name)))
  }

  /// Returns the build configurations that use a file as their Info.plist or entitlements file.
  func configurations(buildingWith file: ValidatedFile) -> [XcodeProject.Configuration] {
    configurationsByPath[Self.path(of: file)] ?? []
  }

  // MARK: Info.plists of entitlements

  /// Summarizes the Info.plists that belong to the same target as an entitlements file.
  /// - Returns: The summary, and whether the assignment to the target is certain.
  func infoPlists(pairedWith file: ValidatedFile) -> (summary: InfoPlistSummary, isCertain: Bool) {
    let configurations = configurations(buildingWith: file)
    guard configurations.isEmpty else {
      var summary = InfoPlistSummary()
      let paths = Set(configurations.compactMap(\.infoPlist))
      let known = paths.compactMap { infoPlistsByPath[$0] }
      for plist in known { summary.add(plist) }
      return (summary, known.count == paths.count)
    }
    let key = Self.key(of: file)
    if !key.stem.isEmpty, let summary = plistsByKey[key] { return (summary, true) }
    if let summary = plistsByFolder[key.folder] {
      let isOneTarget =
        stemsByFolder[key.folder]?.count == 1 && (summary.count == 1 || summary.signingIn == summary.count)
      return (summary, isOneTarget || summary.signingIn == 0)
    }
    return (allPlists, allStems.count == 1 && (allPlists.count == 1 || allPlists.signingIn == allPlists.count))
  }

  /// The degree of certainty that an entitlements file's target uses MSAL.
  enum MSALUse {
    case certain, unknown, none
  }

  func msalUse(of file: ValidatedFile) -> MSALUse {
    if file.containsMSALGroup { return .certain }
    let isBuilt = configurationsByPath[Self.path(of: file)] != nil
    // A project that specifies other entitlements files does not use this file.
    if namesEntitlements, !isBuilt { return .none }
    let (plists, isCertain) = infoPlists(pairedWith: file)
    if plists.signingIn > 0 { return isCertain ? .certain : .unknown }
    let isOnlyApp = isBuilt ? isOfTheOnlyApp(file) : allStems.count == 1
    if hasSettings, isOnlyApp { return .certain }
    if file.containsOtherProviderGroup { return .none }
    guard isCertain, plists.count > 0 || isBuilt else { return plists.count > 0 && !anyUsesMSAL ? .none : .unknown }
    // MSAL for macOS does not require any Info.plist entries.
    let isForMac = plists.platforms.contains(.macOS) || platforms(of: file)?.contains(.macOS) == true
    return isForMac && anyUsesMSAL ? .unknown : .none
  }

  private func isOfTheOnlyApp(_ file: ValidatedFile) -> Bool {
    appTargets.count == 1 && configurations(buildingWith: file).contains(where: \.isApp)
  }

  /// Returns another entitlements file for the same target that allows the sandboxed app to access the network.
  func networkedVariant(of file: ValidatedFile) -> ValidatedFile? {
    let named = configurations(buildingWith: file)
    guard !named.isEmpty else {
      let variant = networkedByKey[Self.key(of: file)]
      return variant?.name == file.name ? nil : variant
    }
    let paths = named.flatMap { entitlementPathsByTarget[$0.target] ?? [] }
    return paths.lazy.compactMap { entitlementsByPath[$0] }.first { $0.name != file.name && $0.isSandboxedWithNetwork }
  }

  // MARK: Platforms

  /// Returns the platform of the Info.plists that certainly belong to the same target as an entitlements file.
  func onlyPlatform(pairedWith file: ValidatedFile) -> ApplePlatform? {
    let (summary, isCertain) = infoPlists(pairedWith: file)
    return isCertain ? summary.onlyPlatform : nil
  }

  /// Returns the platforms for which Xcode projects build a file, or nil if they are unknown.
  func platforms(of file: ValidatedFile) -> Set<ApplePlatform>? {
    let known = configurations(buildingWith: file).compactMap(\.platforms)
    return known.isEmpty ? nil : known.reduce(into: []) { $0.formUnion($1) }
  }

  /// Returns whether Xcode projects build a file only for iOS and not for Mac Catalyst.
  func isWithoutMac(_ file: ValidatedFile) -> Bool {
    platforms(of: file) == [.iOS]
      && !configurations(buildingWith: file).contains { configuration in
        configuration.settings.value(of: "SUPPORTS_MACCATALYST")?.value == "YES"
      }
  }
}

extension InfoPlist {
  /// Whether the app signs in with MSAL directly or through the Intune SDK, which also uses MSAL.
  var signsInWithMicrosoft: Bool { signsInWithMSAL || hasIntuneSettings }
}
