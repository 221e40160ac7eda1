import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// Which Info.plists and entitlements are built into the same target.
///
/// An Xcode project names both. Without a project, files of one folder with the same name stem belong together
/// (`Mail-Info.plist`, `Mail.entitlements`), and a folder with one Info.plist and one kind of entitlements is one target.
struct AppTargets: Sendable {
  /// What the Info.plists of one target, folder, or app have in common.
  struct InfoPlistFacts: Sendable {
    private(set) var count = 0
    private(set) var signingIn = 0
    private(set) var platforms: Set<ApplePlatform?> = []

    mutating func add(_ plist: InfoPlist) {
      count += 1
      if plist.signsInWithMicrosoft { signingIn += 1 }
      platforms.insert(plist.platform)
    }

    /// The platform of all of them; nil if they differ, or one does not show it.
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

  private var plistsByKey: [Key: InfoPlistFacts] = [:]
  private var plistsByFolder: [String: InfoPlistFacts] = [:]
  /// Those of all targets that are no extension, framework, or test.
  private var allPlists = InfoPlistFacts()
  private var stemsByFolder: [String: Set<String>] = [:]
  private var allStems: Set<Key> = []
  private var networkedByKey: [Key: ValidatedFile] = [:]
  /// Whether a file of the app shows that one of its targets uses MSAL.
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
      if !file.isOfAPart { allPlists.add(plist) }
      anyUsesMSAL = anyUsesMSAL || plist.signsInWithMicrosoft
    } else if file.kind == .entitlements {
      entitlementsByPath[Self.path(of: file)] = file
      stemsByFolder[key.folder, default: []].insert(key.stem)
      allStems.insert(key)
      if file.isSandboxedWithNetwork, networkedByKey[key] == nil { networkedByKey[key] = file }
      anyUsesMSAL = anyUsesMSAL || file.namesMSALsGroup
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

  /// The configurations of Xcode projects that name a file as their Info.plist or their entitlements.
  func configurations(buildingWith file: ValidatedFile) -> [XcodeProject.Configuration] {
    configurationsByPath[Self.path(of: file)] ?? []
  }

  // MARK: Info.plists of entitlements

  /// The Info.plists that entitlements are built with, as far as is known.
  func infoPlists(pairedWith file: ValidatedFile) -> (facts: InfoPlistFacts, isCertain: Bool) {
    let named = configurations(buildingWith: file)
    guard named.isEmpty else {
      var facts = InfoPlistFacts()
      let paths = Set(named.compactMap(\.infoPlist))
      let known = paths.compactMap { infoPlistsByPath[$0] }
      for plist in known { facts.add(plist) }
      return (facts, known.count == paths.count)
    }
    let key = Self.key(of: file)
    if !key.stem.isEmpty, let facts = plistsByKey[key] { return (facts, true) }
    if let facts = plistsByFolder[key.folder] {
      let isOneTarget = stemsByFolder[key.folder]?.count == 1 && (facts.count == 1 || facts.signingIn == facts.count)
      return (facts, isOneTarget || facts.signingIn == 0)
    }
    return (allPlists, allStems.count == 1 && (allPlists.count == 1 || allPlists.signingIn == allPlists.count))
  }

  /// How certain it is that the target of entitlements uses MSAL.
  enum MSALUse {
    case certain, unknown, none
  }

  func msalUse(of file: ValidatedFile) -> MSALUse {
    if file.namesMSALsGroup { return .certain }
    let isBuilt = configurationsByPath[Self.path(of: file)] != nil
    // A project that names other entitlements does not build with these.
    if namesEntitlements, !isBuilt { return .none }
    let (plists, isCertain) = infoPlists(pairedWith: file)
    if plists.signingIn > 0 { return isCertain ? .certain : .unknown }
    let isOnlyApp = isBuilt ? isOfTheOnlyApp(file) : allStems.count == 1
    if hasSettings, isOnlyApp { return .certain }
    if file.namesAnotherProvidersGroup { return .none }
    guard isCertain, plists.count > 0 || isBuilt else { return plists.count > 0 && !anyUsesMSAL ? .none : .unknown }
    // MSAL for macOS needs no entry in the Info.plist.
    let isForMac = plists.platforms.contains(.macOS) || platforms(of: file)?.contains(.macOS) == true
    return isForMac && anyUsesMSAL ? .unknown : .none
  }

  private func isOfTheOnlyApp(_ file: ValidatedFile) -> Bool {
    appTargets.count == 1 && configurations(buildingWith: file).contains(where: \.isApp)
  }

  /// Other entitlements of the same target that let the sandboxed app reach the network.
  func networkedVariant(of file: ValidatedFile) -> ValidatedFile? {
    let named = configurations(buildingWith: file)
    guard !named.isEmpty else {
      let found = networkedByKey[Self.key(of: file)]
      return found?.name == file.name ? nil : found
    }
    let paths = named.flatMap { entitlementPathsByTarget[$0.target] ?? [] }
    return paths.lazy.compactMap { entitlementsByPath[$0] }.first { $0.name != file.name && $0.isSandboxedWithNetwork }
  }

  // MARK: Platforms

  /// The platform of the Info.plists that entitlements are certainly built with.
  func onlyPlatform(pairedWith file: ValidatedFile) -> ApplePlatform? {
    let (facts, isCertain) = infoPlists(pairedWith: file)
    return isCertain ? facts.onlyPlatform : nil
  }

  /// The platforms that projects build a file for; nil if no project says so.
  func platforms(of file: ValidatedFile) -> Set<ApplePlatform>? {
    let known = configurations(buildingWith: file).compactMap(\.platforms)
    return known.isEmpty ? nil : known.reduce(into: []) { $0.formUnion($1) }
  }

  /// Whether projects build a file for iOS alone, without Mac Catalyst.
  func isWithoutMac(_ file: ValidatedFile) -> Bool {
    platforms(of: file) == [.iOS]
      && !configurations(buildingWith: file).contains { configuration in
        configuration.settings.value(of: "SUPPORTS_MACCATALYST")?.value == "YES"
      }
  }
}

extension InfoPlist {
  /// Intune signs in with MSAL, with settings of its own or without.
  var signsInWithMicrosoft: Bool { signsInWithMSAL || hasIntuneSettings }
}
