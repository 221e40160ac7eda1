import Effects
import Reports
import RunTrace
import Synchronization

/// The HTML report of a run. The report is written when the run ends, fails, or is interrupted.
final class RunPageFile: Sendable {
  private let path: String
  private let session: Session
  private let reader: Mutex<(reader: TraceReader, hasEvents: Bool)>

  /// - Throws: `.usageError` if the path is empty, or the file exists and is not an HTML page.
  init(_ path: String, in session: Session) throws(ExitStatus) {
    self.path = path
    self.session = session
    reader = Mutex((TraceReader(named: path), false))
    guard !path.isEmpty, path != "-" else {
      throw session.report(.usageError, "`--report` requires a file", help: "use a path such as `run.html`")
    }
    try session.protect(path, from: "--report", kind: "an HTML page") {
      $0.prefix(64).lowercased().hasPrefix("<!doctype html>")
    }
  }

  func append(_ event: TraceEvent) {
    reader.withLock {
      $0.hasEvents = true
      $0.reader.take(Array(event.line.utf8))
    }
  }

  /// Writes the page if the run started.
  func write() throws(ExitStatus) {
    guard let run = reader.withLock({ $0.hasEvents ? $0.reader.finish().tracedRun : nil }) else { return }
    try session.write(RunPage(tracedRun: run).html(), to: path)
  }
}
