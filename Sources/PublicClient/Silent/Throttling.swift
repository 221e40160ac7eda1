import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import Synchronization

/// Keeps a client that fails from asking again and again: MSAL's two models, for the redemption of refresh tokens.
final class Throttling: Sendable {
  private struct Entry {
    var error: MSALError
    var created: Instant
    var ends: Instant
    /// Whether a sign-in of the user ends the wait.
    var endsWithSignIn: Bool
  }

  private struct State {
    var entries: OrderedDictionary<String, Entry> = [:]
    var lastSignIn: Instant?
  }

  private let state = Mutex(State())

  static let capacity = 1000
  static let defaultWait = Duration.seconds(60)
  static let waitForUser = Duration.seconds(120)
  /// MSAL means an hour to be the most, and applies that only to waits of more than two.
  static let cap = Duration.seconds(3600)
  static let uncapped = Duration.seconds(7200)

  /// The error that the same request met a moment ago; nil where it may be sent.
  func answer(for request: TokenEndpoint.Request, now: Instant) -> MSALError? {
    state.withLock { state in
      for key in [Self.strictKey(request), Self.fullKey(request)] {
        guard let entry = state.entries[key] else { continue }
        let isOver = entry.ends <= now || entry.endsWithSignIn && state.lastSignIn.map { $0 >= entry.created } ?? false
        state.entries.removeValue(forKey: key)
        if isOver { continue }
        // What was used last goes last.
        state.entries[key] = entry
        var error = entry.error
        error.isThrottlingCacheHit = true
        // MSAL returns a cached token only within the request that received the 5xx itself.
        error.isServerUnavailable = false
        return error
      }
      return nil
    }
  }

  /// Remembers a failure that calls for patience. What is remembered already stays as it is.
  /// - Returns: until when the same request is answered by it, and whether a sign-in of the user ends that; nil where it
  ///   may be sent again at once.
  @discardableResult
  func record(
    _ error: MSALError, of request: TokenEndpoint.Request, now: Instant
  ) -> (until: Instant, endsWithSignIn: Bool)? {
    let isBusy = error.httpStatus.map { $0 == 429 || $0 >= 500 } ?? false
    let key: String
    let entry: Entry
    if isBusy || error.retryAfter != nil {
      key = Self.strictKey(request)
      entry = Entry(error: error, created: now, ends: now + Self.wait(error), endsWithSignIn: false)
    } else if error.oauthError != nil || needsUser(error) {
      key = Self.fullKey(request)
      entry = Entry(error: error, created: now, ends: now + Self.waitForUser, endsWithSignIn: true)
    } else {
      return nil
    }
    add(key, entry)
    return (entry.ends, entry.endsWithSignIn)
  }

  /// How many failures are remembered.
  var count: Int { state.withLock { $0.entries.count } }

  /// The user signed in: what waited for that may be tried again.
  func recordSignIn(now: Instant) { state.withLock { $0.lastSignIn = now } }

  private func needsUser(_ error: MSALError) -> Bool {
    switch error.code {
    case .interactionRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired: true
    default: false
    }
  }

  private func add(_ key: String, _ entry: Entry) {
    state.withLock { state in
      guard state.entries[key] == nil else { return }
      if state.entries.count >= Self.capacity { state.entries.removeFirst() }
      state.entries[key] = entry
    }
  }

  private static func wait(_ error: MSALError) -> Duration {
    guard let seconds = error.retryAfter.flatMap({ Int64($0.trimmingSpaces()) }), seconds >= 0 else {
      return defaultWait
    }
    let wait = Duration.seconds(min(seconds, 1_000_000_000))
    return wait > uncapped ? cap : wait
  }

  /// Client, refresh token and scope.
  private static func strictKey(_ request: TokenEndpoint.Request) -> String {
    thumbprint("strict", request.form.entries.filter { ["client_id", "refresh_token", "scope"].contains($0.name) })
  }

  /// All parameters but the grant type.
  private static func fullKey(_ request: TokenEndpoint.Request) -> String {
    thumbprint("full", request.form.entries.filter { $0.name != "grant_type" })
  }

  private static func thumbprint(_ kind: String, _ entries: [Parameters.Entry]) -> String {
    // Hashed, because the parameters hold the refresh token.
    let text = entries.sorted { $0.name < $1.name }.map { "\($0.name):\($0.value)" }.joined(separator: ",")
    return "\(kind) \(Thumbprint.sha256(text))"
  }
}
