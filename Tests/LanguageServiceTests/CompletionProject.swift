import Diagnostics
import Documents
import Effects
import LanguageService
import SimulatedWorld
import Testing

/// A project with one open document, in which `¦` marks the cursor.
struct CompletionProject {
  static let folder = "/project"

  let snapshot: WorkspaceSnapshot
  let document: SnapshotDocument
  let text: String
  let offset: Int

  init(_ name: String, _ marked: String, files: [String: String] = [:], environment: [String: String] = [:]) throws {
    let parts = marked.split(separator: "¦", omittingEmptySubsequences: false)
    text = parts.joined()
    offset = parts[0].utf8.count
    let memory = MemoryFileSystem(workingDirectory: Self.folder)
    for (file, content) in files {
      let path = FilePath.join(Self.folder, file)
      try memory.makeDirectory(FilePath.folder(of: path), privately: false)
      try memory.replace(path, with: Array(content.utf8), privately: false)
    }
    var world = Simulation(
      seed: "completion", environment: environment, workingDirectory: Self.folder, grants: Grants()
    ).world
    world.files = memory
    let workspace = Workspace(folder: Self.folder, in: world)
    let path = FilePath.join(Self.folder, name)
    workspace.open(OpenDocument(path: path, text: text, version: 1))
    snapshot = workspace.snapshot()
    document = try #require(snapshot.document(at: path))
  }

  var items: [CompletionItem] { snapshot.completions(in: document, at: offset) }
  var labels: [String] { items.map(\.label) }
  var hover: Hover? { snapshot.hover(in: document, at: offset) }

  /// Returns the text after inserting the completion item with a label.
  func inserting(_ label: String) throws -> String {
    let item = try #require(items.first { $0.label == label }, "\(label) is not in \(labels)")
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(item.span.start..<item.span.end, with: Array(item.newText.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }
}
