import Synchronization

/// Limits the number of tool calls that run at the same time. Additional calls wait in order.
package final class MCPGate: Sendable {
  private struct State {
    var free: Int
    var nextID = 0
    var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  package init(limit: Int) { state = Mutex(State(free: max(1, limit))) }

  /// Runs a call as soon as the number of running calls is below the limit.
  /// - Returns: The result, or nil if the task was canceled while it waited.
  package func run<Result: Sendable, Failure: Error>(
    _ call: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    guard await enter() else { return nil }
    defer { leave() }
    return try await call()
  }

  private func enter() async -> Bool {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayEnter = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let mayEnter { continuation.resume(returning: mayEnter) }
      }
    } onCancel: {
      let canceled = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
      }
      canceled?.resume(returning: false)
    }
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
      state.free += 1
      return nil
    }
    next?.resume(returning: true)
  }
}
