import Diagnostics
import Documents
import Synchronization
import WorkflowModel
import WorkflowRunner

/// The controller of one execution, which decides where the run stops and passes commands to the suspended run.
final class RunControl: RunDebugger {
  /// The condition under which the run stops next, in addition to breakpoints.
  enum Mode: Sendable {
    case run
    case entry
    /// At the next step of the same workflow or an outer workflow.
    case next(depth: Int)
    case stepIn
    /// At the next step of an outer workflow.
    case stepOut(depth: Int)
    /// At a point that an earlier execution reached. The run does not stop at earlier points.
    case travel(to: Int, RunStop.Reason)
    /// Records the last breakpoint before a point, and ends the run at that point.
    case search(before: Int)
  }

  private enum Command: Sendable {
    case resume, abort
    case work(@Sendable (RunInspection, RunPoint) async -> Void)
  }

  private struct State {
    var mode: Mode
    var number = 0
    var isPauseRequested = false
    var isAborted = false
    /// Whether the run is waiting for a command. A command that continues or ends the run clears this value
    /// immediately.
    var isSuspended = false
    /// The step points so far, with the number of frames at each point.
    var steps: [(number: Int, depth: Int)] = []
    /// The number of times that each breakpoint was reached.
    var hits: [Int: Int] = [:]
    var waiter: CheckedContinuation<Command, Never>?
    var commands: [Command] = []
    var simulated: [SimulatedEvents]
    var lastBreakpoint: Int?
  }

  /// Events that the user simulated at a point.
  struct SimulatedEvents: Sendable {
    var number: Int
    var events: [ScriptedEvent]
  }

  private let state: Mutex<State>
  /// The breakpoints and exception filters, which can change during the run.
  private let breakpoints: BreakpointTable
  private let hasScenario: Bool
  private let events: RunControlEvents

  /// - Parameters:
  ///   - hasScenario: Whether the run evaluates a scenario's expectations.
  ///   - simulated: The events to repeat at points that an earlier execution reached.
  init(
    _ mode: Mode, breakpoints: BreakpointTable, hasScenario: Bool, simulated: [SimulatedEvents] = [],
    events: RunControlEvents
  ) {
    state = Mutex(State(mode: mode, simulated: simulated))
    self.breakpoints = breakpoints
    self.hasScenario = hasScenario
    self.events = events
  }

  // MARK: Called by the run

  func reached(_ point: RunPoint, in run: RunInspection) async -> Bool {
    // Without a scenario, the only expectation is that the run succeeds.
    if case .expectation = point, run.frames.isEmpty, !hasScenario { return !isAborted }
    let number = begin(point, run)
    await repeatEvents(at: number, run)
    let hits = breakpoints.hits(of: point, in: run) { id in
      state.withLock { state in
        state.hits[id, default: 0] += 1
        return state.hits[id] ?? 1
      }
    }
    if !isQuiet { for message in hits.messages { events.log(message, point.place(in: run)) } }
    guard let stop = stop(at: number, point, run, hits) else { return !isAborted }
    events.stopped(stop)
    while true {
      switch await nextCommand() {
      case .resume: return true
      case .abort: return false
      case .work(let work): await work(run, point)
      }
    }
  }

  /// Counts a point.
  /// - Returns: Its number, starting at 1.
  private func begin(_ point: RunPoint, _ run: RunInspection) -> Int {
    state.withLock { state in
      state.number += 1
      if case .step(1) = point { state.steps.append((state.number, run.frames.count)) }
      return state.number
    }
  }

  private func repeatEvents(at number: Int, _ run: RunInspection) async {
    let repeated = state.withLock { state -> [SimulatedEvents] in
      let end: Int
      switch state.mode {
      case .travel(let target, _): end = target
      case .search(let before): end = before
      default: return []
      }
      return number < end ? state.simulated.filter { $0.number == number } : []
    }
    for events in repeated { try? await run.simulate(events.events, in: run.frames.last) }
  }

  /// Returns the stop at a point, or nil if the run continues.
  private func stop(at number: Int, _ point: RunPoint, _ run: RunInspection, _ hits: BreakpointTable.Hits) -> RunStop? {
    state.withLock { state in
      guard !state.isAborted else { return nil }
      var reason: RunStop.Reason?
      switch state.mode {
      case .travel(let target, let arrival):
        guard number == target else { return nil }
        reason = arrival == .breakpoint ? hits.reason ?? arrival : arrival
      case .search(let end):
        if number >= end { state.isAborted = true } else if hits.reason != nil { state.lastBreakpoint = number }
        return nil
      case .run: break
      case .entry, .stepIn, .next, .stepOut: reason = Self.reason(of: state.mode, at: point, depth: run.frames.count)
      }
      if case .travel = state.mode {
        // A breakpoint at the target does not change the reason for a stop after a backward step.
      } else {
        if let hit = hits.reason, reason != .entry { reason = hit }
        if hits.exception != nil { reason = .exception }
      }
      if state.isPauseRequested, reason == nil { reason = .pause }
      guard let reason else { return nil }
      state.isPauseRequested = false
      state.isSuspended = true
      state.mode = .run
      return RunStop(
        number: number, point: point, run: run, reason: reason, breakpoints: hits.breakpoints,
        exception: reason == .exception ? hits.exception : nil)
    }
  }

  /// Returns the reason to stop at a point while stepping, or nil if stepping continues.
  private static func reason(of mode: Mode, at point: RunPoint, depth: Int) -> RunStop.Reason? {
    // A retry is part of the same step.
    guard case .step(attempt: 1) = point else { return nil }
    switch mode {
    case .entry: return .entry
    case .stepIn: return .step
    case .next(let limit): return depth <= limit ? .step : nil
    case .stepOut(let limit): return depth < limit ? .step : nil
    case .run, .travel, .search: return nil
    }
  }

  private func nextCommand() async -> Command {
    await withCheckedContinuation { continuation in
      let command = state.withLock { state -> Command? in
        // Perform work that was accepted before the run ended, because its caller is waiting for the result.
        if !state.commands.isEmpty { return state.commands.removeFirst() }
        if state.isAborted { return .abort }
        state.waiter = continuation
        return nil
      }
      if let command { continuation.resume(returning: command) }
    }
  }

  // MARK: Called by the adapter

  var isAborted: Bool { state.withLock { $0.isAborted } }

  /// Whether to hide the run's output. True if an earlier execution has already shown it.
  var isQuiet: Bool {
    state.withLock { state in
      switch state.mode {
      case .travel, .search: true
      default: false
      }
    }
  }

  /// The number of the last point at which a search found a breakpoint.
  var lastBreakpoint: Int? { state.withLock { $0.lastBreakpoint } }

  /// The events that the user has simulated.
  var simulated: [SimulatedEvents] { state.withLock { $0.simulated } }

  func add(_ simulated: SimulatedEvents) { state.withLock { $0.simulated.append(simulated) } }

  /// Returns the number of the nearest earlier step of the same workflow or an outer workflow.
  func earlierStep(than stop: RunStop) -> Int? {
    state.withLock { state in
      state.steps.last { $0.number < stop.number && $0.depth <= max(1, stop.run.frames.count) }?.number
    }
  }

  /// The number of the first step point.
  var firstStep: Int? { state.withLock { $0.steps.first?.number } }

  func resume(_ mode: Mode) {
    send(.resume) { state in
      state.mode = mode
      state.isSuspended = false
      return true
    }
  }

  /// Ends the run at the current or the next point.
  func abort() {
    send(.abort) { state in
      state.isAborted = true
      state.isSuspended = false
      return true
    }
  }

  /// Requests a stop at the next point.
  func pause() { state.withLock { $0.isPauseRequested = true } }

  /// Performs work on the task of the suspended run.
  /// - Returns: The result, or nil if the run is not suspended.
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable (RunInspection, RunPoint) async -> Result
  ) async -> Result? {
    await withCheckedContinuation { continuation in
      let isAccepted = send(.work { run, point in continuation.resume(returning: await work(run, point)) }) {
        $0.isSuspended
      }
      if !isAccepted { continuation.resume(returning: nil) }
    }
  }

  /// Passes a command to the run.
  /// - Parameter change: Changes the state, and returns whether the command is allowed.
  @discardableResult private func send(_ command: Command, _ change: (inout State) -> Bool) -> Bool {
    let (waiter, isAllowed) = state.withLock { state -> (CheckedContinuation<Command, Never>?, Bool) in
      guard change(&state) else { return (nil, false) }
      guard let waiter = state.waiter else {
        // An abort does not need a command, because the state already records it.
        if case .abort = command { return (nil, true) }
        state.commands.append(command)
        return (nil, true)
      }
      state.waiter = nil
      return (waiter, true)
    }
    waiter?.resume(returning: command)
    return isAllowed
  }
}

/// The receivers of a run's events.
struct RunControlEvents: Sendable {
  let stopped: @Sendable (RunStop) -> Void
  /// A closure that receives the message of a log point.
  let log: @Sendable (String, FileSpan?) -> Void
}
