import Effects
import OrderedCollections

/// A sign-in whose page is open in a browser. A control request can complete the sign-in in place of the user.
struct WaitingSignIn: Hashable, Sendable {
  /// The decision from a control request. The page then submits its form.
  enum Outcome: Hashable, Sendable {
    case waiting
    /// The sign-in is approved for this account.
    case approved(accountID: String)
    case declined
  }

  /// The ID of the sign-in, which the page also contains.
  var id: String
  var clientID: String
  var appName: String
  var scope: String
  /// The current page.
  var screen: Screen?
  /// The username that the user entered or the app requested.
  var username: String?
  var startedAt: Instant
  var outcome = Outcome.waiting
}

/// The sign-ins whose pages are open, oldest first.
struct WaitingSignIns: Sendable {
  private var byID: OrderedDictionary<String, WaitingSignIn> = [:]

  /// The maximum number of sign-ins. The oldest sign-ins are removed first.
  private static let limit = 100

  /// Adds a sign-in, or updates the page of a sign-in that was already added.
  mutating func add(_ signIn: WaitingSignIn) {
    if byID.count >= Self.limit, byID[signIn.id] == nil { byID.removeFirst() }
    byID[signIn.id] = signIn
  }

  mutating func remove(_ id: String) { byID[id] = nil }

  /// Records a decision for a sign-in.
  /// - Returns: Whether the sign-in is waiting.
  mutating func decide(_ id: String, _ outcome: WaitingSignIn.Outcome) -> Bool {
    guard byID[id] != nil else { return false }
    byID[id]?.outcome = outcome
    return true
  }

  subscript(id: String) -> WaitingSignIn? { byID[id] }

  /// Returns the sign-ins whose pages are still valid.
  func current(at now: Instant) -> [WaitingSignIn] {
    byID.values.filter { now - $0.startedAt <= LoginEndpoint.pageLifetime }
  }
}
