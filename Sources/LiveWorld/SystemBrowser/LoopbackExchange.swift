import Effects
import NIOHTTP1
import Synchronization

/// What a visit awaits at the listener.
struct LoopbackExpectation: Sendable {
  var address: LoopbackAddress
  var answer: RedirectExpectation
  /// Told about answers that were turned away.
  var turnedAway: @Sendable (String) -> Void
}

/// The one answer that is awaited, between the connections and the visit.
final class LoopbackExchange: Sendable {
  private enum State {
    /// Nobody asks yet: the port is only held.
    case idle
    case awaiting(LoopbackExpectation)
    case answered, ended
  }

  private let state = Mutex(State.idle)
  private let answers: AsyncStream<String>
  private let source: AsyncStream<String>.Continuation

  init() {
    (answers, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// From now on the answer may come.
  func expect(_ expectation: LoopbackExpectation) {
    state.withLock { if case .idle = $0 { $0 = .awaiting(expectation) } }
  }

  /// - Returns: the redirect's address; nil when the task is cancelled, or nothing more can come.
  func redirect() async -> String? {
    for await url in answers { return url }
    return nil
  }

  /// Nothing counts any more.
  func end() {
    state.withLock { $0 = .ended }
    source.finish()
  }

  /// Judges a request; the first that answers is the one that counts, once its page has been sent.
  func reply(to request: LoopbackRequest) -> LoopbackReply {
    let (reply, told) = state.withLock { state -> (LoopbackReply, (@Sendable () -> Void)?) in
      switch state {
      case .idle, .ended: return (LoopbackReply(.notFound, page: .stray), nil)
      case .answered: return (LoopbackReply(.gone, page: .answered), nil)
      case .awaiting(let expectation):
        switch request.verdict(expectation) {
        case .refused(let reply): return (reply, nil)
        case .turnedAway(let reply, let reason): return (reply, { expectation.turnedAway(reason) })
        case .answer(let url, let page):
          state = .answered
          let source = self.source
          return (LoopbackReply(.ok, page: page) { source.yield(url) }, nil)
        }
      }
    }
    told?()
    return reply
  }
}
