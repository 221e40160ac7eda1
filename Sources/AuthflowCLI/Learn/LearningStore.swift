import Diagnostics
import Documents
import Effects
import Lessons

/// Stores exercise files in a folder that the user selects, and the user's progress next to the state folders.
struct LearningStore {
  /// The result of writing one file of an exercise.
  struct WriteResult {
    enum WriteAction: String {
      /// The file did not exist.
      case written
      /// The file already has its original content.
      case unchanged
      /// The user has changed the file, so it was not overwritten.
      case modified
      /// The file was overwritten after the user's version was backed up.
      case restored
    }

    var path: String
    var action: WriteAction
    /// The path of the backup, if any.
    var backup: String?

    var json: JSON {
      var json: JSON = ["path": .string(path), "action": .string(action.rawValue)]
      if let backup { json["backup"] = .string(backup) }
      return json
    }
  }

  let session: Session
  /// The folder of all exercises, as specified by the user.
  let folder: String

  private static let sizeLimit = 1 << 20
  private var files: any FileSystem { session.world.files }
  private var root: String { StateFolder.root(session.world.environment) }
  private var progressFile: String { root + "/learn.json" }

  // MARK: Exercises

  func folder(of chapter: Chapter) -> String { FilePath.join(folder, chapter.folder) }

  func exercise(of chapter: Chapter) -> String { FilePath.join(folder(of: chapter), Chapter.exerciseFile) }

  /// Writes an exercise's files.
  /// - Parameter restoring: Whether to restore files that the user has changed, after saving a backup.
  func write(_ chapter: Chapter, restoring: Bool = false) throws(ExitStatus) -> [WriteResult] {
    do throws(FileFailure) {
      try files.makeDirectory(folder(of: chapter), privately: false)
      var results: [WriteResult] = []
      for file in chapter.files {
        let path = FilePath.join(folder(of: chapter), file.name)
        results.append(try write(file.text, to: path, restoring: restoring))
      }
      return results
    } catch {
      throw session.report(.environmentFailure, error.explanation, help: "use `--folder` to select another folder")
    }
  }

  private func write(_ text: String, to path: String, restoring: Bool) throws(FileFailure) -> WriteResult {
    let bytes = Array(text.utf8)
    guard let kind = files.kind(of: path) else {
      try files.replace(path, with: bytes, privately: false)
      return WriteResult(path: path, action: .written)
    }
    guard kind == .file else { return WriteResult(path: path, action: .modified) }
    // Treat a file that cannot be read as modified.
    let current = try? files.read(path, limit: Self.sizeLimit)
    if current == bytes { return WriteResult(path: path, action: .unchanged) }
    guard restoring else { return WriteResult(path: path, action: .modified) }
    let backup: String?
    if let current {
      backup = path + "~"
      try files.replace(path + "~", with: current, privately: false)
    } else {
      backup = try files.moveAside(path)
    }
    try files.replace(path, with: bytes, privately: false)
    return WriteResult(path: path, action: .restored, backup: backup)
  }

  // MARK: Progress

  /// Reads the progress. If the file cannot be read, prints a warning and returns empty progress.
  func progress() -> LearningProgress {
    guard files.kind(of: progressFile) != nil else { return LearningProgress() }
    guard let bytes = try? files.read(progressFile, limit: Self.sizeLimit), let progress = LearningProgress(bytes)
    else {
      session.printStatus("warning: cannot read your chapter progress: \(progressFile)")
      return LearningProgress()
    }
    return progress
  }

  /// Changes and saves the progress. If the progress cannot be saved, prints a warning.
  /// - Returns: The changed progress.
  @discardableResult
  func change(_ body: (inout LearningProgress) -> Void) -> LearningProgress {
    var progress = LearningProgress()
    do {
      try files.makeDirectory(root, privately: true)
      try files.locked(progressFile + ".lock") {
        progress = self.progress()
        body(&progress)
        try files.replace(progressFile, with: Array((progress.json.text(pretty: true) + "\n").utf8), privately: true)
      }
    } catch {
      body(&progress)
      session.printStatus("warning: cannot save the progress: \((error as? FileFailure)?.explanation ?? "\(error)")")
    }
    return progress
  }

  func removeProgress() throws(ExitStatus) {
    do {
      for path in [progressFile, progressFile + ".lock"]
      where files.isLink(path) || [.file, .other].contains(files.kind(of: path)) { try files.removeEntry(path) }
    } catch {
      throw session.report(.environmentFailure, error.explanation)
    }
  }
}
