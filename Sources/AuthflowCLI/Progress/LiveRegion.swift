import Diagnostics
import Effects
import Reports
import Synchronization

/// Lines at the bottom of a terminal that show the progress of a task. They disappear when the task ends.
final class LiveRegion: Sendable {
  private let session: Session
  private let lines: @Sendable (Instant, TerminalStyle) -> [String]
  /// The number of lines on the screen.
  private let lineCount = Mutex(0)

  /// The time between two updates.
  private static let interval = Duration.milliseconds(100)

  /// Creates a region. Returns nil in CI, or if there is no terminal that supports cursor movement.
  /// - Parameter lines: A closure that returns the lines to show at an instant. Each line must fit in the terminal.
  init?(in session: Session, lines: @escaping @Sendable (Instant, TerminalStyle) -> [String]) {
    let environment = session.world.environment
    guard session.world.console.isTerminal(.error), environment["TERM"] != "dumb", environment["CI"] == nil else {
      return nil
    }
    self.session = session
    self.lines = lines
  }

  /// Shows the region while `work` runs. If the work ends before the first update, the region does not appear.
  func during<Result: Sendable>(_ work: () async -> Result) async -> Result {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await self.session.world.clock.sleep(for: Self.interval)) != nil { self.draw() }
      }
      let result = await work()
      group.cancelAll()
      await group.waitForAll()
      clear()
      return result
    }
  }

  /// Writes other output above the region.
  func writeAbove(_ write: () -> Void) {
    lineCount.withLock { count in
      self.write(up(count) + blank(count))
      count = 0
      write()
    }
  }

  private func draw() {
    let lines = lines(session.world.clock.now, session.style(for: .error))
    lineCount.withLock { count in
      // Overwrite individual lines, because terminals copy a cleared screen to their history.
      write(up(count) + lines.map { $0 + sequence("K") + "\n" }.joined() + blank(count - lines.count))
      count = lines.count
    }
  }

  /// Removes the region from the screen.
  private func clear() { writeAbove {} }

  private func write(_ text: String) {
    if !text.isEmpty { session.world.console.write(text, to: .error) }
  }

  /// Returns the sequence that moves the cursor up by this number of lines.
  private func up(_ lines: Int) -> String { lines > 0 ? sequence("\(lines)F") : "" }

  /// Returns the sequence that clears lines, starting at the cursor, and restores the cursor's position.
  private func blank(_ lines: Int) -> String {
    lines > 0 ? String(repeating: sequence("2K") + "\n", count: lines) + up(lines) : ""
  }

  private func sequence(_ code: String) -> String { TerminalText.sequence(code, seal: session.seal) }
}

extension LiveRegion? {
  /// Performs `work` and shows the region unless it is nil.
  func showingProgress<Result: Sendable>(_ work: () async -> Result) async -> Result {
    if let self { await self.during(work) } else { await work() }
  }
}
