import Effects
import Synchronization

/// The browser of a run: for each visit somebody sits down in front of it, as the step's `user` says.
final class SeatedBrowser: Browser {
  /// Who sits there when the current step opens a page, by how often somebody sat down before.
  @TaskLocal static var seat = Seat { _ in PersonAtKeyboard() }

  private let open: @Sendable (PersonAtKeyboard) -> any Browser
  private let sittings = Mutex(0)

  init(_ open: @escaping @Sendable (PersonAtKeyboard) -> any Browser) {
    self.open = open
  }

  /// How often somebody sat down so far: the `interactions` of an expectation.
  var count: Int { sittings.withLock { $0 } }

  /// Nobody has sat down yet.
  func startCounting() { sittings.withLock { $0 = 0 } }

  func redirectURI(for registered: String) async -> String {
    await open(Self.seat.person(count)).redirectURI(for: registered)
  }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let isCounted = visit.purpose != .signOut && Self.seat.isCounted
    let sitting = sittings.withLock { count in
      defer { if isCounted { count += 1 } }
      return count
    }
    let outcome = await open(Self.seat.person(sitting)).visit(visit)
    // Where no page can be shown nobody sat down.
    if case .unavailable = outcome.ending, isCounted { sittings.withLock { $0 -= 1 } }
    return outcome
  }
}

/// Who sits down in front of the browser, by how often somebody did before.
///
/// An object, because a task-local value of function type crashes when it is pushed in optimised builds (Swift 6.3.1).
final class Seat: Sendable {
  let person: @Sendable (_ sitting: Int) -> PersonAtKeyboard
  /// Whether it is a sitting of the run; what merely happens in the world around it is none.
  let isCounted: Bool

  init(counted: Bool = true, _ person: @escaping @Sendable (_ sitting: Int) -> PersonAtKeyboard) {
    self.person = person
    isCounted = counted
  }
}
