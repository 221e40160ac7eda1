import Effects
import Synchronization

/// `authflow run --watch`: runs the workflow again when a file that it depends on changes.
final class RunWatch: WatchedWork {
  let files: WatchedFiles
  private let command: RunCommand
  private let session: Session
  private let lastStatus = Mutex(ExitStatus.success)

  init(_ command: RunCommand, in session: Session) {
    self.command = command
    files = WatchedFiles(in: session.world)
    var session = session
    session.watched = files
    self.session = session
  }

  var status: ExitStatus { lastStatus.withLock { $0 } }

  var keys: [(key: Character, effect: String)] {
    [("r", "run")] + (command.report == nil ? [] : [("o", "open the report")])
  }

  var summary: String { "watching \(command.file) and the files that it refers to" }

  /// Returns true without reading files, because the run itself reads them.
  func reload() async -> Bool { true }

  func run() async {
    files.begin()
    files.add(file: command.file)
    var status = ExitStatus.success
    do throws(ExitStatus) { try await command.performOnce(in: session) } catch { status = error }
    // A canceled run has no result.
    if !Task.isCancelled { lastStatus.withLock { $0 = status } }
  }

  func press(_ key: Character) async -> WatchReaction {
    switch key {
    case "r": return .run
    case "o": if let report = command.report { await session.openInBrowser(report) }
    default: break
    }
    return .none
  }

  func enter(_ line: String) async -> WatchReaction { .none }
}
