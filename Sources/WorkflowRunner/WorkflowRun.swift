import AppRegistration
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

/// One run of a workflow: asks the machine what to do next, performs it, tells the machine what became of it.
package struct WorkflowRun: Sendable {
  private let workflow: Workflow
  private let setup: RunSetup
  private let trace: TraceRecorder

  package init(_ workflow: Workflow, setup: RunSetup, trace: TraceRecorder) {
    self.workflow = workflow
    self.setup = setup
    self.trace = trace
  }

  /// Runs to the end. Whatever happens on the way is an outcome; only cancellation ends it early.
  /// - Throws: where an app's public client cannot be made at all, or what is given cannot be brought about; no step was
  ///   performed.
  package func run() async throws(RunFailure) -> RunResult {
    let start = setup.world.clock.now
    var progress = Progress(
      machine: WorkflowMachine(workflow, inputs: setup.inputs, surroundings: surroundings),
      teller: MachineTracer(workflow: workflow, trace: trace, clock: setup.world.clock, setup: setup),
      before: PendingBeforeEvents(setup.before))
    // They are looked for in the whole document, which is in vain where nobody hears of it.
    if trace.isHeard { LiteralSecrets.keep(in: trace, of: workflow, setup) }
    progress.teller.runStarted(setup)
    let performer: StepPerformer
    do throws(MSALError) {
      performer = try StepPerformer(workflow: workflow, setup: setup, trace: trace)
    } catch {
      throw .application(error)
    }
    performer.tellCache(reason: "the run begins")
    do throws(UnresolvedValue) {
      try await performer.bringAbout(setup.given, scope: progress.machine.scope)
    } catch {
      var masked = error
      masked.message = trace.mask(error.message)
      throw .given(masked)
    }

    let ending = await perform(with: performer, &progress)
    progress.tellRest()
    let platform = await performer.platformState()
    let record = RunResult(
      ending: ending, path: progress.machine.path, transitions: progress.log.transitions,
      interactions: performer.interactions,
      requests: performer.requests(toldBy: platform), accounts: performer.accounts,
      unmetFaults: performer.unmetFaults(toldBy: platform), unmetBefore: progress.before.unmet,
      impossible: progress.before.impossible, knowledge: progress.machine.knowledge)
    progress.teller.runFinished(record, took: setup.world.clock.now - start - progress.teller.waited)
    return record
  }

  /// What changes while a run goes on.
  private struct Progress {
    var machine: WorkflowMachine
    var teller: MachineTracer
    var before: PendingBeforeEvents
    var log = TransitionLog()

    /// Records what the machine has done since the last call.
    mutating func tellRest() {
      let rest = machine.takeEvents()
      log.note(rest)
      teller.tell(rest)
    }
  }

  /// Performs steps until the machine has finished.
  private func perform(with performer: StepPerformer, _ progress: inout Progress) async -> WorkflowResult {
    await withTaskGroup(of: (String, StepReport).self) { group in
      defer { group.cancelAll() }
      var action = progress.machine.start()
      while true {
        if let impossible = await tell(with: performer, &progress) { return impossible }
        switch action {
        case .finish(let ending): return ending
        case .perform(let performances):
          if let stopped = await ask(about: performances, &progress) { return stopped }
          for performance in performances {
            let facts = progress.machine.facts
            group.addTask { (performance.id, await performer.perform(performance, facts: facts)) }
          }
        }
        guard let (id, report) = await group.next() else {
          return WorkflowResult(step: nil, outcome: "unexpected", reason: .outcome)
        }
        if Task.isCancelled { return WorkflowResult(step: id, outcome: "interrupted", reason: .outcome) }
        action = progress.machine.finished(id, report)
      }
    }
  }

  /// Records what the machine has done, and makes the events happen that come before a step.
  /// - Returns: The end of the run, if an event cannot happen.
  private func tell(with performer: StepPerformer, _ progress: inout Progress) async -> WorkflowResult? {
    for event in progress.machine.takeEvents() {
      if case .started(let id, 1) = event, let events = progress.before.take(id) {
        do throws(UnresolvedValue) {
          try await performer.bringAbout(events, before: id, scope: progress.machine.scope)
        } catch {
          progress.before.impossible = error
          return WorkflowResult(step: id, outcome: "violated", reason: .unresolved(error))
        }
      }
      progress.log.note([event])
      progress.teller.tell(event)
    }
    return nil
  }

  /// Asks whether the steps may be performed. A user decides before any of them begins: that time is not theirs.
  /// - Returns: The end of the run, if the user stops it.
  private func ask(about performances: [StepInvocation], _ progress: inout Progress) async -> WorkflowResult? {
    guard let mayPerform = setup.mayPerform else { return nil }
    let asked = setup.world.clock.now
    for performance in performances {
      guard await mayPerform(performance.id, progress.machine.path) else {
        return WorkflowResult(step: performance.id, outcome: "stopped", reason: .outcome)
      }
    }
    progress.teller.waited(setup.world.clock.now - asked, before: performances.map(\.id))
    return nil
  }

  /// The variables and secrets that the user granted. A secret is masked from its first use on.
  private var surroundings: ExternalValues {
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
