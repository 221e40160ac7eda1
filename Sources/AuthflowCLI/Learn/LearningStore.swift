import Diagnostics
import Documents
import Effects
import Lessons

/// Where a learner's things are: the exercises in a folder of the working directory, the progress beside what runs keep.
struct LearningStore {
  /// One file of an exercise, and what became of it.
  struct WriteResult {
    enum WriteAction: String {
      /// It was not there.
      case written
      /// It is as it was given.
      case unchanged
      /// The learner changed it, so it stays.
      case yours
      /// It was written anew, and what the learner had is kept beside it.
      case restored
    }

    var path: String
    var fate: WriteAction
    /// Where the learner's own version is now.
    var kept: String?

    var json: JSON {
      var json: JSON = ["path": .string(path), "fate": .string(fate.rawValue)]
      if let kept { json["kept"] = .string(kept) }
      return json
    }
  }

  let session: Session
  /// The folder of all exercises, as it was named.
  let folder: String

  private static let limit = 1 << 20
  private var files: any FileSystem { session.world.files }
  private var root: String { StateFolder.root(session.world.environment) }
  private var progressFile: String { root + "/learn.json" }

  // MARK: Exercises

  func folder(of chapter: Chapter) -> String { FilePath.join(folder, chapter.folder) }

  func exercise(of chapter: Chapter) -> String { FilePath.join(folder(of: chapter), Chapter.exerciseFile) }

  /// Writes what is not there yet.
  /// - Parameter anew: whether what the learner changed is put aside and given anew.
  func write(_ chapter: Chapter, anew: Bool = false) throws(ExitStatus) -> [WriteResult] {
    do throws(FileFailure) {
      try files.makeDirectory(folder(of: chapter), privately: false)
      var written: [WriteResult] = []
      for file in chapter.files {
        let path = FilePath.join(folder(of: chapter), file.name)
        written.append(try write(file.text, to: path, anew: anew))
      }
      return written
    } catch {
      session.printStatus(
        "error: \(error.explanation)\n  help: --folder names another place")
      throw .environmentFailure
    }
  }

  private func write(_ text: String, to path: String, anew: Bool) throws(FileFailure) -> WriteResult {
    let bytes = Array(text.utf8)
    guard let kind = files.kind(of: path) else {
      try files.replace(path, with: bytes, privately: false)
      return WriteResult(path: path, fate: .written)
    }
    guard kind == .file else { return WriteResult(path: path, fate: .yours) }
    // Whatever it is, it is not what was given.
    let present = try? files.read(path, limit: Self.limit)
    if present == bytes { return WriteResult(path: path, fate: .unchanged) }
    guard anew else { return WriteResult(path: path, fate: .yours) }
    var kept: String?
    if let present {
      kept = path + "~"
      try files.replace(path + "~", with: present, privately: false)
    } else {
      kept = try files.moveAside(path)
    }
    try files.replace(path, with: bytes, privately: false)
    return WriteResult(path: path, fate: .restored, kept: kept)
  }

  // MARK: Progress

  /// What is done so far. A file that is damaged counts as none, and that is said.
  func progress() -> LearningProgress {
    guard files.kind(of: progressFile) != nil else { return LearningProgress() }
    guard let bytes = try? files.read(progressFile, limit: Self.limit), let progress = LearningProgress(bytes) else {
      session.printStatus("warning: \(progressFile) cannot be read, so no chapter counts as done")
      return LearningProgress()
    }
    return progress
  }

  /// Changes what is kept. That nothing can be kept is said, and costs nobody the lesson.
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
      session.printStatus("warning: what is done cannot be kept: \((error as? FileFailure)?.explanation ?? "\(error)")")
    }
    return progress
  }

  func forgetAll() throws(ExitStatus) {
    do {
      for path in [progressFile, progressFile + ".lock"]
      where files.isLink(path) || [.file, .other].contains(files.kind(of: path)) { try files.removeEntry(path) }
    } catch {
      session.printStatus("error: \(error.explanation)")
      throw .environmentFailure
    }
  }
}
