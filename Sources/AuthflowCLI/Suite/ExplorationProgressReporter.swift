import Effects
import Reports
import Scenarios
import Synchronization

/// How far exploring has come, told by those who explore.
final class ExplorationProgressReporter: Sendable {
  private let progress = Mutex(ExplorationProgress())

  /// The walk comes to new places.
  func walked(places: Int, ways: Int) { progress.withLock { $0.walked(places: places, ways: ways) } }

  /// The walk is over, and its ways are to be proven.
  func proves(_ ways: Int) { progress.withLock { $0.proves(ways) } }

  func take(_ news: Explorer.Progress) {
    progress.withLock { progress in
      switch news {
      case .ran: progress.runs += 1
      case .proven(let count): progress.proven = count
      }
    }
  }

  func lines(at now: Instant, _ style: TerminalStyle) -> [String] { [progress.withLock { $0.line }] }
}
