import Dispatch
import Effects
import Synchronization

/// Runs every job of one scenario, one at a time and in the order in which they were enqueued, and moves the scenario's
/// clock to its next timer whenever nothing is left to run.
///
/// Tasks come onto it through ``Simulation/run(_:)`` (or `Task(executorPreference:)`); child tasks and default actors
/// follow their task, so everything awaited inside is serial and repeats. Priorities are ignored on purpose. Two things
/// do not follow: an unstructured `Task {}` or `Task.detached {}` (the language gives them no executor of their parent),
/// and actors with an executor of their own. What waits for such outside work counts as idle, and time may jump.
package final class SerialScenarioExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// How many entries at the front of `jobs` have run already.
    var taken = 0
    var draining = false
    var now: Instant
    var timers: [Timer] = []
    var nextTimer = 0
    /// Timers cancelled before they were registered: the cancellation handler may come first.
    var cancelledEarly: Set<Int> = []
  }

  private struct Timer {
    var deadline: Instant
    /// Order of registration; decides between equal deadlines.
    var number: Int
    var continuation: CheckedContinuation<Void, any Error>
  }

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "authflow.scenario")

  init(start: Instant) {
    state = Mutex(State(now: start))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let wake = state.withLock { state in
      state.jobs.append(unowned)
      return Self.needsWaking(&state)
    }
    if wake { queue.async { self.drain() } }
  }

  /// Keeps what is enqueued from now on waiting for ``drainHere()``, unless somebody runs it already.
  /// - Returns: whether the caller has to drain.
  func hold() -> Bool { state.withLock { Self.needsWaking(&$0) } }

  /// Runs what is enqueued on the calling thread, until nothing is left to run or it waits for something outside.
  ///
  /// What goes on for long is taken over by a thread of its own: the caller's may be one of few, and others need it.
  func drainHere() {
    if !drain(atMost: Self.shortRun) { queue.async { self.drain() } }
  }

  /// Jobs of a run that is worth no other thread; a sign-in has some hundreds.
  private static let shortRun = 20_000

  var now: Instant { state.withLock { $0.now } }

  /// Moves the clock without waiting; timers that are due by then fire in their order.
  func advance(to instant: Instant) {
    let wake = state.withLock { state in
      if instant > state.now { state.now = instant }
      return Self.needsWaking(&state)
    }
    if wake { queue.async { self.drain() } }
  }

  /// Sets the clock, forward or back. Whoever waits goes on waiting as long as before: a timer counts time that passes,
  /// and none does.
  func set(to instant: Instant) {
    state.withLock { state in
      let shift = instant - state.now
      for index in state.timers.indices { state.timers[index].deadline = state.timers[index].deadline + shift }
      state.now = instant
    }
  }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    let number = state.withLock { state in
      defer { state.nextTimer += 1 }
      return state.nextTimer
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (cancelled, wake) = state.withLock { state -> (Bool, Bool) in
          if state.cancelledEarly.remove(number) != nil { return (true, false) }
          let timer = Timer(deadline: state.now + max(duration, .zero), number: number, continuation: continuation)
          // Kept sorted, so that the first is always the next to fire.
          let index = state.timers.firstIndex { $0.deadline > timer.deadline } ?? state.timers.count
          state.timers.insert(timer, at: index)
          return (false, Self.needsWaking(&state))
        }
        if cancelled { continuation.resume(throwing: CancellationError()) }
        if wake { queue.async { self.drain() } }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        if let index = state.timers.firstIndex(where: { $0.number == number }) {
          return state.timers.remove(at: index).continuation
        }
        state.cancelledEarly.insert(number)
        return nil
      }
      continuation?.resume(throwing: CancellationError())
    }
    // The handler may also have run after the timer fired; nothing refers to the number any more.
    state.withLock { _ = $0.cancelledEarly.remove(number) }
  }

  private static func needsWaking(_ state: inout State) -> Bool {
    if state.draining { return false }
    state.draining = true
    return true
  }

  /// What the drain does next, decided under the lock and done outside it.
  private enum Action {
    case run(UnownedJob)
    case fire(CheckedContinuation<Void, any Error>)
    case rest
  }

  /// - Returns: whether it came to the end of what is enqueued.
  @discardableResult private func drain(atMost most: Int = .max) -> Bool {
    for _ in 0..<most {
      let action = state.withLock { state -> Action in
        if state.taken < state.jobs.count {
          let job = state.jobs[state.taken]
          state.taken += 1
          if state.taken == state.jobs.count {
            state.jobs.removeAll(keepingCapacity: true)
            state.taken = 0
          }
          return .run(job)
        }
        if let timer = state.timers.first {
          state.timers.removeFirst()
          if timer.deadline > state.now { state.now = timer.deadline }
          return .fire(timer.continuation)
        }
        state.draining = false
        return .rest
      }
      switch action {
      case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .fire(let continuation): continuation.resume()
      case .rest: return true
      }
    }
    return false
  }
}

/// The clock of a scenario: it stands still while anything runs, and jumps to the next timer when all are waiting.
package struct VirtualClock: WorldClock {
  private let executor: SerialScenarioExecutor

  init(executor: SerialScenarioExecutor) {
    self.executor = executor
  }

  package var now: Instant { executor.now }

  package func sleep(for duration: Duration) async throws {
    try await executor.sleep(for: duration)
  }

  /// Lets time pass at once, as the `wait` step does.
  package func advance(by duration: Duration) {
    executor.advance(to: executor.now + max(duration, .zero))
  }

  /// Sets the clock, also to an instant in the past: somebody has put it right, or wrong. No time passes thereby.
  package func set(to instant: Instant) {
    executor.set(to: instant)
  }

  /// Sets the clock forward; an instant in the past changes nothing.
  package func advance(to instant: Instant) {
    executor.advance(to: instant)
  }
}
