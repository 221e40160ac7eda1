import Diagnostics
import Effects
import Reports
import Synchronization

/// A few lines of a terminal that are written over again and again while something takes its time, and gone at its end.
final class LiveRegion: Sendable {
  private let session: Session
  private let lines: @Sendable (Instant, TerminalStyle) -> [String]
  /// Lines on the screen that are to be written over.
  private let shown = Mutex(0)

  /// How often the region is written anew.
  private static let interval = Duration.milliseconds(100)

  /// Nil where nobody watches: no terminal, one that cannot move its cursor, or a machine that works by itself.
  /// - Parameter lines: what is to be read at an instant, each line narrower than the terminal.
  init?(in session: Session, lines: @escaping @Sendable (Instant, TerminalStyle) -> [String]) {
    let environment = session.world.environment
    guard session.world.console.isTerminal(.error), environment["TERM"] != "dumb", environment["CI"] == nil else {
      return nil
    }
    self.session = session
    self.lines = lines
  }

  /// Shows it for as long as the work goes on. What is over before anybody could read it is never shown.
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

  /// Lets something else be written where the region stands; it is drawn anew below.
  func aside(_ write: () -> Void) {
    shown.withLock { shown in
      self.write(up(shown) + blank(shown))
      shown = 0
      write()
    }
  }

  private func draw() {
    let lines = lines(session.world.clock.now, session.style(for: .error))
    shown.withLock { shown in
      // Line over line, and never more than is ours: terminals keep what is cleared as a whole in their history.
      write(up(shown) + lines.map { $0 + sequence("K") + "\n" }.joined() + blank(shown - lines.count))
      shown = lines.count
    }
  }

  /// Takes the region off the screen.
  private func clear() { aside {} }

  private func write(_ text: String) {
    if !text.isEmpty { session.world.console.write(text, to: .error) }
  }

  /// To the first of so many lines above.
  private func up(_ lines: Int) -> String { lines > 0 ? sequence("\(lines)F") : "" }

  /// Empties so many lines from here on, and stays here.
  private func blank(_ lines: Int) -> String {
    lines > 0 ? String(repeating: sequence("2K") + "\n", count: lines) + up(lines) : ""
  }

  private func sequence(_ code: String) -> String { TerminalText.sequence(code, seal: session.seal) }
}

extension LiveRegion? {
  /// Shows it if there is one.
  func watching<Result: Sendable>(_ work: () async -> Result) async -> Result {
    if let self { await self.during(work) } else { await work() }
  }
}
