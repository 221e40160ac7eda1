import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import Synchronization

/// Throttling of identical refresh token requests after an error. As in MSAL, HTTP errors and OAuth errors are handled
/// differently.
final class Throttling: Sendable {
  private struct Entry {
    var error: MSALError
    var created: Instant
    var ends: Instant
    /// Whether throttling also ends when the user signs in.
    var endsWithSignIn: Bool
  }

  private struct State {
    var entries: OrderedDictionary<String, Entry> = [:]
    var lastSignIn: Instant?
  }

  private let state = Mutex(State())

  static let capacity = 1000
  static let defaultWait = Duration.seconds(60)
  static let interactionWait = Duration.seconds(120)
  /// The limit for waits longer than `uncapped`. MSAL does not cap shorter waits.
  static let cap = Duration.seconds(3600)
  static let uncapped = Duration.seconds(7200)

  /// Returns the error from an identical request that just failed, or nil if the request may be sent.
  func error(for request: TokenEndpoint.Request, now: Instant) -> MSALError? {
    state.withLock { state in
      for key in [Self.strictKey(request), Self.fullKey(request)] {
        guard let entry = state.entries[key] else { continue }
        let hasEnded =
          entry.ends <= now || entry.endsWithSignIn && state.lastSignIn.map { $0 >= entry.created } ?? false
        state.entries.removeValue(forKey: key)
        if hasEnded { continue }
        // Moves the entry to the end, so that the entries remain ordered by their last use.
        state.entries[key] = entry
        var error = entry.error
        error.isThrottlingCacheHit = true
        // MSAL returns a cached token only in the request that received the 5xx response.
        error.isServerUnavailable = false
        return error
      }
      return nil
    }
  }

  /// Records an error if it causes throttling. Does not replace an existing entry.
  /// - Returns: When throttling ends, and whether it also ends when the user signs in. Nil if the error does not cause
  ///   throttling.
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
    } else if error.oauthError != nil || requiresInteraction(error) {
      key = Self.fullKey(request)
      entry = Entry(error: error, created: now, ends: now + Self.interactionWait, endsWithSignIn: true)
    } else {
      return nil
    }
    add(key, entry)
    return (entry.ends, entry.endsWithSignIn)
  }

  /// The number of throttled requests.
  var count: Int { state.withLock { $0.entries.count } }

  /// Ends the throttling of requests that required the user to sign in.
  func recordSignIn(now: Instant) { state.withLock { $0.lastSignIn = now } }

  private func requiresInteraction(_ error: MSALError) -> Bool {
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

  /// Returns the key for HTTP errors, which includes the client, the refresh token, and the scope.
  private static func strictKey(_ request: TokenEndpoint.Request) -> String {
    thumbprint("strict", request.form.entries.filter { ["client_id", "refresh_token", "scope"].contains($0.name) })
  }

  /// Returns the key for OAuth errors, which includes all parameters except the grant type.
  private static func fullKey(_ request: TokenEndpoint.Request) -> String {
    thumbprint("full", request.form.entries.filter { $0.name != "grant_type" })
  }

  private static func thumbprint(_ kind: String, _ entries: [Parameters.Entry]) -> String {
    // Hash the text, because the parameters contain the refresh token.
    let text = entries.sorted { $0.name < $1.name }.map { "\($0.name):\($0.value)" }.joined(separator: ",")
    return "\(kind) \(Thumbprint.sha256(text))"
  }
}
