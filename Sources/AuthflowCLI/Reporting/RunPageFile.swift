import Effects
import Reports
import RunTrace
import Synchronization

/// The HTML page of a run, which is written when the run ends, however it does.
final class RunPageFile: Sendable {
  private let path: String
  private let session: Session
  private let reader: Mutex<(reader: TraceReader, hasEvents: Bool)>

  /// Refuses to write over a file that is no page.
  init(_ path: String, in session: Session) throws(ExitStatus) {
    self.path = path
    self.session = session
    reader = Mutex((TraceReader(named: path), false))
    guard !path.isEmpty, path != "-" else {
      session.printStatus(
        "error: --report names no file\n  help: name one, such as run.html; the run itself is told here")
      throw .usageError
    }
    try session.protect(path, from: "--report", kind: "HTML page") {
      $0.prefix(64).lowercased().hasPrefix("<!doctype html>")
    }
  }

  func take(_ event: TraceEvent) {
    reader.withLock {
      $0.hasEvents = true
      $0.reader.take(Array(event.line.utf8))
    }
  }

  /// Writes the page; nothing where nothing was run.
  func write() throws(ExitStatus) {
    let story = reader.withLock { $0.hasEvents ? $0.reader.finish().story : nil }
    guard let story else { return }
    try session.write(RunPage(story: story).html(), to: path)
  }
}
