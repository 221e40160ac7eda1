import Diagnostics
import Documents
import Effects
import Trust
import WorkflowModel

extension CompletionRequest {
  /// Returns file paths or Microsoft Graph paths.
  func fileValues() -> [Candidate] {
    switch walk.place {
    case .settingsSource: return files(.settings)
    case .directorySource:
      return [.value("contoso", .constant, detail: "built-in directory", rank: 5)] + files(.directory)
    case .scenarios: return files(.scenarios)
    case .file(let kind): return files(kind)
    case .graphPath: return Self.graphPaths
    case .parameters(let kind):
      switch kind.key {
      case "use": return files(.workflow)
      case "callGraph": return Self.graphPaths
      case "wait": return Self.durations
      default: return []
      }
    default: return []
    }
  }

  private static let graphPaths: [Candidate] = GraphShape.paths.enumerated().map { index, entry in
    .value(entry.path, .constant, detail: entry.summary, rank: index == 0 ? 5 : 10)
  }

  /// Returns the files and subfolders of the folder in the text before the cursor. Only the project's files are
  /// included.
  private func files(_ kind: CompletionPlace.FileReference) -> [Candidate] {
    let typed = context.prefix
    guard !typed.hasPrefix("/"), !typed.contains("${") else { return [] }
    let base = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let folder = FilePath.join(FilePath.folder(of: document.path), base.isEmpty ? "." : base)
    let root = snapshot.folder == "/" ? "/" : snapshot.folder + "/"
    guard folder == snapshot.folder || folder.hasPrefix(root), let names = try? snapshot.world.files.list(folder) else {
      return []
    }
    var candidates: [Candidate] = []
    for name in names.prefix(2_000) where !name.hasPrefix(".") {
      let path = FilePath.join(folder, name)
      guard path != document.path else { continue }
      switch snapshot.world.files.kind(of: path) {
      case .directory:
        guard !Self.skippedFolders.contains(name) else { continue }
        var candidate = Candidate.value("\(base)\(name)/", .folder, rank: 10)
        candidate.continues = true
        candidates.append(candidate)
      case .file where Self.matches(name, kind):
        candidates.append(.value(base + name, .file, rank: Self.isLikely(name, kind) ? 20 : 30))
      default: continue
      }
    }
    if base.hasPrefix("../") || base.isEmpty, folder != snapshot.folder,
      FilePath.folder(of: folder).hasPrefix(snapshot.folder)
    {
      var parent = Candidate.value("\(base)../", .folder, rank: 15)
      parent.continues = true
      candidates.append(parent)
    }
    return candidates
  }

  private static let skippedFolders: Set<String> = ["node_modules", "Pods", "DerivedData", "Carthage"]

  private static func matches(_ name: String, _ kind: CompletionPlace.FileReference) -> Bool {
    func has(_ extensions: [String]) -> Bool { extensions.contains { name.lowercased().hasSuffix($0) } }
    return switch kind {
    case .settings, .directory: has([".plist", ".json", ".yaml", ".yml"])
    case .workflow, .scenarios: has([".yaml", ".yml", ".json", ".plist"])
    case .recording: has([".jsonl"])
    case .infoPlist: has([".plist"])
    case .cache: has([".json"])
    case .any: true
    }
  }

  private static func isLikely(_ name: String, _ kind: CompletionPlace.FileReference) -> Bool {
    let name = name.lowercased()
    return switch kind {
    case .settings: name.contains("settings") || name.contains("auth")
    case .directory: name.contains("directory")
    case .scenarios: name.contains(".scenarios.")
    case .workflow: !name.contains(".scenarios.") && !name.contains("settings") && !name.contains("directory")
    case .infoPlist: name.contains("info")
    case .recording, .cache, .any: true
    }
  }
}
