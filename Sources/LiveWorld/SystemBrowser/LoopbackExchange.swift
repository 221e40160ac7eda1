import Effects
import HTTPTypes
import Synchronization

/// The redirect that a visit waits for.
struct LoopbackExpectation: Sendable {
  var address: LoopbackAddress
  var answer: RedirectExpectation
  /// A closure that receives the reason when a redirect is rejected.
  var turnedAway: @Sendable (String) -> Void
}

/// An object that passes the redirect from the server's connections to the visit.
final class LoopbackExchange: Sendable {
  private enum State {
    /// No visit has started, and the server only reserves the port.
    case idle
    case awaiting(LoopbackExpectation)
    case answered, ended
  }

  private let state = Mutex(State.idle)
  private let redirects: AsyncStream<String>
  private let source: AsyncStream<String>.Continuation

  init() {
    (redirects, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// Starts accepting the redirect.
  func expect(_ expectation: LoopbackExpectation) {
    state.withLock { if case .idle = $0 { $0 = .awaiting(expectation) } }
  }

  /// - Returns: The URL of the redirect, or nil if the task is canceled or the exchange has ended.
  func redirect() async -> String? {
    for await url in redirects { return url }
    return nil
  }

  /// Rejects all subsequent requests.
  func end() {
    state.withLock { $0 = .ended }
    source.finish()
  }

  /// Returns the page for a request. The first request with the expected redirect completes the exchange.
  func response(to request: RequestMessage) -> ResponseMessage {
    let (response, rejection) = state.withLock { state -> (ResponseMessage, (@Sendable () -> Void)?) in
      switch state {
      case .idle, .ended: return (LoopbackPage.stray.response(404), nil)
      case .answered: return (LoopbackPage.answered.response(410), nil)
      case .awaiting(let expectation):
        switch LoopbackRequest(request).result(for: expectation) {
        case .refused(let status, let page): return (page.response(status), nil)
        case .turnedAway(let page, let reason): return (page.response(400), { expectation.turnedAway(reason) })
        case .redirect(let url, let page):
          state = .answered
          source.yield(url)
          return (page.response(200), nil)
        }
      }
    }
    rejection?()
    return response
  }
}
