import Diagnostics
import Documents
import Effects
import RunTrace
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

/// A session that debugs a program: it runs the program, suspends it, and runs it again to go backward.
///
/// The methods of this type return a run as an `Execution`, which the caller runs in a task. A new execution replaces
/// the current execution, whose later events are ignored.
package final class DebugSession: Sendable {
  /// A function that executes a run. It returns when the run has ended.
  package typealias Execution = @Sendable () async -> Void

  /// The next point at which the run stops, in addition to breakpoints.
  package enum Advance: Sendable {
    case toBreakpoint, toNextStep, intoStep, outOfStep
  }

  private struct State {
    var program: DebugProgram?
    /// The number of the current execution. Events from earlier executions are ignored.
    var execution = 0
    /// The current execution, or nil before the start and after the end.
    var control: RunControl?
    var hasEnded = false
    /// The suspension of the run, or nil while it is running.
    var stop: RunStop?
    /// The observer of the current execution.
    var observer: (any DebugObserver)?
  }

  package let breakpoints: BreakpointTable
  private let state = Mutex(State())
  private let world: World
  private let tool: String

  /// - Parameters:
  ///   - world: The environment of the process, from which runs read files and the variables that the user grants.
  ///   - tool: The name and version of authflow, for traces.
  package init(world: World, tool: String) {
    self.world = world
    self.tool = tool
    breakpoints = BreakpointTable(workingDirectory: world.environment.workingDirectory)
  }

  /// The program, or nil if no program has been loaded.
  package var program: DebugProgram? { state.withLock { $0.program } }

  /// Whether the program has ended.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Replaces the program. The current execution continues until the next execution starts.
  package func load(_ program: DebugProgram) { state.withLock { $0.program = program } }

  /// Returns the suspended run.
  package func suspended() throws(DebugFailure) -> (stop: RunStop, program: DebugProgram) {
    let (_, stop, program) = try suspension()
    return (stop, program)
  }

  private func suspension() throws(DebugFailure) -> (control: RunControl, stop: RunStop, program: DebugProgram) {
    let (control, stop, program, hasEnded) = state.withLock { ($0.control, $0.stop, $0.program, $0.hasEnded) }
    guard let control, let stop, let program else {
      if hasEnded { throw DebugFailure("the run has ended") }
      throw control == nil ? DebugFailure("the run has not started") : .notSuspended
    }
    return (control, stop, program)
  }

  // MARK: Execution

  /// Runs the program from the beginning. Returns nil if no program is loaded.
  /// - Parameters:
  ///   - stopsOnEntry: Whether the run stops before the first step.
  ///   - observer: Receives the events until the run ends.
  package func start(stopsOnEntry: Bool, observer: any DebugObserver) -> Execution? {
    guard let program else { return nil }
    state.withLock { $0.observer = observer }
    let (control, number) = replaceExecution(stopsOnEntry ? .entry : .run, program)
    return { await self.execute(program, control, number) }
  }

  /// Continues the suspended run.
  package func resume(_ advance: Advance) throws(DebugFailure) {
    let (control, stop, _) = try suspension()
    let depth = stop.run.frames.count
    state.withLock { $0.stop = nil }
    switch advance {
    case .toBreakpoint: control.resume(.run)
    case .toNextStep: control.resume(.next(depth: max(1, depth)))
    case .intoStep: control.resume(.stepIn)
    case .outOfStep: control.resume(.stepOut(depth: depth))
    }
  }

  /// Requests that the run stop at its next point.
  package func pause() throws(DebugFailure) {
    try running().pause()
  }

  /// Throws an error if the run is suspended, has ended, or has not started.
  package func checkRunning() throws(DebugFailure) { _ = try running() }

  private func running() throws(DebugFailure) -> RunControl {
    let (control, stop) = state.withLock { ($0.control, $0.stop) }
    guard let control else { throw DebugFailure("the run has ended or has not started") }
    guard stop == nil else { throw DebugFailure("the run is already suspended") }
    return control
  }

  /// Reruns the program up to the previous step.
  package func stepBack() throws(DebugFailure) -> Execution {
    let (control, stop, program) = try suspension()
    guard let target = control.earlierStep(than: stop) else { throw DebugFailure("there is no earlier step") }
    let (travel, number) = replaceExecution(
      .travel(to: target, .step), program, simulated: control.simulated.filter { $0.number < target })
    return { await self.execute(program, travel, number) }
  }

  /// Reruns the program up to the previous breakpoint, or to the first step.
  package func reverse() throws(DebugFailure) -> Execution {
    let (control, stop, program) = try suspension()
    guard let first = control.firstStep, first < stop.number else { throw DebugFailure("there is no earlier step") }
    let simulated = control.simulated.filter { $0.number < stop.number }
    let (search, number) = replaceExecution(.search(before: stop.number), program, simulated: simulated)
    return { [world, tool] in
      _ = await program.test.run(in: world, tool: tool, debugger: search)
      guard self.isCurrent(number) else { return }
      let target = search.lastBreakpoint ?? first
      let reason: RunStop.Reason = search.lastBreakpoint == nil ? .entry : .breakpoint
      let (travel, next) = self.replaceExecution(
        .travel(to: target, reason), program, simulated: simulated.filter { $0.number < target })
      await self.execute(program, travel, next)
    }
  }

  /// Ends the run at its current or next point.
  /// - Returns: Whether an execution was running.
  @discardableResult package func end() -> Bool {
    let control = state.withLock { state in
      defer {
        state.control = nil
        state.stop = nil
        state.observer = nil
        state.execution += 1
        state.hasEnded = true
      }
      return state.control
    }
    control?.abort()
    return control != nil
  }

  /// Makes a new execution the current execution, and ends the previous execution.
  private func replaceExecution(
    _ mode: RunControl.Mode, _ program: DebugProgram, simulated: [RunControl.SimulatedEvents] = []
  ) -> (control: RunControl, number: Int) {
    let (number, previous, observer) = state.withLock { state in
      state.execution += 1
      state.stop = nil
      state.hasEnded = false
      return (state.execution, state.control, state.observer)
    }
    let events = RunControlEvents(
      stopped: { self.stopped($0, number) }, log: { observer?.log($0, at: $1) })
    let control = RunControl(
      mode, breakpoints: breakpoints, hasScenario: program.hasScenario, simulated: simulated, events: events)
    state.withLock { state in if state.execution == number { state.control = control } }
    previous?.abort()
    return (control, number)
  }

  /// Runs the program to its end, and reports the result unless another execution has replaced this one.
  private func execute(_ program: DebugProgram, _ control: RunControl, _ number: Int) async {
    let output = state.withLock { $0.observer }?.executionOutput()
    let result = await program.test.run(in: world, tool: tool, debugger: control, person: output?.person) { event in
      if !control.isAborted { output?.event(event, control.isQuiet) }
    }
    let isCurrent = state.withLock { state in
      guard state.execution == number, !control.isAborted else { return false }
      state.control = nil
      state.stop = nil
      state.observer = nil
      state.hasEnded = true
      return true
    }
    if isCurrent { output?.ended(result, program) }
  }

  private func isCurrent(_ number: Int) -> Bool { state.withLock { $0.execution == number } }

  /// Records a stop and reports it to the observer. Runs on the run's task.
  private func stopped(_ stop: RunStop, _ number: Int) {
    let observer = state.withLock { state -> (any DebugObserver)? in
      guard state.execution == number else { return nil }
      state.stop = stop
      return state.observer
    }
    observer?.stopped(stop)
  }

  // MARK: The suspended run

  /// Returns the emulator's state, or nil if the platform has no control interface.
  package func platformState() async throws(DebugFailure) -> JSON? {
    let (control, _, _) = try suspension()
    guard let state = await control.perform({ run, _ in await run.platformState }) else {
      throw DebugFailure.notSuspended
    }
    return state
  }

  /// Returns the emulator's users, apps, policies, and clock, or nil if the platform has no control interface.
  package func platformDirectory() async throws(DebugFailure) -> JSON? {
    let (control, stop, _) = try suspension()
    guard let directory = await control.perform({ run, _ in await run.platformDirectory }) else {
      throw DebugFailure.notSuspended
    }
    return directory.map(stop.run.mask)
  }

  /// Simulates events at the current point. Later executions that go backward repeat these events.
  /// - Parameters:
  ///   - text: The events as in a workflow, such as `offline` or `wait: 2h`.
  ///   - frame: The frame whose names the events can use.
  package func simulate(
    _ text: String, in frame: RunInspection.Frame?
  ) async throws(DebugFailure) -> [ScriptedEvent] {
    let (control, stop, _) = try suspension()
    let (events, diagnostics) = ScriptedEvent.parse(text)
    guard let events else {
      let first = diagnostics.first { $0.severity == .error }
      let message = (first?.message ?? "invalid event") + (first?.help.map { "; \($0)" } ?? "")
      throw DebugFailure(Self.shortened(message, text))
    }
    let result = await control.perform { run, _ -> Result<Void, UnresolvedValue> in
      do throws(UnresolvedValue) {
        return .success(try await run.simulate(events, in: frame))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw DebugFailure.notSuspended }
    if case .failure(let failure) = result {
      let message = failure.message + (failure.help.map { "; \($0)" } ?? "")
      throw DebugFailure(Self.shortened(stop.run.mask(message), text))
    }
    control.add(RunControl.SimulatedEvents(number: stop.number, events: events))
    return events
  }

  /// Evaluates an expression such as `silent.outcome` in the suspended run.
  package func value(
    of text: String, in frame: RunInspection.Frame?
  ) throws(DebugFailure) -> JSON {
    let (_, stop, _) = try suspension()
    let expression: RunExpression
    do throws(RunExpression.SyntaxError) {
      expression = try RunExpression(parsing: text)
    } catch {
      throw DebugFailure(Self.shortened(error.message, text))
    }
    do throws(UnresolvedValue) {
      return try expression.evaluate(at: stop.point, in: stop.run, frame: frame)
    } catch {
      let message = error.message + (error.help.map { "; \($0)" } ?? "")
      throw DebugFailure(Self.shortened(stop.run.mask(message), text))
    }
  }

  /// Shortens a message that repeats a long expression.
  private static func shortened(_ message: String, _ expression: String) -> String {
    expression.count > 200 && message.count > 200 ? "\(message.prefix(199))…" : message
  }
}
