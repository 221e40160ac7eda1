import Documents
import Effects
import Synchronization
import Validation

/// The files and folders that watch mode observes. Commands add files as they read them.
final class WatchedFiles: Sendable {
  private struct State {
    var files: Set<String> = []
    var folders: Set<String> = []
    /// The revisions before the files were read.
    var revisions: [String: BlobRevision] = [:]
    /// The names in each folder.
    var names: [String: [String]] = [:]
  }

  private let world: World
  private let state = Mutex(State())

  init(in world: World) { self.world = world }

  /// The observed folders and the folders that contain the observed files.
  var directories: Set<String> {
    state.withLock { state in state.folders.union(state.files.map(FilePath.folder(of:))) }
  }

  /// Clears the observed files before they are read again. A change while they are being read counts as a later change.
  func begin() {
    state.withLock { state in
      state.revisions = state.files.reduce(into: [:]) { $0[$1] = revision(of: $1) }
      state.names = state.folders.reduce(into: [:]) { $0[$1] = names(in: $1) }
      state.files = []
      state.folders = []
    }
  }

  /// Observes a file, even if it does not exist.
  func add(file: String) {
    let path = absolute(file)
    state.withLock { state in
      guard state.files.insert(path).inserted, state.revisions[path] == nil else { return }
      state.revisions[path] = revision(of: path)
    }
  }

  /// Observes a folder for added and removed names.
  func add(folder: String) {
    let path = absolute(folder)
    state.withLock { state in
      guard state.folders.insert(path).inserted, state.names[path] == nil else { return }
      state.names[path] = names(in: path)
    }
  }

  /// Observes the files and folders found by a search, and the named paths.
  /// - Parameter paths: The files and folders on the command line.
  func add(_ search: ProjectSearch.Result, named paths: [String]) {
    for file in search.files { add(file: file.name) }
    for folder in search.directories { add(folder: folder) }
    // A named file can be missing while an editor replaces it.
    for path in paths where !search.folders.contains(path) { add(file: path) }
  }

  /// The files that changed since they were read, and the folders with new or removed files, in sorted order.
  var changes: [String] {
    state.withLock { state in
      let files = state.files.filter { path in
        guard let earlier = state.revisions[path] else { return true }
        return !revision(of: path).provesUnchanged(since: earlier)
      }
      return (files + state.folders.filter { names(in: $0) != state.names[$0] }).sorted()
    }
  }

  private func absolute(_ path: String) -> String { FilePath.join(world.environment.workingDirectory, path) }

  private func revision(of path: String) -> BlobRevision {
    // The command reports the reason when it reads the file.
    (try? world.files.revision(of: path)) ?? .absent
  }

  /// Returns the names in a folder, excluding hidden files and the backups that editors create while they save.
  private func names(in folder: String) -> [String] {
    ((try? world.files.list(folder)) ?? []).filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }
  }
}
