import Effects
import OrderedCollections
import Synchronization

/// One piece of work at a time for the same key: who asks meanwhile waits for it and gets its outcome.
///
/// The first caller does the work in its own task; where that is cancelled, the next in line does it. Who waits and is
/// cancelled stops waiting.
final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, MSALError>

  /// Whether the caller did the work itself or got somebody else's outcome.
  enum Source { case own, shared }

  /// When a caller began: what finishes later may serve it.
  struct Ticket: Sendable {
    fileprivate var number: Int
  }

  private struct Waiter {
    var number: Int
    /// Given nil, it does the work itself.
    var continuation: CheckedContinuation<Outcome?, Never>
  }

  private struct State {
    /// Who waits for work under way, in order.
    var waiting: [Key: [Waiter]] = [:]
    var nextWaiter = 0
    /// Waiters whose cancellation came before they were registered.
    var cancelledEarly: Set<Int> = []
    var callers = 0
    /// How many pieces of work were finished, and the outcomes that may still serve a caller.
    var count = 0
    var finished: OrderedDictionary<Key, (number: Int, outcome: Outcome)> = [:]
  }

  private let state = Mutex(State())
  /// How many outcomes are kept for callers who began before they were there.
  private let kept = 32

  /// Says that a caller begins something that may end in the work; must be followed by `end`.
  func begin() -> Ticket {
    state.withLock { state in
      state.callers += 1
      return Ticket(number: state.count)
    }
  }

  func end() {
    state.withLock { state in
      state.callers -= 1
      // Nobody is left whom they could serve, and outcomes hold tokens.
      if state.callers == 0, !state.finished.isEmpty { state.finished = [:] }
    }
  }

  /// - Parameter ticket: of a caller that looked elsewhere before: the same work, finished meanwhile, serves it. Nil
  ///   shares only work that is under way.
  func run(
    _ key: Key, since ticket: Ticket? = nil, _ work: () async throws(MSALError) -> Value
  ) async -> (outcome: Outcome, source: Source) {
    while true {
      switch enter(key, ticket) {
      case .finished(let outcome): return (outcome, .shared)
      case .first:
        let outcome: Outcome
        do {
          outcome = .success(try await work())
        } catch {
          outcome = .failure(error)
        }
        leave(key, outcome, isSharable: outcome.isSuccess || !Task.isCancelled)
        return (outcome, .own)
      case .later(let number):
        if let outcome = await wait(number, for: key) { return (outcome, .shared) }
      }
    }
  }

  private enum Place {
    case finished(Outcome)
    case first
    case later(Int)
  }

  private func enter(_ key: Key, _ ticket: Ticket?) -> Place {
    state.withLock { state in
      if let ticket, let finished = state.finished[key], finished.number > ticket.number {
        return .finished(finished.outcome)
      }
      guard state.waiting[key] != nil else {
        state.waiting[key] = []
        return .first
      }
      state.nextWaiter += 1
      return .later(state.nextWaiter)
    }
  }

  private func leave(_ key: Key, _ outcome: Outcome, isSharable: Bool) {
    let waiters = state.withLock { state in
      if isSharable, state.callers > 0 {
        state.count += 1
        state.finished.removeValue(forKey: key)
        state.finished[key] = (state.count, outcome)
        if state.finished.count > kept { state.finished.removeFirst() }
      }
      return state.waiting.removeValue(forKey: key) ?? []
    }
    for waiter in waiters { waiter.continuation.resume(returning: isSharable ? outcome : nil) }
  }

  private func wait(_ number: Int, for key: Key) async -> Outcome? {
    let cancelled = Outcome.failure(MSALError(.cancelled))
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Outcome?? = state.withLock { state in
          if state.cancelledEarly.remove(number) != nil { return .some(cancelled) }
          guard state.waiting[key] != nil else { return .some(nil) }
          state.waiting[key]?.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiting[key]?.firstIndex(where: { $0.number == number }) else {
          state.cancelledEarly.insert(number)
          return nil
        }
        return state.waiting[key]?.remove(at: index)
      }
      waiter?.continuation.resume(returning: cancelled)
    }
    // The handler may also have run after the outcome came; nothing refers to the number any more.
    state.withLock { _ = $0.cancelledEarly.remove(number) }
    return outcome
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
