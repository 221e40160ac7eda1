import AppRegistration
import Documents

/// Assigns files to apps by their location.
///
/// An app's root is the folder that contains its Xcode project, the Android module above `src/main`, or the parent of
/// folders such as `ios` and `android`. A file outside of all roots belongs to the known app if there is only one. If
/// there are several known apps, the file belongs to the topmost parent folder that contains only one client ID.
struct AppGrouping {
  private let files: [ValidatedFile]
  /// For each folder, the number of its subfolders that contain an Xcode project.
  private let xcodeFolderCounts: [String: Int]
  /// Folders that contain a sample's scripts. Each of these folders is a complete sample.
  private let sampleFolders: Set<String>

  static func apps(of files: [ValidatedFile]) -> [App] { AppGrouping(files: files).apps() }

  private init(files: [ValidatedFile]) {
    self.files = files
    sampleFolders = Set(
      files.map { FilePath.folder(of: $0.name) }.filter { FilePath.name(of: $0) == Self.scripts }
        .map(FilePath.folder(of:)))
    let xcodeFolders = Set(
      files.filter { $0.kind == .xcodeProject }.map { FilePath.folder(of: FilePath.folder(of: $0.name)) }
        .filter { !$0.split(separator: "/").contains { Self.vendored.contains($0.lowercased()) } })
    xcodeFolderCounts = xcodeFolders.reduce(into: [:]) { counts, xcodeFolder in
      var folder = xcodeFolder
      while true {
        counts[folder, default: 0] += 1
        if folder.isEmpty || folder == "/" { break }
        folder = FilePath.folder(of: folder)
      }
    }
  }

  private func apps() -> [App] {
    let appRoots = files.map(knownAppRoot)
    let knownRoots = Set(appRoots.compactMap { $0 })
    let idsByFolder = clientIDs(appRoots)
    let idGroups = clientIDGroups(appRoots)
    // For each searched folder, the known app root in this folder. Nil if there is not exactly one app root.
    var only: [String: String?] = [:]
    for root in Set(files.map(Self.root)) {
      let below = knownRoots.filter { root.isEmpty || $0 == root || $0.hasPrefix(root + "/") }
      only[root] = .some(below.count == 1 ? below.first : nil)
    }
    var order: [String] = []
    var members: [String: [ValidatedFile]] = [:]
    for (file, appRoot) in zip(files, appRoots) {
      let folder = appRoot ?? inferredAppRoot(of: file, among: knownRoots, only, idsByFolder, idGroups)
      if members[folder] == nil { order.append(folder) }
      members[folder, default: []].append(file)
    }
    return order.map { App(folder: $0, files: members[$0] ?? []) }
  }

  /// Returns the client IDs in each folder and its subfolders. A known app root counts as one client ID.
  private func clientIDs(_ appRoots: [String?]) -> [String: Set<String>] {
    var below: [String: Set<String>] = [:]
    for (file, appRoot) in zip(files, appRoots) {
      let ids: Set<String> = appRoot.map { ["root \($0)"] } ?? Self.clientIDs(of: file)
      guard !ids.isEmpty else { continue }
      var folder = appRoot ?? FilePath.folder(of: file.name)
      while true {
        below[folder, default: []].formUnion(ids)
        if folder.isEmpty || folder == "/" { break }
        folder = FilePath.folder(of: folder)
      }
    }
    return below
  }

  /// The client IDs in each known app root, and the client IDs in settings outside of all known app roots.
  private struct ClientIDGroups {
    var byRoot: [String: Set<String>] = [:]
    var others: Set<String> = []
  }

  private func clientIDGroups(_ appRoots: [String?]) -> ClientIDGroups {
    var groups = ClientIDGroups()
    let knownRoots = Set(appRoots.compactMap { $0 })
    for (file, knownRoot) in zip(files, appRoots) {
      if let root = knownRoot ?? Self.nearestRoot(above: file, among: knownRoots) {
        groups.byRoot[root, default: []].formUnion(Self.clientIDs(of: file))
      } else if file.kind != .workflow {
        groups.others.formUnion(file.loadedSettings.compactMap { $0.clientID?.value.lowercased() })
      }
    }
    return groups
  }

  /// Returns the nearest known app root above a file.
  private static func nearestRoot(above file: ValidatedFile, among knownRoots: Set<String>) -> String? {
    var folder = FilePath.folder(of: file.name)
    while !knownRoots.contains(folder) {
      if folder.isEmpty || folder == "/" { return nil }
      folder = FilePath.folder(of: folder)
    }
    return folder
  }

  private static func clientIDs(of file: ValidatedFile) -> Set<String> {
    // Settings in a workflow may be experimental.
    guard file.kind != .workflow else { return [] }
    let settings = file.loadedSettings.compactMap(\.clientID)
    return Set((settings + file.appManifests.compactMap(\.clientID)).map { $0.value.lowercased() })
  }

  /// Returns the nearest known app root above a file. If there is no app root above the file, returns the only known
  /// app root in the searched folder, or the topmost folder above the file that contains only one client ID.
  ///
  /// A server or web page next to the only mobile app is a separate app if its settings contain a different client ID.
  private func inferredAppRoot(
    of file: ValidatedFile, among knownRoots: Set<String>, _ onlyBelow: [String: String?],
    _ ids: [String: Set<String>], _ idGroups: ClientIDGroups
  ) -> String {
    let root = Self.root(of: file)
    var folder = FilePath.folder(of: file.name)
    if FilePath.name(of: folder) == Self.scripts { folder = FilePath.folder(of: folder) }
    var topmost = folder
    var isTopmost = false
    while !knownRoots.contains(folder) {
      if !isTopmost, ids[folder]?.count ?? 0 <= 1 { topmost = folder } else { isTopmost = true }
      if sampleFolders.contains(folder) { isTopmost = true }
      if folder == root || folder.isEmpty || folder == "/" {
        guard let only = onlyBelow[root] ?? nil else { return topmost }
        let folderIDs = ids[topmost] ?? []
        let rootIDs = idGroups.byRoot[only] ?? []
        let isOtherApp = !folderIDs.isEmpty && !rootIDs.isEmpty && rootIDs.isDisjoint(with: folderIDs)
        return isOtherApp && folderIDs.isSubset(of: idGroups.others) ? topmost : only
      }
      folder = FilePath.folder(of: folder)
    }
    return folder
  }

  private static func root(of file: ValidatedFile) -> String {
    file.root.map { $0 == "." ? "" : FilePath.join("", $0) } ?? ""
  }

  /// Returns the app root that a file's path identifies, or nil if the path does not identify an app root.
  private func knownAppRoot(of file: ValidatedFile) -> String? {
    let isAbsolute = file.name.hasPrefix("/")
    let folders = file.name.split(separator: "/").dropLast().map(String.init)
    func path(_ count: Int) -> String { (isAbsolute ? "/" : "") + folders[..<count].joined(separator: "/") }
    let depth = file.root?.split(separator: "/").filter { $0 != "." }.count ?? 0
    let inner = folders.indices.filter { $0 >= depth }
    if let platform = inner.first(where: { Self.isPlatform(folders[$0]) }) {
      // A platform folder with several Xcode projects contains several apps.
      if xcodeFolderCounts[path(platform + 1), default: 0] <= 1 {
        return path(Self.above(platform, in: folders, notAbove: depth))
      }
    }
    if file.kind == .xcodeProject { return FilePath.folder(of: path(folders.count)) }
    if let source = inner.first(where: { folders[$0] == "src" }), source + 1 < folders.count,
      ["main", "debug", "release"].contains(folders[source + 1])
    {
      // `app/src/main` belongs to the `app` module, which is part of the project in the parent folder.
      return path(max(source - 1, depth))
    }
    return nil
  }

  /// Returns whether a folder is for one platform. Examples are `ios`, `android`, the Xamarin project `Contoso.iOS`,
  /// and the Kotlin project `iosApp`.
  private static func isPlatform(_ folder: String) -> Bool {
    let name = folder.lowercased()
    return platforms.contains(name) || suffixes.contains { name.hasSuffix($0) && name.count > $0.count }
  }

  /// Returns the number of folders above a platform folder, not counting folders that enclose it by convention. MAUI
  /// and Cordova use `Platforms`, and Unity uses `Assets/Plugins`.
  private static func above(_ platform: Int, in folders: [String], notAbove depth: Int) -> Int {
    var count = platform
    while count > depth, ["platforms", "plugins", "assets"].contains(folders[count - 1].lowercased()) { count -= 1 }
    return count
  }

  private static let platforms: Set<String> = [
    "ios", "android", "macos", "iosapp", "androidapp", "maccatalyst", "mac", "droid",
  ]
  private static let suffixes = [".ios", ".android", ".droid", ".mac", ".macos"]
  /// The folder that describes the app registrations in Microsoft's samples.
  private static let scripts = "AppCreationScripts"
  /// Folders that contain third-party projects or build results.
  private static let vendored: Set<String> = ["pods", "carthage", "node_modules", "build", "deriveddata", ".build"]
}
