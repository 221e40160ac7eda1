import Diagnostics
import Documents
import Effects
import OrderedCollections
import Trust

/// The validation configurations for the paths that the user specified.
package struct PathConfigurations: Sendable {
  /// All configurations, without duplicates, in path order.
  package private(set) var all: [ValidationConfiguration] = []
  /// The paths of the configuration files, relative to the working directory if the files are inside it.
  package private(set) var files: [String] = []
  /// The problems in the configurations.
  package private(set) var diagnostics: [Diagnostic] = []
  private var byPath: [String: Int] = [:]

  /// Creates an empty set of configurations.
  package init() {}

  /// Finds and reads the configurations for the given paths.
  /// - Parameter named: The configuration for all paths, or nil to search for the nearest configurations.
  package init(paths: [String], named: String? = nil, in world: World) {
    let workingDirectory = world.environment.workingDirectory
    var positions: [String: Int] = [:]
    for path in paths {
      let absolute = FilePath.join(workingDirectory, path)
      let start =
        path == "-"
        ? workingDirectory : world.files.kind(of: path) == .directory ? absolute : FilePath.folder(of: absolute)
      guard let file = named ?? Self.find(from: start.isEmpty ? "/" : start, in: world) else { continue }
      if positions[file] == nil {
        positions[file] = all.count
        read(file, in: world)
      }
      byPath[path] = positions[file]
    }
  }

  package func configuration(for path: String) -> ValidationConfiguration? { byPath[path].map { all[$0] } }

  /// The values of build settings, by name. If several configurations define a setting, the first value is used.
  package var definitions: [String: String] {
    var values: [String: String] = [:]
    for configuration in all { for (name, value) in configuration.definitions { values[name] = values[name] ?? value } }
    return values
  }

  /// Finds the nearest configuration in the folder or a parent folder, up to the root of the repository. If there is no
  /// repository, the search ends at the working directory.
  private static func find(from start: String, in world: World) -> String? {
    let files = world.files
    let workingDirectory = world.environment.workingDirectory
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

  private mutating func read(_ file: String, in world: World) {
    let workingDirectory = world.environment.workingDirectory
    let absolute = FilePath.join(workingDirectory, file)
    let prefix = workingDirectory == "/" ? "/" : workingDirectory + "/"
    let name = absolute.hasPrefix(prefix) ? String(absolute.dropFirst(prefix.count)) : file
    let folder = FilePath.folder(of: absolute)
    let (configuration, diagnostics) = ValidationConfiguration.read(
      ProjectReader(inputs: [name], in: world).document(at: name, options: ReadingOptions()),
      folder: folder.isEmpty ? "/" : folder)
    all.append(configuration)
    files.append(name)
    self.diagnostics += diagnostics
  }
}
