import AppRegistration
import Documents
import Effects
import IdentityPlatform
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

/// A run of a workflow. The run gets the next steps from the state machine, executes the steps, and reports their
/// outcomes to the machine.
package struct WorkflowRun: Sendable {
  private let workflow: Workflow
  private let setup: RunSetup
  private let trace: TraceRecorder

  package init(_ workflow: Workflow, setup: RunSetup, trace: TraceRecorder) {
    self.workflow = workflow
    self.setup = setup
    self.trace = trace
  }

  /// Runs the workflow to its end. Failed steps are outcomes and do not throw. Only cancellation ends the run early.
  /// - Throws: An error if no step ran because a public client could not be created or a precondition failed.
  package func run() async throws(RunFailure) -> RunResult {
    let start = setup.world.clock.now
    var progress = Progress(
      machine: WorkflowMachine(workflow, inputs: setup.inputs, externalValues: externalValues),
      tracer: MachineTracer(workflow: workflow, trace: trace, clock: setup.world.clock, setup: setup),
      before: PendingBeforeEvents(setup.before))
    // Registration searches the entire document, so register secrets only if the trace is recorded.
    if trace.isHeard { LiteralSecrets.register(in: trace, of: workflow, setup) }
    progress.tracer.runStarted(setup)
    let performer: StepPerformer
    do throws(MSALError) {
      performer = try StepPerformer(workflow: workflow, setup: setup, trace: trace)
    } catch {
      trace.recordDecision(
        "application", "refused", reason: error.message,
        [
          "outcome": TraceValue(OutcomeName(error).rawValue),
          "codes": .value(
            .array([error.code?.rawValue, error.internalCode].compactMap { $0 }.map { .integer(Int64($0)) })),
        ])
      throw .application(error)
    }
    performer.traceCache(reason: "start of the run")
    do throws(UnresolvedValue) {
      try await performer.bringAbout(setup.given, scope: progress.machine.scope)
    } catch {
      var masked = error
      masked.message = trace.mask(error.message)
      throw .given(masked)
    }

    let ending = await perform(with: performer, &progress)
    progress.recordRemaining()
    let platform = await performer.platformState()
    let record = RunResult(
      ending: ending, path: progress.machine.path, transitions: progress.log.transitions,
      interactions: performer.interactions, pages: performer.pages,
      requests: performer.requests(reportedBy: platform), accounts: performer.accounts,
      unmetFaults: performer.unmetFaults(reportedBy: platform), unmetBefore: progress.before.unmet,
      impossible: progress.before.impossible, context: progress.machine.context,
      inspection: setup.debugger.map { _ in inspection([], with: performer, progress) })
    progress.tracer.runFinished(record, took: setup.world.clock.now - start - progress.tracer.waited)
    return record
  }

  /// The mutable state of a run.
  private struct Progress {
    var machine: WorkflowMachine
    var tracer: MachineTracer
    var before: PendingBeforeEvents
    var log = TransitionLog()
    /// The reported steps that have not been performed yet.
    var starting: [String] = []
    /// The state as a debugger sees it.
    var ledger = RunLedger()

    /// Records the machine's actions since the last call.
    mutating func recordRemaining() {
      let rest = machine.takeEvents()
      log.record(rest)
      tracer.record(rest)
    }
  }

  /// Executes steps until the machine finishes.
  private func perform(with performer: StepPerformer, _ progress: inout Progress) async -> WorkflowResult {
    await withTaskGroup(of: (String, StepReport).self) { group in
      defer { group.cancelAll() }
      var action = progress.machine.start()
      while true {
        if let impossible = await recordEvents(with: performer, &progress) { return impossible }
        switch action {
        case .finish(let ending): return ending
        case .perform(let performances):
          for performance in performances {
            let facts = progress.machine.facts
            group.addTask { (performance.id, await performer.perform(performance, facts: facts)) }
          }
        }
        guard let (id, report) = await group.next() else {
          return WorkflowResult(step: nil, outcome: .unexpected, reason: .outcome)
        }
        if Task.isCancelled { return WorkflowResult(step: id, outcome: .interrupted, reason: .outcome) }
        action = progress.machine.finished(id, report)
      }
    }
  }

  /// Records the machine's actions and executes the events before a step.
  /// - Returns: The result of the run if an event fails.
  private func recordEvents(with performer: StepPerformer, _ progress: inout Progress) async -> WorkflowResult? {
    let events = progress.machine.takeEvents()
    progress.starting = []
    for (position, event) in events.enumerated() {
      if case .started(let id, 1) = event, let events = progress.before.take(id) {
        do throws(UnresolvedValue) {
          try await performer.bringAbout(events, before: id, scope: progress.machine.scope)
        } catch {
          progress.before.impossible = error
          return WorkflowResult(step: id, outcome: .violated, reason: .unresolved(error))
        }
      }
      progress.log.record([event])
      progress.tracer.record(event)
      if let stopped = await pass(event, before: events[(position + 1)...], with: performer, &progress) {
        return stopped
      }
    }
    return nil
  }

  /// Notifies the debugger of each point at which it can suspend the run for this event. The time during which the run
  /// is suspended does not count toward step durations.
  /// - Parameter later: The events that the machine reported after this event.
  /// - Returns: The result of the run if the debugger ends it.
  private func pass(
    _ event: MachineEvent, before later: ArraySlice<MachineEvent>, with performer: StepPerformer,
    _ progress: inout Progress
  ) async -> WorkflowResult? {
    guard let debugger = setup.debugger else { return nil }
    let frames = workflow.frames(of: event.step)
    progress.ledger.apply(event, of: frames, in: progress.machine)
    if case .started(let id, _) = event { progress.starting.append(id) }
    for point in event.points(before: later) {
      let start = setup.world.clock.now
      guard await inspection(frames, with: performer, progress).pass(point, to: debugger) else {
        return WorkflowResult(step: event.step, outcome: .stopped, reason: .outcome)
      }
      progress.tracer.waited(setup.world.clock.now - start, before: progress.starting)
    }
    return nil
  }

  private func inspection(
    _ frames: [RunInspection.Frame], with performer: StepPerformer, _ progress: Progress
  ) -> RunInspection {
    RunInspection(frames, workflow: workflow, ledger: progress.ledger, performer: performer)
  }

  /// The variables and secrets that the run can use. Each secret is masked from its first use onward.
  private var externalValues: ExternalValues {
    let grants = setup.world.environment.grants
    let trace = self.trace
    return ExternalValues(
      environment: { grants.variables[$0] },
      secret: { name in
        guard let value = grants.secret(name) else { return nil }
        trace.keepSecret(Secret(value, kind: .named))
        return value
      })
  }
}
