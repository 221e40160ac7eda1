import HTTPTypes
import IdentityPlatform
import Synchronization

/// The telemetry that MSAL sends in two headers (schema version 4).
final class Telemetry: Sendable {
  /// MSAL's API numbers.
  enum API: Int, Sendable {
    case interactive = 167
    case silent = 34
    case deviceCode = 622
  }

  /// The reason for redeeming a refresh token.
  enum RefreshReason: Int, Sendable {
    case notApplicable = 0
    case forced
    case noCachedToken
    case expired
    case proactive
  }

  private struct State {
    var silentSuccesses = 0
    var failures: [(api: Int, correlationID: String, error: String)] = []
  }

  private let state = Mutex(State())

  private static let currentLimit = 100
  private static let lastLimit = 350
  private static let failureLimit = 75

  /// Returns the telemetry headers for a token request. Omits `x-client-current-telemetry` if it is too long. Removes
  /// the oldest entries from `x-client-last-telemetry` if it is too long.
  func headers(_ api: API, _ reason: RefreshReason) -> HTTPFields {
    var fields = HTTPFields()
    let current = "4|\(api.rawValue),\(reason.rawValue)|"
    if current.utf8.count <= Self.currentLimit, let name = HTTPField.Name("x-client-current-telemetry") {
      fields[name] = current
    }
    if let name = HTTPField.Name("x-client-last-telemetry") { fields[name] = state.withLock { Self.last($0) } }
    return fields
  }

  private static func last(_ state: State) -> String {
    var failures = state.failures[...]
    while true {
      let calls = failures.map { "\($0.api),\($0.correlationID)" }.joined(separator: ",")
      let errors = failures.map(\.error).joined(separator: ",")
      let line = "4|\(state.silentSuccesses)|\(calls)|\(errors)|"
      if line.utf8.count <= lastLimit || failures.isEmpty { return line }
      failures = failures.dropFirst()
    }
  }

  func recordSilentSuccess() { state.withLock { $0.silentSuccesses += 1 } }

  /// Records a successful request and discards all earlier telemetry, because the service has now received it.
  func recordSuccess() { state.withLock { $0 = State() } }

  func recordFailure(_ api: API, correlationID: String, _ error: MSALError) {
    state.withLock { state in
      state.failures.append((api.rawValue, correlationID, error.telemetryToken))
      if state.failures.count > Self.failureLimit { state.failures.removeFirst() }
    }
  }
}

extension MSALError {
  /// `<domain>_<code>` of the IdentityCore error, or of the MSAL error if there is none.
  fileprivate var telemetryToken: String {
    if let core { return "\(core.domain)_\(core.rawValue)" }
    return "\(domain)_\(system?.code ?? internalCode ?? code?.rawValue ?? 0)"
  }
}
