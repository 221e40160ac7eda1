import Effects
import Reports
import Synchronization
import Validation

/// The progress of a validation, for the live region of a terminal.
final class ValidationProgressReporter: Sendable {
  private let progress = Mutex(ValidatingProgress())

  func handle(_ event: ProjectValidator.Progress) {
    progress.withLock { progress in
      switch event {
      case .started(let files): progress.begin(files)
      case .read: progress.readFile()
      case .checked: progress.checkedFile()
      }
    }
  }

  func lines(at now: Instant, _ style: TerminalStyle) -> [String] { [progress.withLock { $0.line }] }
}
