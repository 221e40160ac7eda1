import AppRegistration
import Documents

/// Finds out which files belong to the same app, by where they stand.
///
/// An Xcode project stands beside its app's files, an Android module above `src/main`, and projects for several platforms hold
/// folders called `ios` and `android`. Files that belong to no such place belong to the only app there is, or else to the folder
/// that was searched.
struct AppGrouping {
  private let files: [ValidatedFile]
  /// Folders that hold an Xcode project.
  private let xcodeHomes: Set<String>

  static func apps(of files: [ValidatedFile]) -> [App] { AppGrouping(files: files).apps() }

  private init(files: [ValidatedFile]) {
    self.files = files
    xcodeHomes = Set(
      files.filter { $0.kind == .xcodeProject }.map { FilePath.folder(of: FilePath.folder(of: $0.name)) })
  }

  private func apps() -> [App] {
    let homes = files.map(certainHome)
    let certain = Set(homes.compactMap { $0 })
    var order: [String] = []
    var members: [String: [ValidatedFile]] = [:]
    for (file, home) in zip(files, homes) {
      let folder = home ?? self.home(of: file, among: certain)
      if members[folder] == nil { order.append(folder) }
      members[folder, default: []].append(file)
    }
    return order.map { App(folder: $0, files: members[$0] ?? []) }
  }

  /// The innermost certain home above a file; where there is none, the only one below the root, or else the root itself.
  private func home(of file: ValidatedFile, among certain: Set<String>) -> String {
    let root = file.root.map { $0 == "." ? "" : $0 } ?? ""
    var folder = FilePath.folder(of: file.name)
    while !certain.contains(folder) {
      if folder == root || folder.isEmpty || folder == "/" {
        let below = certain.filter { root.isEmpty || $0 == root || $0.hasPrefix(root + "/") }
        return below.count == 1 ? below.first ?? root : root
      }
      folder = FilePath.folder(of: folder)
    }
    return folder
  }

  /// The folder that a file's own path names as its app's; nil where the path says nothing.
  private func certainHome(of file: ValidatedFile) -> String? {
    let isAbsolute = file.name.hasPrefix("/")
    let folders = file.name.split(separator: "/").dropLast().map(String.init)
    func path(_ count: Int) -> String { (isAbsolute ? "/" : "") + folders[..<count].joined(separator: "/") }
    let depth = file.root?.split(separator: "/").filter { $0 != "." }.count ?? 0
    let inner = folders.indices.filter { $0 >= depth }
    if let platform = inner.first(where: { Self.platforms.contains(folders[$0].lowercased()) }) {
      let home = path(platform + 1)
      // Several projects in one such folder are several apps.
      if xcodeHomes.count(where: { $0 == home || $0.hasPrefix(home + "/") }) <= 1 { return path(platform) }
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

  private static let platforms: Set<String> = ["ios", "android", "macos"]
}
