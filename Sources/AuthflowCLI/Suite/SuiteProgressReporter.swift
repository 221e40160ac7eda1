import Effects
import Reports
import Scenarios
import Synchronization

/// The progress of a test run, for the live region of a terminal.
final class SuiteProgressReporter: Sendable {
  private let session: Session
  private let progress: Mutex<SuiteProgress>

  init(total: Int, in session: Session) {
    self.session = session
    progress = Mutex(SuiteProgress(total: total))
  }

  func handle(_ event: SuiteRunner.Progress) {
    let now = session.world.clock.now
    progress.withLock { progress in
      switch event {
      case .started(let entry): progress.started(entry.number, entry.test.title, at: now)
      case .finished(let test): progress.finished(test)
      }
    }
  }

  func lines(at now: Instant, _ style: TerminalStyle) -> [String] {
    progress.withLock { $0.lines(at: now, style: style) }
  }
}
