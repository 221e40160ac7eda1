import Effects
import OrderedCollections
import Synchronization

/// A coalescer of concurrent operations with the same key: later callers wait for the running operation and share its
/// outcome.
///
/// The first caller runs the operation in its own task. If that task is canceled, the next waiting caller runs the
/// operation. A waiting caller whose task is canceled stops waiting.
final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, MSALError>

  /// Whether the caller ran the operation or received a shared outcome.
  enum Source { case own, shared }

  /// A marker for the start of a call, which can use the outcome of any operation that finishes later.
  struct Ticket: Sendable {
    fileprivate var number: Int
  }

  private struct Waiter {
    var number: Int
    /// The continuation, which is resumed with nil if the caller must run the operation itself.
    var continuation: CheckedContinuation<Outcome?, Never>
  }

  private struct State {
    /// The callers that are waiting for a running operation, in order.
    var waiting: [Key: [Waiter]] = [:]
    var nextWaiter = 0
    /// Waiters that were canceled before they were registered.
    var canceledEarly: Set<Int> = []
    var callers = 0
    /// The number of finished operations, and the outcomes that a caller can still use.
    var count = 0
    var finished: OrderedDictionary<Key, (number: Int, outcome: Outcome)> = [:]
  }

  private let state = Mutex(State())
  /// The maximum number of outcomes to keep for callers that started earlier.
  private let outcomeLimit = 32

  /// Registers a caller that may run the operation later. The caller must call `end` when it finishes.
  func begin() -> Ticket {
    state.withLock { state in
      state.callers += 1
      return Ticket(number: state.count)
    }
  }

  func end() {
    state.withLock { state in
      state.callers -= 1
      // The outcomes contain tokens, so discard them when no caller can use them.
      if state.callers == 0, !state.finished.isEmpty { state.finished = [:] }
    }
  }

  /// Runs an operation, or waits for a running operation with the same key.
  /// - Parameter ticket: The start of the call. The call can also use the outcome of an operation that has finished
  ///   since the start. If nil, the call can only share a running operation.
  func run(
    _ key: Key, since ticket: Ticket? = nil, _ operation: () async throws(MSALError) -> Value
  ) async -> (outcome: Outcome, source: Source) {
    while true {
      switch enter(key, ticket) {
      case .finished(let outcome): return (outcome, .shared)
      case .first:
        let outcome: Outcome
        do {
          outcome = .success(try await operation())
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

  private enum Entry {
    case finished(Outcome)
    case first
    case later(Int)
  }

  private func enter(_ key: Key, _ ticket: Ticket?) -> Entry {
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
        if state.finished.count > outcomeLimit { state.finished.removeFirst() }
      }
      return state.waiting.removeValue(forKey: key) ?? []
    }
    for waiter in waiters { waiter.continuation.resume(returning: isSharable ? outcome : nil) }
  }

  private func wait(_ number: Int, for key: Key) async -> Outcome? {
    let canceled = Outcome.failure(MSALError(.canceled))
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome?? = state.withLock { state in
          if state.canceledEarly.remove(number) != nil { return .some(canceled) }
          guard state.waiting[key] != nil else { return .some(nil) }
          state.waiting[key]?.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiting[key]?.firstIndex(where: { $0.number == number }) else {
          state.canceledEarly.insert(number)
          return nil
        }
        return state.waiting[key]?.remove(at: index)
      }
      waiter?.continuation.resume(returning: canceled)
    }
    // The cancellation handler can also add the number after the outcome has arrived, so remove it.
    state.withLock { _ = $0.canceledEarly.remove(number) }
    return outcome
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
