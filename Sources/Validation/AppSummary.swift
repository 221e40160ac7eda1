import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// Values from all files in an app. These values are computed once for the rules that compare each file with all other
/// files.
struct AppSummary: Sendable {
  /// Whether the Xcode projects define a bundle ID for every app target in every build configuration.
  private(set) var knowsEveryBundleID = false
  /// The only bundle ID in the Info.plists and Xcode projects, or nil if there are several or any of them is unknown.
  private(set) var onlyBundleID: Positioned<String>?
  /// The only client ID in the app's settings, or nil if there are several.
  private(set) var onlySettingsClientID: Positioned<String>?
  /// All schemes that Info.plists register, in lowercase.
  private(set) var urlSchemes: Set<String> = []
  /// The Info.plist that all app targets use, if there is only one.
  private(set) var onlyInfoPlist: (file: ValidatedFile, plist: InfoPlist)?
  private(set) var redirects = SettingsRedirects()
  private(set) var keychainGroups = KeychainGroupIndex()
  /// Whether the app's settings contain a keychain group for MSAL.
  private(set) var settingsNameKeychainGroup = false
  private(set) var androidFilters = AndroidRedirectFilters()

  init() {}

  init(of app: App) {
    let builds = app.xcodeConfigurations.filter(\.isApp)
    knowsEveryBundleID = !builds.isEmpty && builds.allSatisfy { $0.bundleID.map(Self.isKnown) ?? false }
    onlyBundleID = Self.onlyBundleID(of: app)
    let plists = app.infoPlists.filter { !$0.file.isNestedBundle }
    if plists.count == 1, let only = plists.first {
      let path = FilePath.join("", only.file.name)
      if builds.allSatisfy({ $0.infoPlist == path }) { onlyInfoPlist = only }
    }
    let clientIDs = app.settings.filter { $0.file.kind == .authSettings }.compactMap(\.loaded.clientID)
    if Set(clientIDs.map { $0.value.lowercased() }).count == 1 { onlySettingsClientID = clientIDs.first }
    urlSchemes = Set(app.infoPlists.flatMap { $0.plist.urlSchemes.map { $0.value.lowercased() } })
    redirects = SettingsRedirects(app.settings)
    settingsNameKeychainGroup = app.settings.contains { $0.loaded.settings.keychainGroup?.value.isEmpty == false }
    keychainGroups = KeychainGroupIndex(app.files(.entitlements).compactMap(\.entitlements))
    for file in app.files(.androidManifest) {
      for (activity, filter) in file.redirectFilters where activity.isMSALActivity { androidFilters.add(filter) }
    }
  }

  private static func isKnown(_ bundleID: Positioned<String>) -> Bool {
    !bundleID.value.isEmpty && !AppManifest.isToBeFilledIn(bundleID.value)
  }

  private static func onlyBundleID(of app: App) -> Positioned<String>? {
    let plists = app.infoPlists.filter { !$0.plist.isAppExtension }.compactMap(\.plist.bundleID)
    let built = app.xcodeConfigurations.compactMap(\.bundleID)
    let known = (plists + built).filter(isKnown)
    guard let first = known.first, Set(known.map(\.value)).count == 1,
      !built.isEmpty || plists.allSatisfy({ !AppManifest.isToBeFilledIn($0.value) })
    else { return nil }
    return first
  }
}

/// The keychain groups in all of an app's entitlements files.
struct KeychainGroupIndex: Sendable {
  /// The location of the first list of groups. Nil if the app has no entitlements files or if one of the files has no
  /// list.
  private(set) var first: FileSpan?
  /// The names that settings can use for the groups: each entry, with and without each possible prefix.
  private var names: Set<String> = []
  private var long: [String] = []
  /// Whether any entry is a reference that may expand to any group.
  private var mayContainAny = false

  private static let longestIndexed = 255

  init() {}

  init(_ all: [Entitlements]) {
    let groups = all.compactMap(\.keychainGroups)
    guard groups.count == all.count else { return }
    first = groups.first?.place
    for entry in Set(groups.flatMap { $0.value.map(\.value) }) {
      if entry.contains("$("), !entry.contains("AppIdentifierPrefix)") { mayContainAny = true }
      guard entry.utf8.count <= Self.longestIndexed else {
        long.append(entry)
        continue
      }
      names.insert(entry)
      for index in entry.indices where ")}.".contains(entry[index]) {
        names.insert(String(entry[entry.index(after: index)...]))
      }
    }
  }

  /// Returns whether an entry consists of a team prefix and the given group. The prefix is a reference, or ten letters
  /// and digits followed by a dot.
  func contains(_ group: String) -> Bool {
    mayContainAny || names.contains(group)
      || long.contains { entry in
        entry == group || entry.hasSuffix(group) && (entry.dropLast(group.count).last.map(")}.".contains) ?? false)
      }
  }
}

/// The intent filters for MSAL's activities, indexed by scheme, host, and path.
struct AndroidRedirectFilters: Sendable {
  /// The scheme, host, and path that a filter matches. A value is nil if the filter does not restrict it.
  private struct Key: Hashable {
    var scheme: String?
    var host: String?
    var path: String?
  }

  private var keys: Set<Key> = []
  private var hosts: Set<String> = []
  /// The locations of the first five filters.
  private(set) var places: [FileSpan] = []

  mutating func add(_ filter: AndroidManifest.Filter) {
    if places.count < 5 { places.append(filter.place) }
    let data = filter.data.prefix(Self.mostData)
    hosts.formUnion(data.compactMap(\.host?.value))
    let paths = data.contains(where: \.hasPathPattern) ? [nil] : Self.parts(data.compactMap(\.path), isOptional: true)
    for scheme in Self.parts(data.compactMap(\.scheme), isOptional: false) {
      for host in Self.parts(data.compactMap(\.host), isOptional: true) {
        for path in paths { keys.insert(Key(scheme: scheme, host: host, path: path)) }
      }
    }
  }

  /// The maximum number of `<data>` elements to check, which limits the number of combinations. Real filters have fewer
  /// elements.
  private static let mostData = 20

  private static func parts(_ listed: [Positioned<String>], isOptional: Bool) -> Set<String?> {
    if listed.isEmpty { return isOptional ? [nil] : [] }
    return Set(listed.map { $0.value == "*" || $0.isResolvedAtBuildTime ? nil : $0.value })
  }

  /// Returns whether any filter may match a redirect URI.
  func mayOpen(_ redirect: AndroidRedirect) -> Bool {
    guard let scheme = redirect.scheme, let host = redirect.host else { return true }
    let path = PercentText.decode(redirect.path.prefix { $0 != "?" && $0 != "#" })
    for scheme in [scheme.lowercased(), nil] {
      for host in [String(host), nil] {
        for path in [path, String(redirect.path), nil]
        where keys.contains(Key(scheme: scheme, host: host, path: path)) { return true }
      }
    }
    return false
  }

  func containsHost(_ host: Substring?) -> Bool { host.map { hosts.contains(String($0)) } ?? false }
}
