import Documents
import Effects

/// The folder that contains all files that a workflow writes (`saveTo`).
package struct OutputFolder: Sendable {
  private let files: any FileSystem
  private let workingDirectory: String
  private let folder: String
  private let overwrites: Bool

  /// Creates the output folder from the folder that the user chose, or from the working directory.
  package init(in world: World) {
    files = world.files
    workingDirectory = world.environment.workingDirectory
    folder = world.environment.grants.outputFolder ?? workingDirectory
    overwrites = world.environment.grants.overwrites
  }

  /// Whether an output may have this name. The name must be a relative path without `..`, hidden names, or control
  /// characters.
  ///
  /// Hidden files are not allowed, because they configure shells, editors, and version control.
  package static func mayName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return !name.isEmpty && name.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "\\") }
      && parts.allSatisfy { part in !part.isEmpty && (part == "." || !part.hasPrefix(".")) } && parts.last != "."
  }

  /// The help text for a name that is not allowed.
  package static let nameHelp =
    "use a relative path in the output folder without `..` or hidden names, such as `photos/me.jpg`"

  /// Returns the absolute path of an output, with all symbolic links in the folder's path resolved.
  /// - Parameters:
  ///   - name: The value of `saveTo`.
  ///   - isOwn: A closure that returns whether authflow wrote the existing file at a path.
  /// - Throws: A violation of the `writes` rule.
  package func path(for name: String, isOwn: (_ path: String) -> Bool) throws(TrustViolation) -> String {
    guard Self.mayName(name) else {
      throw TrustViolation(.writes, "invalid output name `\(name)`", help: Self.nameHelp)
    }
    let base = FilePath.join(workingDirectory, folder)
    let root = files.realPath(of: base) ?? base
    let path = FilePath.join(root, name)
    let parent = FilePath.folder(of: path)
    if let real = files.realPath(of: parent), !ProjectRoots.contains(root, real) {
      throw TrustViolation(
        .writes, "a link in `\(name)` points outside the output folder `\(root)`", help: "pass `--output \(real)`")
    }
    if files.isLink(path) {
      throw TrustViolation(
        .writes, "`\(name)` is a symbolic link, and authflow does not write through links",
        help: "remove the link, or use another name")
    }
    switch files.kind(of: path) {
    case nil: break
    case .file:
      guard overwrites || isOwn(path) else {
        throw TrustViolation(
          .writes, "`\(path)` exists and was not written by authflow",
          help: "pass `--overwrite` to replace it, or `--output FOLDER` to write elsewhere")
      }
    case .directory, .other:
      throw TrustViolation(.writes, "`\(path)` is not a regular file", help: "use another name")
    }
    return path
  }
}
