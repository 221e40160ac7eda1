import Diagnostics
import Documents
import Effects
import Synchronization
import Trust
import Validation

/// A project folder with the unsaved text of the documents that are open in an editor.
///
/// A workspace is mutable, but its snapshots are immutable. A snapshot is created on demand and reused until the next
/// change.
package final class Workspace: Sendable {
  private struct State {
    var open: [String: OpenDocument] = [:]
    var saved: SavedFiles
    var snapshot: WorkspaceSnapshot?
  }

  /// The absolute path of the folder.
  package let folder: String
  /// Whether the folder is searched for files. Otherwise, only open documents are validated.
  package let isSearched: Bool
  private let world: World
  private let caches = WorkspaceCaches()
  private let state: Mutex<State>

  /// - Parameter isSearched: Whether to search the folder. The home folder and its parents are never searched, because
  ///   they contain the files of other programs.
  package init(folder: String, isSearched: Bool = true, in world: World) {
    var world = world
    world.environment.workingDirectory = folder
    self.folder = folder
    self.isSearched = isSearched && !Self.isTooWide(folder, home: world.environment["HOME"])
    self.world = world
    state = Mutex(State(saved: SavedFiles(folder: folder, isSearched: self.isSearched, in: world)))
  }

  private static func isTooWide(_ folder: String, home: String?) -> Bool {
    folder == "/" || home.map { $0 == folder || $0.hasPrefix(folder + "/") } ?? false
  }

  /// Whether the folder contains a file.
  package func contains(_ path: String) -> Bool { folder == "/" || path.hasPrefix(folder + "/") }

  /// Adds a document, or replaces its text.
  package func open(_ document: OpenDocument) {
    state.withLock { state in
      state.open[document.path] = document
      state.snapshot = nil
    }
  }

  /// Changes the text of an open document.
  /// - Returns: Whether the document is open.
  package func change(_ path: String, _ body: (inout OpenDocument) -> Void) -> Bool {
    state.withLock { state in
      guard var document = state.open[path] else { return false }
      body(&document)
      state.open[path] = document
      state.snapshot = nil
      return true
    }
  }

  /// Closes a document, so that its saved text is used.
  /// - Returns: Whether the document was open with unsaved text.
  @discardableResult package func close(_ path: String) -> Bool {
    state.withLock { state in
      guard let text = state.open.removeValue(forKey: path)?.bytes else { return false }
      state.saved = SavedFiles(folder: folder, isSearched: isSearched, in: world)
      state.snapshot = nil
      let saved = try? world.files.read(path, limit: text.count)
      return saved != text
    }
  }

  /// Makes the next snapshot read the saved files again.
  package func filesChanged() {
    state.withLock { state in
      state.saved = SavedFiles(folder: folder, isSearched: isSearched, in: world)
      state.snapshot = nil
    }
  }

  package func document(_ path: String) -> OpenDocument? { state.withLock { $0.open[path] } }

  /// The open documents, sorted by path.
  package var openDocuments: [OpenDocument] {
    state.withLock { $0.open.values.sorted { $0.path < $1.path } }
  }

  /// Returns a snapshot of the current files. The files are read when a response needs them.
  package func snapshot() -> WorkspaceSnapshot {
    state.withLock { state in
      if let snapshot = state.snapshot { return snapshot }
      var world = world
      world.files = WorkspaceFileSystem(base: world.files, folder: folder, open: state.open.mapValues(\.bytes))
      let snapshot = WorkspaceSnapshot(
        folder: folder, world: world, saved: state.saved, open: state.open, caches: caches)
      state.snapshot = snapshot
      return snapshot
    }
  }
}

/// The saved files in a folder, which are found and read only once.
final class SavedFiles: Sendable {
  private let isSearched: Bool
  private let world: World
  private let result = Mutex<ProjectSearch.Result?>(nil)

  init(folder: String, isSearched: Bool, in world: World) {
    self.isSearched = isSearched
    var world = world
    world.files = WorkspaceFileSystem(base: world.files, folder: folder, open: [:])
    self.world = world
  }

  /// Returns the files found in the folder. If the task is canceled, the result is incomplete, and the next call
  /// repeats the search.
  func search(_ configurations: PathConfigurations) -> ProjectSearch.Result {
    guard isSearched else { return ProjectSearch.Result() }
    return result.withLock { result in
      if let result { return result }
      let found = ProjectSearch(in: world, configurations: configurations).collect(["."])
      if !Task.isCancelled { result = found }
      return found
    }
  }
}
