import HTTPTypes
import IdentityPlatform
import Synchronization

/// What MSAL tells the service about its own last calls, in two headers: schema 4.
final class Telemetry: Sendable {
  /// MSAL's numbers for its calls.
  enum API: Int, Sendable {
    case interactive = 167
    case silent = 34
    case deviceCode = 622
  }

  /// Why a refresh token was redeemed.
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

  private static let longestCurrent = 100
  private static let longestLast = 350
  private static let mostFailures = 75

  /// The headers of a token request. A line that would be too long is left out, or loses its oldest entries.
  func headers(_ api: API, _ reason: RefreshReason) -> HTTPFields {
    var fields = HTTPFields()
    let current = "4|\(api.rawValue),\(reason.rawValue)|"
    if current.utf8.count <= Self.longestCurrent, let name = HTTPField.Name("x-client-current-telemetry") {
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
      if line.utf8.count <= longestLast || failures.isEmpty { return line }
      failures = failures.dropFirst()
    }
  }

  func recordSilentSuccess() { state.withLock { $0.silentSuccesses += 1 } }

  /// A call that reached the server and succeeded: the server has heard of what was before.
  func recordSuccess() { state.withLock { $0 = State() } }

  func recordFailure(_ api: API, correlationID: String, _ error: MSALError) {
    state.withLock { state in
      state.failures.append((api.rawValue, correlationID, error.telemetryToken))
      if state.failures.count > Self.mostFailures { state.failures.removeFirst() }
    }
  }
}

extension MSALError {
  /// `<domain>_<code>` of the layer below MSAL, where there is one.
  fileprivate var telemetryToken: String {
    if let core { return "\(core.domain)_\(core.rawValue)" }
    return "\(domain)_\(system?.code ?? internalCode ?? code?.rawValue ?? 0)"
  }
}
