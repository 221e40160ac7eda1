import AppRegistration
import Diagnostics
import Documents
import Effects
import Synchronization
import Trust
import Validation

/// The files in a workspace at one moment. All responses of the language service depend only on a snapshot.
package final class WorkspaceSnapshot: Sendable {
  /// The files and the configuration, which are read from disk when a response needs them.
  private struct Contents {
    var files: [NamedFile]
    var positions: [String: Int]
    var configurations: PathConfigurations
    var saved: ProjectSearch.Result
  }

  /// The absolute path of the folder.
  package let folder: String
  /// The environment for runs. Its files contain the unsaved text of open documents and are read-only.
  package let world: World
  private let open: [String: OpenDocument]
  private let saved: SavedFiles
  private let caches: WorkspaceCaches
  private let reader: ProjectReader
  private let read = Mutex<Contents?>(nil)
  private let validated = Mutex<FilteredReport?>(nil)
  let symbols: SnapshotSymbols

  init(folder: String, world: World, saved: SavedFiles, open: [String: OpenDocument], caches: WorkspaceCaches) {
    self.folder = folder
    self.world = world
    self.saved = saved
    self.open = open
    self.caches = caches
    symbols = SnapshotSymbols(cache: caches.symbols)
    reader = ProjectReader(inputs: ["."], in: world)
  }

  private var contents: Contents {
    read.withLock { contents in
      if let contents { return contents }
      let configurations = PathConfigurations(paths: ["."], in: world)
      let saved = saved.search(configurations)
      var found = Contents(files: saved.files, positions: [:], configurations: configurations, saved: saved)
      for (index, file) in found.files.enumerated() { found.positions[file.name] = index }
      for (path, document) in open.sorted(by: { $0.key < $1.key }) {
        let name = name(of: path)
        // The configuration file is not an app file.
        guard !ValidationConfiguration.fileNames.contains(FilePath.name(of: name)) else { continue }
        let position = found.positions[name] ?? found.files.count
        // The user opened the file, so it is checked even if the search skips it.
        if position == found.files.count { found.files.append(NamedFile(name: name, bytes: [], root: ".")) }
        found.positions[name] = position
        found.files[position].bytes = document.bytes
        found.files[position].isOpen = true
      }
      if !Task.isCancelled { contents = found }
      return found
    }
  }

  /// All files with their names relative to the folder. The name of a file outside the folder is its absolute path.
  package var files: [NamedFile] { contents.files }

  /// The validation configurations that apply to the folder.
  package var configurations: PathConfigurations { contents.configurations }

  /// Returns the name of a file relative to the folder, or the path itself if the file is outside the folder.
  package func name(of path: String) -> String {
    let path = FilePath.join(folder, path)
    let prefix = folder == "/" ? "/" : folder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  /// Returns the absolute path of a file.
  package func path(of name: String) -> String { FilePath.join(folder, name) }

  /// Returns the open document at a path, or nil if it is not open.
  package func openDocument(at path: String) -> OpenDocument? { open[FilePath.join(folder, path)] }

  /// The absolute paths of the open documents, sorted.
  package var openPaths: [String] { open.keys.sorted() }

  // MARK: Reading

  /// Reads a file in the project. Files outside the project are rejected.
  package func load(_ path: String, _ options: ReadingOptions = ReadingOptions()) -> ReadResult {
    let contents = contents
    if let position = contents.positions[name(of: path)] {
      let cache = caches.validated(with: contents.configurations.definitions)
      return cache.document(contents.files[position].bytes, named: path, options: options)
    }
    return reader.projectDocument(at: path, options: options)
  }

  /// Returns a document in the project, or nil if it cannot be read.
  /// - Parameter path: An absolute path, or a path relative to the folder.
  package func document(at path: String) -> SnapshotDocument? {
    let path = FilePath.join(folder, path)
    let name = name(of: path)
    let bytes: [UInt8]
    if let document = open[path] {
      bytes = document.bytes
    } else if let position = contents.positions[name] {
      bytes = contents.files[position].bytes
    } else if reader.outsideProjectError(name) == nil, case .success(let read) = world.bytes(of: name) {
      bytes = read
    } else {
      return nil
    }
    return SnapshotDocument(path: path, name: name, parsed: caches.parsed.document(bytes, named: name), snapshot: self)
  }

  // MARK: Validation

  /// The findings in all files. If the task is canceled, the report is incomplete.
  package var report: FilteredReport {
    validated.withLock { validated in
      if let validated { return validated }
      let report = validate(files)
      if !Task.isCancelled { validated = report }
      return report
    }
  }

  /// The decoded files.
  package var project: Project { report.project }

  /// Returns the findings as if files had the given contents, such as the result of an edit.
  package func validate(_ files: [NamedFile]) -> FilteredReport {
    let contents = contents
    let configurations = contents.configurations
    var validator = ProjectValidator(
      definitions: configurations.definitions, now: world.clock.now.secondsSince1970, load: reader.projectDocument)
    validator.cache = caches.validated(with: configurations.definitions)
    var byName = contents.saved.configurations
    if let configuration = configurations.configuration(for: ".") {
      for file in files where byName[file.name] == nil { byName[file.name] = configuration }
    }
    let configured = ConfiguredValidator(
      validator: validator, configurations: byName, all: configurations.all, workingDirectory: folder,
      searched: contents.saved.searched)
    var report = configured.check(files)
    report.diagnostics += configurations.diagnostics
    return report
  }
}
