import Documents
import Effects
import HTTPTypes
import OAuth
import Synchronization

/// Ends a run that exceeds its limits. Waits take no real time, so a retry loop would otherwise continue until
/// libFuzzer reports a hang.
final class RunLimits: Sendable {
  static let steps = 100
  private static let requests = 300
  private static let events = 20_000

  private struct State {
    var requests = 0
    var events = 0
    var isExceeded = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var isExceeded: Bool { state.withLock { $0.isExceeded } }

  /// Sets the closure that ends the run, and calls it immediately if the run has exceeded its limits.
  func cancelWith(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.cancel = cancel
      return state.isExceeded
    }
    if isLate { cancel() }
  }

  /// Releases the closure. It refers to the run, so the run's memory would otherwise never be freed.
  func forget() { state.withLock { $0.cancel = nil } }

  func countRequest() { count(\.requests, most: Self.requests) }
  func countEvent() { count(\.events, most: Self.events) }

  private func count(_ counter: WritableKeyPath<State, Int>, most: Int) {
    let cancel = state.withLock { state -> (@Sendable () -> Void)? in
      state[keyPath: counter] += 1
      guard state[keyPath: counter] > most, !state.isExceeded else { return nil }
      state.isExceeded = true
      return state.cancel
    }
    cancel?()
  }
}

/// Counts requests and collects the secrets in the platform's responses.
final class WatchedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let limits: RunLimits
  private let issued = Mutex<Set<String>>([])

  init(_ base: any HTTPTransport, limits: RunLimits) {
    self.base = base
    self.limits = limits
  }

  var secrets: Set<String> { issued.withLock { $0 } }

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    limits.countRequest()
    let response = try await base.send(request)
    if let json = try? JSON(parsing: response.body) {
      for name in ["access_token", "refresh_token", "id_token", "device_code"] { note(json[name]?.string) }
    }
    for field in response.head.headerFields where field.name == .setCookie {
      note(String(field.value.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()))
    }
    if let location = response.head.headerFields[.location] {
      let url = URLReference(location)
      note(url.parameters["code"])
      note(FormCoding.parse(url.fragment ?? "")["code"])
    }
    return response
  }

  private func note(_ secret: String?) {
    guard let secret else { return }
    issued.withLock { _ = $0.insert(secret) }
  }
}
