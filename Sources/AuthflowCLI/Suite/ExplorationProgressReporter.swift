import Effects
import Reports
import Scenarios
import Synchronization

/// The progress of an exploration, for the live region of a terminal.
final class ExplorationProgressReporter: Sendable {
  private let progress = Mutex(ExplorationProgress())

  /// Updates the number of explored machine states and paths.
  func update(states: Int, paths: Int) { progress.withLock { $0.walked(states: states, paths: paths) } }

  /// Starts the phase that proves the explored paths.
  func startProofs(_ paths: Int) { progress.withLock { $0.proves(paths) } }

  func handle(_ event: Explorer.Progress) {
    progress.withLock { progress in
      switch event {
      case .ran: progress.runs += 1
      case .proven(let count): progress.proven = count
      }
    }
  }

  func lines(at now: Instant, _ style: TerminalStyle) -> [String] { [progress.withLock { $0.line }] }
}
