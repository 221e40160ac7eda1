import Diagnostics
import Documents
import Effects
import OrderedCollections
import Validation

/// The configurations that hold for the paths of a command line.
struct ValidateConfigurations {
  /// Each once, in the order of the paths.
  private(set) var all: [ValidationConfiguration] = []
  private var byPath: [String: Int] = [:]

  /// - Throws: `.unusable` where one is wrong; what is wrong is shown.
  init(paths: [String], named: String?, isOff: Bool, in session: Session) throws(ExitStatus) {
    guard !isOff else { return }
    let workingDirectory = session.world.environment.workingDirectory
    var positions: [String: Int] = [:]
    for path in paths {
      let start =
        path == "-"
        ? workingDirectory
        : session.world.files.kind(of: path) == .directory
          ? FilePath.join(workingDirectory, path) : FilePath.folder(of: FilePath.join(workingDirectory, path))
      guard let file = named ?? Self.find(from: start.isEmpty ? "/" : start, in: session) else { continue }
      if positions[file] == nil {
        positions[file] = all.count
        all.append(try Self.read(file, in: session))
      }
      byPath[path] = positions[file]
    }
  }

  func configuration(for path: String) -> ValidationConfiguration? { byPath[path].map { all[$0] } }

  /// Values for build settings; of several the first one that gives one.
  var definitions: [String: String] {
    var values: [String: String] = [:]
    for configuration in all { for (name, value) in configuration.definitions { values[name] = values[name] ?? value } }
    return values
  }

  /// The nearest configuration: in the folder, or above it up to the repository's root; without a repository up to the working
  /// directory.
  private static func find(from start: String, in session: Session) -> String? {
    let files = session.world.files
    let workingDirectory = session.world.environment.workingDirectory
    var folder = start
    var found: String?
    while true {
      func path(_ name: String) -> String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
      if found == nil {
        found = ValidationConfiguration.fileNames.map(path).first { files.kind(of: $0) == .file }
      }
      if files.kind(of: path(".git")) != nil { return found }
      if folder == "/" { break }
      folder = FilePath.folder(of: folder)
    }
    guard let found else { return nil }
    let home = FilePath.folder(of: found)
    return home == start || home == workingDirectory || home.hasPrefix(workingDirectory + "/") ? found : nil
  }

  private static func read(_ file: String, in session: Session) throws(ExitStatus) -> ValidationConfiguration {
    let workingDirectory = session.world.environment.workingDirectory
    let absolute = FilePath.join(workingDirectory, file)
    let name =
      absolute.hasPrefix(workingDirectory + "/") ? String(absolute.dropFirst(workingDirectory.count + 1)) : file
    let folder = FilePath.folder(of: absolute)
    let (configuration, told) = ValidationConfiguration.read(
      session.reading(of: name), folder: folder.isEmpty ? "/" : folder)
    session.show(told)
    if told.hasErrors { throw .usageError }
    return configuration
  }
}
