import AppRegistration
import Documents

/// Finds out which files belong to the same app, by where they stand.
///
/// An Xcode project stands beside its app's files, an Android module above `src/main`, and projects for several platforms hold
/// folders called `ios` and `android`. Where no such place is above a file, it belongs to the only app there is, or else to the
/// widest folder around it in which a single client id is spoken of.
struct AppGrouping {
  private let files: [ValidatedFile]
  /// How many folders with an Xcode project there are, in each folder and below it.
  private let xcodeHomes: [String: Int]
  /// Folders that hold a sample's scripts, and so are a whole sample.
  private let sampleHomes: Set<String>

  static func apps(of files: [ValidatedFile]) -> [App] { AppGrouping(files: files).apps() }

  private init(files: [ValidatedFile]) {
    self.files = files
    sampleHomes = Set(
      files.map { FilePath.folder(of: $0.name) }.filter { FilePath.name(of: $0) == Self.scripts }
        .map(FilePath.folder(of:)))
    let homes = Set(
      files.filter { $0.kind == .xcodeProject }.map { FilePath.folder(of: FilePath.folder(of: $0.name)) }
        .filter { !$0.split(separator: "/").contains { Self.vendored.contains($0.lowercased()) } })
    xcodeHomes = homes.reduce(into: [:]) { counts, home in
      var folder = home
      while true {
        counts[folder, default: 0] += 1
        if folder.isEmpty || folder == "/" { break }
        folder = FilePath.folder(of: folder)
      }
    }
  }

  private func apps() -> [App] {
    let homes = files.map(certainHome)
    let certain = Set(homes.compactMap { $0 })
    let speakers = clientIDs(homes)
    let parties = parties(homes)
    // For each root the only certain home below it; nil where there are none or several.
    var only: [String: String?] = [:]
    for root in Set(files.map(Self.root)) {
      let below = certain.filter { root.isEmpty || $0 == root || $0.hasPrefix(root + "/") }
      only[root] = .some(below.count == 1 ? below.first : nil)
    }
    var order: [String] = []
    var members: [String: [ValidatedFile]] = [:]
    for (file, home) in zip(files, homes) {
      let folder = home ?? self.home(of: file, among: certain, only, speakers, parties)
      if members[folder] == nil { order.append(folder) }
      members[folder, default: []].append(file)
    }
    return order.map { App(folder: $0, files: members[$0] ?? []) }
  }

  /// The client ids that are spoken of in a folder and below, for every folder; a certain home counts as one.
  private func clientIDs(_ homes: [String?]) -> [String: Set<String>] {
    var below: [String: Set<String>] = [:]
    for (file, home) in zip(files, homes) {
      let ids: Set<String> = home.map { ["home \($0)"] } ?? Self.clientIDs(of: file)
      guard !ids.isEmpty else { continue }
      var folder = home ?? FilePath.folder(of: file.name)
      while true {
        below[folder, default: []].formUnion(ids)
        if folder.isEmpty || folder == "/" { break }
        folder = FilePath.folder(of: folder)
      }
    }
    return below
  }

  /// Who speaks of which client ids: the files in a certain home, by that home, and the settings of all others.
  private struct Parties {
    var homes: [String: Set<String>] = [:]
    var others: Set<String> = []
  }

  private func parties(_ homes: [String?]) -> Parties {
    var parties = Parties()
    let certain = Set(homes.compactMap { $0 })
    for (file, certainHome) in zip(files, homes) {
      if let home = certainHome ?? Self.nearest(above: file, among: certain) {
        parties.homes[home, default: []].formUnion(Self.clientIDs(of: file))
      } else if file.kind != .workflow {
        parties.others.formUnion(file.loadedSettings.compactMap { $0.clientID?.value.lowercased() })
      }
    }
    return parties
  }

  /// The innermost certain home above a file.
  private static func nearest(above file: ValidatedFile, among certain: Set<String>) -> String? {
    var folder = FilePath.folder(of: file.name)
    while !certain.contains(folder) {
      if folder.isEmpty || folder == "/" { return nil }
      folder = FilePath.folder(of: folder)
    }
    return folder
  }

  private static func clientIDs(of file: ValidatedFile) -> Set<String> {
    // The settings inside a workflow may be an experiment's.
    guard file.kind != .workflow else { return [] }
    let settings = file.loadedSettings.compactMap(\.clientID)
    return Set((settings + file.appManifests.compactMap(\.clientID)).map { $0.value.lowercased() })
  }

  /// The innermost certain home above a file; where there is none, the only one below the root, or else the widest folder that is
  /// still about one app.
  ///
  /// The server and the web page beside the only mobile app are apps of their own, where settings say so.
  private func home(
    of file: ValidatedFile, among certain: Set<String>, _ onlyBelow: [String: String?], _ ids: [String: Set<String>],
    _ parties: Parties
  ) -> String {
    let root = Self.root(of: file)
    var folder = FilePath.folder(of: file.name)
    if FilePath.name(of: folder) == Self.scripts { folder = FilePath.folder(of: folder) }
    var widest = folder
    var isWidest = false
    while !certain.contains(folder) {
      if !isWidest, ids[folder]?.count ?? 0 <= 1 { widest = folder } else { isWidest = true }
      if sampleHomes.contains(folder) { isWidest = true }
      if folder == root || folder.isEmpty || folder == "/" {
        guard let only = onlyBelow[root] ?? nil else { return widest }
        let spoken = ids[widest] ?? []
        let own = parties.homes[only] ?? []
        let isStranger = !spoken.isEmpty && !own.isEmpty && own.isDisjoint(with: spoken)
        return isStranger && spoken.isSubset(of: parties.others) ? widest : only
      }
      folder = FilePath.folder(of: folder)
    }
    return folder
  }

  private static func root(of file: ValidatedFile) -> String {
    file.root.map { $0 == "." ? "" : FilePath.join("", $0) } ?? ""
  }

  /// The folder that a file's own path names as its app's; nil where the path says nothing.
  private func certainHome(of file: ValidatedFile) -> String? {
    let isAbsolute = file.name.hasPrefix("/")
    let folders = file.name.split(separator: "/").dropLast().map(String.init)
    func path(_ count: Int) -> String { (isAbsolute ? "/" : "") + folders[..<count].joined(separator: "/") }
    let depth = file.root?.split(separator: "/").filter { $0 != "." }.count ?? 0
    let inner = folders.indices.filter { $0 >= depth }
    if let platform = inner.first(where: { Self.isPlatform(folders[$0]) }) {
      let home = path(platform + 1)
      // Several projects in one such folder are several apps.
      if xcodeHomes[home, default: 0] <= 1 {
        return path(Self.above(platform, in: folders, notAbove: depth))
      }
    }
    if file.kind == .xcodeProject { return FilePath.folder(of: path(folders.count)) }
    if let source = inner.first(where: { folders[$0] == "src" }), source + 1 < folders.count,
      ["main", "debug", "release"].contains(folders[source + 1])
    {
      // `app/src/main` is the module `app` of the project above it.
      return path(max(source - 1, depth))
    }
    return nil
  }

  /// `ios`, `android` and their like, and the projects of Xamarin and Kotlin that are named for a platform: `Contoso.iOS`, `iosApp`.
  private static func isPlatform(_ folder: String) -> Bool {
    let name = folder.lowercased()
    return platforms.contains(name) || suffixes.contains { name.hasSuffix($0) && name.count > $0.count }
  }

  /// How many folders lie above a platform's: MAUI and Cordova keep theirs in `Platforms`, Unity in `Assets/Plugins`.
  private static func above(_ platform: Int, in folders: [String], notAbove depth: Int) -> Int {
    var count = platform
    while count > depth, ["platforms", "plugins", "assets"].contains(folders[count - 1].lowercased()) { count -= 1 }
    return count
  }

  private static let platforms: Set<String> = [
    "ios", "android", "macos", "iosapp", "androidapp", "maccatalyst", "mac", "droid",
  ]
  private static let suffixes = [".ios", ".android", ".droid", ".mac", ".macos"]
  /// The folder that Microsoft's samples keep the description of their registrations in.
  private static let scripts = "AppCreationScripts"
  /// Where other people's projects stand.
  private static let vendored: Set<String> = ["pods", "carthage", "node_modules", "build", "deriveddata", ".build"]
}
