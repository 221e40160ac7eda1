import Effects
import Synchronization
import WorkflowModel

/// A run's browser. It uses the user behavior of the current step.
final class RunBrowser: Browser {
  /// The user behavior of the current step.
  @TaskLocal static var userBehavior = UserBehaviorProvider { _ in ResolvedUserBehavior() }

  private let open: @Sendable (ResolvedUserBehavior) -> any Browser
  private let sittings = Mutex(0)
  private let shown = Mutex(0)

  init(_ open: @escaping @Sendable (ResolvedUserBehavior) -> any Browser) {
    self.open = open
  }

  /// The number of interactions.
  var count: Int { sittings.withLock { $0 } }

  /// The number of pages in these interactions.
  var pageCount: Int { shown.withLock { $0 } }

  /// Resets the counts.
  func startCounting() {
    sittings.withLock { $0 = 0 }
    shown.withLock { $0 = 0 }
  }

  func redirectURI(for registered: String) async -> String {
    guard let user = Self.userBehavior.occupant(count) else { return registered }
    return await open(user).redirectURI(for: registered)
  }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let isCounted = visit.purpose != .signOut && Self.userBehavior.isCounted
    let sitting = sittings.withLock { count in
      defer { if isCounted { count += 1 } }
      return count
    }
    guard let user = Self.userBehavior.occupant(sitting) else {
      if isCounted { sittings.withLock { $0 -= 1 } }
      return BrowserOutcome(.unavailable(reason: "a value in the user behavior is missing"))
    }
    let outcome = await open(user).visit(visit)
    if isCounted { shown.withLock { $0 += outcome.screens.count } }
    // If the page could not be shown, do not count an interaction.
    if case .unavailable = outcome.result, isCounted { sittings.withLock { $0 -= 1 } }
    return outcome
  }
}

/// Provides the user behavior for each interaction. The behavior depends on the number of previous interactions.
///
/// This type is a class, because a task-local value with a function type crashes in optimized builds (Swift 6.3.1).
final class UserBehaviorProvider: Sendable {
  typealias Occupant = @Sendable (_ sitting: Int) throws(UnresolvedValue) -> ResolvedUserBehavior

  private let user: Occupant
  private let missing = Mutex<UnresolvedValue?>(nil)
  /// Whether the run counts the interactions. False for interactions in simulated events.
  let isCounted: Bool

  init(counted: Bool = true, _ user: @escaping Occupant) {
    self.user = user
    isCounted = counted
  }

  /// The value in the user behavior that could not be resolved, or nil.
  var failure: UnresolvedValue? { missing.withLock { $0 } }

  /// Returns the user behavior for an interaction, or nil if a value cannot be resolved.
  func occupant(_ sitting: Int) -> ResolvedUserBehavior? {
    do throws(UnresolvedValue) {
      return try user(sitting)
    } catch {
      missing.withLock { $0 = $0 ?? error }
      return nil
    }
  }
}
