import Diagnostics
import Documents
import Effects
import LanguageService
import SimulatedWorld
import TestSupport
import Testing

/// A project for language service tests. The character `§` in a file marks the cursor.
struct NavigationProject {
  static let folder = "/project"

  let workspace: Workspace
  private(set) var cursor: (file: String, offset: Int)?
  private(set) var texts: [String: String] = [:]

  /// - Parameter files: The file contents by name.
  init(_ files: [String: String]) throws {
    let memory = MemoryFileSystem(workingDirectory: "/elsewhere")
    try memory.makeDirectory(Self.folder, privately: false)
    for (name, text) in files {
      var text = text
      if let mark = text.firstIndex(of: "§") {
        cursor = (name, text[..<mark].utf8.count)
        text.remove(at: mark)
      }
      texts[name] = text
      let path = "\(Self.folder)/\(name)"
      try memory.makeDirectory(FilePath.folder(of: path), privately: false)
      try memory.replace(path, with: Array(text.utf8), privately: false)
    }
    var world = Simulation(
      seed: "navigation", environment: [:], workingDirectory: "/elsewhere", grants: Grants()
    ).world
    world.files = memory
    workspace = Workspace(folder: Self.folder, in: world)
  }

  var snapshot: WorkspaceSnapshot { workspace.snapshot() }

  func document(_ name: String) throws -> SnapshotDocument { try #require(snapshot.document(at: name)) }

  /// Returns the document that contains the cursor, and the cursor's offset.
  func marked() throws -> (document: SnapshotDocument, offset: Int) {
    let cursor = try #require(cursor)
    return (try document(cursor.file), cursor.offset)
  }

  /// Returns locations as `file:line text`. Lines start at 1.
  static func show(_ targets: [NavigationTarget]) -> [String] {
    targets.map { target in
      "\(target.file):\(target.source.location(of: target.span.start).line) \(target.source.text(in: target.span))"
    }
  }

  /// Renames the symbol at the cursor and returns the changed file contents, or the error.
  func rename(to name: String) throws -> (texts: [String: String], error: String?) {
    let (document, offset) = try marked()
    do throws(RenameError) {
      var changed: [String: String] = [:]
      for (file, edits) in try snapshot.rename(at: offset, in: document, to: name) {
        let source = try? self.document(file).source
        let bytes = try? source.map { try SpanEdits.apply(edits, to: $0) }
        changed[file] = bytes.map { String(decoding: $0, as: UTF8.self) }
      }
      return (changed, nil)
    } catch {
      return ([:], error.message)
    }
  }

  static let settings = """
    AppId: 3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c
    GraphScopes: [User.Read]
    RedirectUri: msauth.com.contoso.app://auth

    """
}

extension NavigationProject {
  /// Returns the workflows in the repository.
  static func shippedWorkflows() throws -> NavigationProject {
    var files: [String: String] = [:]
    for name in try ProjectFiles.files(in: "Workflows") {
      files[name] = String(decoding: try ProjectFiles.bytes(of: "Workflows/\(name)"), as: UTF8.self)
    }
    return try NavigationProject(files)
  }
}
