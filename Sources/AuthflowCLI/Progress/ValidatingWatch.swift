import Effects
import Reports
import Synchronization
import Validation

/// The progress of a validation, as the validator reports it.
final class ValidatingWatch: Sendable {
  private let progress = Mutex(ValidatingProgress())

  func take(_ news: ProjectValidator.Progress) {
    progress.withLock { progress in
      switch news {
      case .begins(let files): progress.begin(files)
      case .read: progress.readFile()
      case .checked: progress.checkedFile()
      }
    }
  }

  func lines(at now: Instant, _ style: TerminalStyle) -> [String] { [progress.withLock { $0.line }] }
}
