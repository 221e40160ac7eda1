import Debugging
import Diagnostics
import Documents
import Effects
import Reports
import RunTrace
import Scenarios
import Synchronization
import UserSimulation
import WorkflowModel
import WorkflowRunner
import OrderedCollections

/// A run that the user of the studio controls. The user can step through the run, simulate events, and complete sign-in
/// pages.
final class StudioSession: Sendable {
  enum Status: String, Sendable {
    /// No run has started.
    case idle
    case running
    /// The run is suspended before a step, at an outcome, or at an expectation.
    case stopped
    /// The run is waiting for the user to complete a sign-in page.
    case page
    case ended
  }

  /// A page that the user has not completed yet.
  struct WaitingPage: Sendable {
    /// The number of the page in this studio. A submission includes it, so that a second submission has no effect.
    var number: Int
    var page: InteractivePage
    fileprivate var continuation: CheckedContinuation<PersonAction, Never>?
  }

  private struct State {
    var status = Status.idle
    var stop: RunStop?
    /// The events of the current execution.
    var reader = TraceReader(named: "studio")
    var execution = 0
    /// The number of events that `reader` has read.
    var eventCount = 0
    var hasReachedSteps = false
    var result: ScenarioReport?
    var messages: [String] = []
    /// The events that the user simulated, each with the step before which it occurred.
    var simulated: [Simulated] = []
    var page: WaitingPage?
    var lastPage = 0
    /// The user's actions on pages. To step back, the studio executes the run again and repeats these actions.
    var actions: [PersonAction] = []
    var nextAction = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var rendered: (key: RenderedState, rendering: Rendering)?

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  struct Simulated: Sendable {
    var point: Int
    /// The step in the notation of `before`, such as `silent[2]`. Nil if the run was not suspended before a step.
    var step: String?
    var event: JSON
  }

  private let debug: DebugSession
  private let state = Mutex(State())
  private let personSignsIn: Bool

  /// - Parameter personSignsIn: Whether the user of the studio completes the sign-in pages.
  init(_ program: DebugProgram, personSignsIn: Bool, world: World, tool: String) {
    debug = DebugSession(world: world, tool: tool)
    self.personSignsIn = personSignsIn
    debug.load(program)
  }

  // MARK: Commands

  /// Starts the run, and returns when the run is waiting for the user or has ended.
  /// - Parameter breakpoints: The IDs of the steps before which the run stops.
  func start(stopsOnEntry: Bool, breakpoints: [String]) async {
    set(breakpoints: breakpoints)
    await perform(debug.start(stopsOnEntry: stopsOnEntry, observer: self))
  }

  func set(breakpoints: [String]) {
    debug.breakpoints.set(
      functions: breakpoints.enumerated().map { Breakpoint(id: $0 + 1, target: .step($1)) })
  }

  /// Continues the run or steps back, and returns when the run is waiting for the user or has ended.
  func advance(_ command: String) async throws(DebugFailure) {
    switch command {
    case "continue": try await resume(.toBreakpoint)
    case "next": try await resume(.toNextStep)
    case "stepIn": try await resume(.intoStep)
    case "stepOut": try await resume(.outOfStep)
    case "stepBack": await perform(try debug.stepBack())
    case "reverse": await perform(try debug.reverse())
    case "end": end()
    default: throw DebugFailure("unknown command `\(command.prefix(100))`")
    }
  }

  private func resume(_ advance: DebugSession.Advance) async throws(DebugFailure) {
    _ = try debug.suspended()
    state.withLock { state in
      state.status = .running
      state.stop = nil
    }
    try debug.resume(advance)
    await needsUser()
  }

  private func perform(_ execution: DebugSession.Execution?) async {
    guard let execution else { return }
    state.withLock { $0.status = .running }
    Task { await execution() }
    await needsUser()
  }

  /// Ends the run.
  func end() {
    debug.end()
    let (page, waiters) = state.withLock { state in
      let page = state.page
      state.page = nil
      state.stop = nil
      if state.status != .idle { state.status = .ended }
      return (page, state.takeWaiters())
    }
    page?.continuation?.resume(returning: .close)
    for waiter in waiters { waiter.resume() }
  }

  /// Simulates events in the suspended run.
  func simulate(_ text: String) async throws(DebugFailure) {
    let (stop, _) = try debug.suspended()
    let events = try await debug.simulate(text, in: stop.run.frames.last)
    var step: String?
    if case .step(attempt: 1) = stop.point, let frame = stop.run.frames.last {
      let run = (stop.run.facts.runs[frame.id]?.count ?? 0) + 1
      step = run == 1 ? frame.id : "\(frame.id)[\(run)]"
    }
    state.withLock { state in
      state.simulated += events.map { Simulated(point: stop.number, step: step, event: $0.sourceJSON) }
    }
  }

  /// Evaluates an expression in the suspended run.
  func value(of expression: String) throws(DebugFailure) -> JSON {
    try debug.value(of: expression, in: try debug.suspended().stop.run.frames.last)
  }

  // MARK: State

  var status: Status { state.withLock { $0.status } }

  /// The page that the user has not completed yet, or nil.
  var page: WaitingPage? { state.withLock { $0.page } }

  /// Applies the user's action to the open page.
  /// - Returns: Whether the page with this number was open.
  func answer(_ number: Int, _ action: PersonAction) async -> Bool {
    let continuation = state.withLock { state -> CheckedContinuation<PersonAction, Never>? in
      guard let page = state.page, page.number == number else { return nil }
      state.page = nil
      state.status = .running
      state.actions = Array(state.actions.prefix(state.nextAction)) + [action]
      state.nextAction += 1
      return page.continuation
    }
    guard let continuation else { return false }
    continuation.resume(returning: action)
    await needsUser()
    return true
  }

  /// Waits until the run is suspended, shows a page, or has ended.
  func needsUser() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard state.status == .running else { return true }
        state.waiters.append(continuation)
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// A snapshot of the state.
  struct View: Sendable {
    var status: Status
    var stop: RunStop?
    var result: ScenarioReport?
    var messages: [String]
    var simulated: [Simulated]
    var page: WaitingPage?
  }

  var view: View {
    state.withLock { state in
      View(
        status: state.status, stop: state.stop, result: state.result, messages: state.messages,
        simulated: state.simulated, page: state.page)
    }
  }

  /// The result of rendering a run's trace.
  struct Rendering: Sendable {
    /// The path of the run if it has ended.
    var path: [String]?
    var machine: String?
    var outcome: String?
    /// The path of the report, or nil while the run continues.
    var report: String?
  }

  /// The state that determines a rendering.
  private struct RenderedState: Equatable {
    var execution: Int
    var eventCount: Int
    var hasReport: Bool
  }

  /// Returns the rendering of the current state, or the previous rendering if the state has not changed.
  /// - Parameter render: A closure that renders a trace. Its second argument specifies whether to include a report.
  func rendering(_ render: (TracedRun, Bool) -> Rendering) -> Rendering? {
    let (key, previous, reader) = state.withLock { state in
      let key = RenderedState(
        execution: state.execution, eventCount: state.eventCount,
        hasReport: state.status == .ended || state.status == .stopped)
      return (key, state.rendered, state.reader)
    }
    if let previous, previous.key == key { return previous.rendering }
    var copy = reader
    guard let run = copy.finish().tracedRun else { return nil }
    let rendering = render(run, key.hasReport)
    state.withLock { $0.rendered = (key, rendering) }
    return rendering
  }

  /// Returns the directory of the emulator, or nil if the run is not suspended.
  func platformDirectory() async -> JSON? { try? await debug.platformDirectory() }

  /// Returns the state of the emulator, or nil if the run is not suspended.
  func platformState() async -> JSON? { try? await debug.platformState() }

  private func change(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      return state.status == .running ? [] : state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }
}

extension StudioSession: DebugObserver {
  func stopped(_ stop: RunStop) {
    change { state in
      state.status = .stopped
      state.stop = stop
      // After a step back, the user can choose different events and actions.
      state.simulated.removeAll { $0.point >= stop.number }
      state.actions = Array(state.actions.prefix(state.nextAction))
    }
  }

  func log(_ message: String, at place: FileSpan?) {}

  func executionOutput() -> ExecutionOutput {
    let execution = state.withLock { state in
      state.execution += 1
      state.reader = TraceReader(named: "studio")
      state.eventCount = 0
      state.hasReachedSteps = false
      state.nextAction = 0
      state.result = nil
      return state.execution
    }
    return ExecutionOutput(
      person: personSignsIn ? ExecutionPerson(session: self, execution: execution) : nil,
      event: { event, _ in
        self.state.withLock { state in
          guard state.execution == execution else { return }
          if event.kind == .stepStarted { state.hasReachedSteps = true }
          state.eventCount += 1
          _ = state.reader.take(Array(event.line.utf8))
        }
      },
      ended: { result, _ in
        self.change { state in
          state.status = .ended
          state.stop = nil
          state.result = result
        }
      })
  }

  /// Represents the user of the studio during one execution of the run.
  private struct ExecutionPerson: PagePerson {
    let session: StudioSession
    let execution: Int

    func answer(_ page: InteractivePage) async -> PersonAction {
      await session.action(on: page, execution)
    }
  }

  /// Shows a page to the user, and waits for the user's action.
  private func action(on page: InteractivePage, _ execution: Int) async -> PersonAction {
    await withCheckedContinuation { continuation in
      var known: PersonAction?
      change { state in
        // If this execution was replaced, closing the page ends it. The simulated user completes the sign-ins in
        // `given`.
        guard state.execution == execution, state.status == .running else {
          known = .close
          return
        }
        guard state.hasReachedSteps else {
          known = .delegate
          return
        }
        if state.nextAction < state.actions.count {
          known = state.actions[state.nextAction]
          state.nextAction += 1
          return
        }
        state.lastPage += 1
        state.page = WaitingPage(number: state.lastPage, page: page, continuation: continuation)
        state.status = .page
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
