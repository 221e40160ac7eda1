import Documents
import Effects

/// The folders that a project's files may refer to.
///
/// A file's project is its repository. For a file outside a repository, the project is the working directory if that
/// directory contains the file, or otherwise the file's folder. The home folder and its parents are never a project,
/// because they contain files from other programs: a file there can refer only to visible files in the same folder.
package struct ProjectRoots: Sendable {
  private let files: any FileSystem
  private let workingDirectory: String
  /// The real paths of the roots, without duplicates.
  private let roots: [String]
  /// The roots that the user specified.
  private let granted: Set<String>
  /// The home folder, or nil if the user has none.
  private let home: String?

  /// - Parameter inputs: The files and folders that the user specified.
  package init(of inputs: [String], in world: World) {
    self.init(of: inputs, files: world.files, environment: world.environment)
  }

  package init(of inputs: [String], files: any FileSystem, environment: Environment) {
    self.files = files
    workingDirectory = environment.workingDirectory
    let home = environment["HOME"].map { files.realPath(of: $0) ?? $0 }
    self.home = home
    var roots: [String] = []
    for root in environment.grants.roots + inputs.map({ Self.root(of: $0, files, environment, home) }) {
      let real = files.realPath(of: root) ?? FilePath.join(environment.workingDirectory, root)
      if !roots.contains(real) { roots.append(real) }
    }
    self.roots = roots
    granted = Set(environment.grants.roots.map { files.realPath(of: $0) ?? $0 })
  }

  /// Returns the reason that project files may not refer to a path, or nil if they may. Symbolic links are resolved
  /// first.
  ///
  /// If the path does not exist, the nearest existing folder is checked instead, so that a missing file results in an
  /// ordinary error. Project files may not refer to version control folders or `.env` files, because these can contain
  /// credentials.
  /// - Parameter isNamed: Whether the user specified the path.
  package func violation(reading path: String, isNamed: Bool = false) -> TrustViolation? {
    let absolute = FilePath.join(workingDirectory, path)
    guard let real = realPath(of: absolute) else { return nil }
    if let root = roots.first(where: { allows($0, real, isNamed: isNamed) }) {
      guard !isNamed, Self.mayHoldCredentials(real.dropFirst(root.count)) else { return nil }
      return TrustViolation(
        .reads, "`\(path)` can contain credentials, so files must not refer to it",
        help: "move the settings to a file with a different name")
    }
    let root = roots.last ?? workingDirectory
    return TrustViolation(
      .reads, "`\(path)` is outside the project `\(root)`",
      help: "move the file into the project, or pass `--root \(FilePath.folder(of: real))`")
  }

  /// Returns the real path of a file, even if the file does not exist.
  private func realPath(of path: String) -> String? {
    var existing = path
    var missing: [String] = []
    while true {
      if let real = files.realPath(of: existing) {
        return missing.isEmpty ? real : FilePath.join(real, missing.reversed().joined(separator: "/"))
      }
      // The target of a dangling link can be created later.
      guard existing != "/", !existing.isEmpty, !files.isLink(existing) else { return path }
      missing.append(FilePath.name(of: existing))
      existing = FilePath.folder(of: existing)
    }
  }

  /// Whether a path belongs to a root. For the home folder and its parents, only visible files directly in the folder
  /// belong to the root.
  private func allows(_ root: String, _ path: String, isNamed: Bool) -> Bool {
    guard Self.contains(root, path) else { return false }
    guard !isNamed, !granted.contains(root), Self.isTooWide(root, home) else { return true }
    let name = path.dropFirst(root == "/" ? 1 : root.count + 1)
    return !name.contains("/") && !name.hasPrefix(".")
  }

  private static func isTooWide(_ folder: String, _ home: String?) -> Bool {
    folder == "/" || home.map { contains(folder, $0) } ?? false
  }

  private static func mayHoldCredentials(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/")
    return parts.contains(".git") || parts.last?.hasPrefix(".env") == true
  }

  static func contains(_ root: String, _ path: String) -> Bool {
    root == "/" || path == root || path.hasPrefix(root + "/")
  }

  private static func root(
    of input: String, _ files: any FileSystem, _ environment: Environment, _ home: String?
  ) -> String {
    let path = FilePath.join(environment.workingDirectory, input)
    let isFolder = files.kind(of: path) == .directory
    let folder = isFolder ? path : FilePath.folder(of: path)
    // A folder that is a symbolic link belongs to its target's project.
    let start = files.realPath(of: folder) ?? folder
    var ancestor = start
    while !ancestor.isEmpty, !isTooWide(ancestor, home) {
      if files.kind(of: FilePath.join(ancestor, ".git")) != nil { return ancestor }
      ancestor = FilePath.folder(of: ancestor)
    }
    let workingDirectory = files.realPath(of: environment.workingDirectory) ?? environment.workingDirectory
    if contains(workingDirectory, start), !isTooWide(workingDirectory, home) { return workingDirectory }
    return start
  }
}
