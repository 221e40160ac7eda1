import Effects
import Synchronization
import WorkflowModel

/// The browser of a run: for each visit somebody sits down in front of it, as the step's `user` says.
final class RunBrowser: Browser {
  /// Who sits there when the current step opens a page, by how often somebody sat down before.
  @TaskLocal static var seat = UserBehaviorProvider { _ in ResolvedUserBehavior() }

  private let open: @Sendable (ResolvedUserBehavior) -> any Browser
  private let sittings = Mutex(0)

  init(_ open: @escaping @Sendable (ResolvedUserBehavior) -> any Browser) {
    self.open = open
  }

  /// How often somebody sat down so far: the `interactions` of an expectation.
  var count: Int { sittings.withLock { $0 } }

  /// Nobody has sat down yet.
  func startCounting() { sittings.withLock { $0 = 0 } }

  func redirectURI(for registered: String) async -> String {
    guard let user = Self.seat.occupant(count) else { return registered }
    return await open(user).redirectURI(for: registered)
  }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let isCounted = visit.purpose != .signOut && Self.seat.isCounted
    let sitting = sittings.withLock { count in
      defer { if isCounted { count += 1 } }
      return count
    }
    guard let user = Self.seat.occupant(sitting) else {
      if isCounted { sittings.withLock { $0 -= 1 } }
      return BrowserOutcome(.unavailable(reason: "a value of the user behavior is missing"))
    }
    let outcome = await open(user).visit(visit)
    // Where no page can be shown nobody sat down.
    if case .unavailable = outcome.ending, isCounted { sittings.withLock { $0 -= 1 } }
    return outcome
  }
}

/// Who sits down in front of the browser, by how often somebody did before.
///
/// An object, because a task-local value of function type crashes when it is pushed in optimized builds (Swift 6.3.1).
final class UserBehaviorProvider: Sendable {
  typealias Occupant = @Sendable (_ sitting: Int) throws(UnresolvedValue) -> ResolvedUserBehavior

  private let user: Occupant
  private let missing = Mutex<UnresolvedValue?>(nil)
  /// Whether it is a sitting of the run; what merely happens in the world around it is none.
  let isCounted: Bool

  init(counted: Bool = true, _ user: @escaping Occupant) {
    self.user = user
    isCounted = counted
  }

  /// The value that the user behavior lacked when a page opened, or nil.
  var failure: UnresolvedValue? { missing.withLock { $0 } }

  /// The user of an interaction, or nil if a value of the user behavior is missing.
  func occupant(_ sitting: Int) -> ResolvedUserBehavior? {
    do throws(UnresolvedValue) {
      return try user(sitting)
    } catch {
      missing.withLock { $0 = $0 ?? error }
      return nil
    }
  }
}
