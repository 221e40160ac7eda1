import Diagnostics
import Documents
import Effects
import OrderedCollections
import Validation

/// The validation configurations for the paths of a command line.
struct ValidateConfigurations {
  /// All configurations, without duplicates and in the order of the paths.
  private(set) var all: [ValidationConfiguration] = []
  private var byPath: [String: Int] = [:]

  /// - Throws: `.usageError` if a configuration has errors. They have been reported.
  init(paths: [String], named: String?, isOff: Bool, in session: Session) throws(ExitStatus) {
    guard !isOff else { return }
    let workingDirectory = session.world.environment.workingDirectory
    var positions: [String: Int] = [:]
    for path in paths {
      let absolute = session.absolutePath(path)
      let start =
        path == "-"
        ? workingDirectory
        : session.world.files.kind(of: path) == .directory ? absolute : FilePath.folder(of: absolute)
      guard let file = named ?? Self.find(from: start.isEmpty ? "/" : start, in: session) else { continue }
      if positions[file] == nil {
        positions[file] = all.count
        all.append(try Self.read(file, in: session))
      }
      byPath[path] = positions[file]
    }
  }

  func configuration(for path: String) -> ValidationConfiguration? { byPath[path].map { all[$0] } }

  /// The values of build settings. If several configurations define a setting, the first value is used.
  var definitions: [String: String] {
    var values: [String: String] = [:]
    for configuration in all { for (name, value) in configuration.definitions { values[name] = values[name] ?? value } }
    return values
  }

  /// Finds the nearest configuration in the folder or a parent folder, up to the root of the repository. If there is no
  /// repository, the search ends at the working directory.
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
    let parent = FilePath.folder(of: found)
    return parent == start || parent == workingDirectory || parent.hasPrefix(workingDirectory + "/") ? found : nil
  }

  private static func read(_ file: String, in session: Session) throws(ExitStatus) -> ValidationConfiguration {
    let absolute = session.absolutePath(file)
    let name = session.relativePath(absolute) ?? file
    let folder = FilePath.folder(of: absolute)
    let (configuration, diagnostics) = ValidationConfiguration.read(
      session.readDocument(at: name), folder: folder.isEmpty ? "/" : folder)
    session.show(diagnostics)
    if diagnostics.hasErrors { throw .usageError }
    return configuration
  }
}
