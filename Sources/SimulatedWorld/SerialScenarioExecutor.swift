import Dispatch
import Effects
import Synchronization

/// Runs a scenario's jobs one at a time in the order in which they were enqueued, and advances the clock to the next
/// timer if no job is left.
///
/// ``Simulation/run(_:)`` and `Task(executorPreference:)` run tasks on this executor. Child tasks and default actors
/// use their task's executor, so all awaited work is serial and reproducible. Priorities are ignored. Unstructured
/// tasks (`Task {}` and `Task.detached {}`) and actors with a custom executor do not use this executor. A job that
/// waits for them counts as idle, so the clock can advance.
package final class SerialScenarioExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// The number of entries at the front of `jobs` that have run.
    var taken = 0
    var draining = false
    var now: Instant
    var timers: [Timer] = []
    var nextTimer = 0
    /// The timers that were canceled before their registration. This happens if the cancellation handler runs first.
    var cancelledEarly: Set<Int> = []
    /// The number of times that the timers have been suspended without being resumed.
    var suspensions = 0
  }

  private struct Timer {
    var deadline: Instant
    /// The registration number, which determines the order of timers with equal deadlines.
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

  /// Reserves new jobs for ``drainHere()``, unless a thread is already running jobs.
  /// - Returns: Whether the caller must call ``drainHere()``.
  func hold() -> Bool { state.withLock { Self.needsWaking(&$0) } }

  /// Runs the jobs on the calling thread until no job is left or all jobs wait for work outside the executor.
  ///
  /// A long run continues on a separate thread, because the caller's thread can belong to a small pool.
  func drainHere() {
    if !drain(atMost: Self.shortRun) { queue.async { self.drain() } }
  }

  /// The maximum number of jobs in a short run. A sign-in runs several hundred jobs.
  private static let shortRun = 20_000

  var now: Instant { state.withLock { $0.now } }

  /// Advances the clock and fires due timers in order.
  func advance(to instant: Instant) {
    let wake = state.withLock { state in
      if instant > state.now { state.now = instant }
      return Self.needsWaking(&state)
    }
    if wake { queue.async { self.drain() } }
  }

  /// Sets the clock to an earlier or later time. Timers keep their remaining duration, because no time passes.
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
          // The timers are sorted, so that the first timer fires next.
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
    // If the cancellation handler ran after the timer fired, the number is no longer needed.
    state.withLock { _ = $0.cancelledEarly.remove(number) }
  }

  /// Stops the timers, so that the clock does not advance while the run waits for a debugger. Jobs still run.
  package func suspendTimers() { state.withLock { $0.suspensions += 1 } }

  /// Resumes the timers after a suspension. They fire again if there is no other suspension and no job is left.
  package func resumeTimers() {
    let wake = state.withLock { state in
      state.suspensions -= 1
      return state.suspensions == 0 && Self.needsWaking(&state)
    }
    if wake { queue.async { self.drain() } }
  }

  private static func needsWaking(_ state: inout State) -> Bool {
    if state.draining { return false }
    state.draining = true
    return true
  }

  /// The next action of `drain(atMost:)`, which is selected under the lock and performed without the lock.
  private enum Action {
    case run(UnownedJob)
    case fire(CheckedContinuation<Void, any Error>)
    case rest
  }

  /// - Returns: Whether all jobs have run.
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
        if state.suspensions == 0, let timer = state.timers.first {
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

/// The clock of a scenario, which advances to the next timer when all jobs are waiting.
package struct VirtualClock: WorldClock {
  private let executor: SerialScenarioExecutor

  init(executor: SerialScenarioExecutor) {
    self.executor = executor
  }

  package var now: Instant { executor.now }

  package func sleep(for duration: Duration) async throws {
    try await executor.sleep(for: duration)
  }

  /// Advances the clock, like the `wait` step.
  package func advance(by duration: Duration) {
    executor.advance(to: executor.now + max(duration, .zero))
  }

  /// Sets the clock to an earlier or later time. No time passes.
  package func set(to instant: Instant) {
    executor.set(to: instant)
  }

  /// Advances the clock to an instant, unless it is in the past.
  package func advance(to instant: Instant) {
    executor.advance(to: instant)
  }
}
