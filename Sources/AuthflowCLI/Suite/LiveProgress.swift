import Effects
import Reports
import Scenarios
import Synchronization

/// Shows on a terminal how far a suite has come: one region, written over again and again, and gone at the end.
final class LiveProgress: Sendable {
  private struct State {
    var progress: SuiteProgress
    /// Lines on the screen that are to be written over.
    var shown = 0
  }

  private let session: Session
  private let started: Instant
  private let state: Mutex<State>

  /// How often the region is written anew.
  private static let interval = Duration.milliseconds(100)

  /// Nil where nobody watches: no terminal, one that cannot move its cursor, or a machine that tests by itself.
  init?(total: Int, in session: Session) {
    let environment = session.world.environment
    guard session.world.console.isTerminal(.error), environment["TERM"] != "dumb", environment["CI"] == nil else {
      return nil
    }
    self.session = session
    started = session.world.clock.now
    state = Mutex(State(progress: SuiteProgress(total: total)))
  }

  func take(_ news: SuiteRunner.Progress) {
    let now = session.world.clock.now
    state.withLock { state in
      switch news {
      case .started(let entry): state.progress.started(entry.number, entry.test.title, at: now)
      case .finished(let test): state.progress.finished(test)
      }
    }
  }

  /// Shows it until the task is cancelled. What is over before anybody could read it is never shown.
  func show() async {
    while (try? await session.world.clock.sleep(for: Self.interval)) != nil { draw() }
  }

  private func draw() {
    let now = session.world.clock.now
    let style = session.style(for: .error)
    state.withLock { state in
      let lines = state.progress.lines(at: now, style: style)
      // Line over line, and never more than is ours: terminals keep what is cleared as a whole in their history.
      let before = state.shown
      write(Self.up(before) + lines.map { $0 + "\u{1B}[K\n" }.joined() + Self.blank(before - lines.count))
      state.shown = lines.count
    }
  }

  /// Takes the region off the screen.
  func clear() {
    state.withLock { state in
      write(Self.up(state.shown) + Self.blank(state.shown))
      state.shown = 0
    }
  }

  private func write(_ text: String) {
    if !text.isEmpty { session.world.console.write(text, to: .error) }
  }

  /// To the first of so many lines above.
  private static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A\r" : "" }

  /// Empties so many lines from here on, and stays here.
  private static func blank(_ lines: Int) -> String {
    lines > 0 ? String(repeating: "\u{1B}[2K\n", count: lines) + up(lines) : ""
  }
}
