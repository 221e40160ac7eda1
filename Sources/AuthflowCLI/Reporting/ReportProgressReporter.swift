import Diagnostics
import Documents
import Effects
import Reports
import Synchronization

/// The progress of `authflow report`, for the live region of a terminal.
final class ReportProgressReporter: Sendable {
  private let progress = Mutex(ReportProgress())

  func update(_ change: (inout ReportProgress) -> Void) { progress.withLock { change(&$0) } }

  /// Shows that a report is being written.
  func write(_ path: String) { update { $0.write(CaretFrame.visible(FilePath.name(of: path))) } }

  func lines(at now: Instant, _ style: TerminalStyle) -> [String] { [progress.withLock { style.shown($0.line) }] }
}
