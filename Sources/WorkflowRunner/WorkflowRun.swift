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
    let surroundings = self.surroundings
    var machine = WorkflowMachine(workflow, inputs: setup.inputs, surroundings: surroundings)
    var teller = MachineTracer(workflow: workflow, trace: trace, clock: setup.world.clock, setup: setup)
    // They are looked for in the whole document, which is in vain where nobody hears of it.
    if trace.isHeard { LiteralSecrets.keep(in: trace, of: workflow, setup) }
    teller.runStarted(setup)
    let performer: StepPerformer
    do throws(MSALError) {
      performer = try StepPerformer(workflow: workflow, setup: setup, trace: trace)
    } catch {
      throw .application(error)
    }
    performer.tellCache(reason: "the run begins")
    do throws(UnresolvedValue) {
      try await performer.bringAbout(setup.given, scope: machine.scope)
    } catch {
      var masked = error
      masked.message = trace.mask(error.message)
      throw .given(masked)
    }

    var log = TransitionLog()
    var before = PendingBeforeEvents(setup.before)
    let ending = await withTaskGroup(of: (String, StepReport).self) { group in
      var action = machine.start()
      while true {
        for event in machine.takeEvents() {
          if case .started(let id, 1) = event, let events = before.take(id) {
            do throws(UnresolvedValue) {
              try await performer.bringAbout(events, before: id, scope: machine.scope)
            } catch {
              before.impossible = error
              group.cancelAll()
              return WorkflowResult(step: id, outcome: "violated", reason: .unresolved(error))
            }
          }
          log.note([event])
          teller.tell(event)
        }
        switch action {
        case .finish(let ending):
          group.cancelAll()
          return ending
        case .perform(let performances):
          if let mayPerform = setup.mayPerform {
            // A user decides before any of the steps begins: that time is not theirs.
            let asked = setup.world.clock.now
            for performance in performances {
              guard await mayPerform(performance.id, machine.path) else {
                group.cancelAll()
                return WorkflowResult(step: performance.id, outcome: "stopped", reason: .outcome)
              }
            }
            teller.waited(setup.world.clock.now - asked, before: performances.map(\.id))
          }
          for performance in performances {
            let facts = machine.facts
            group.addTask { (performance.id, await performer.perform(performance, facts: facts)) }
          }
        }
        guard let (id, report) = await group.next() else {
          return WorkflowResult(step: nil, outcome: "unexpected", reason: .outcome)
        }
        if Task.isCancelled {
          group.cancelAll()
          return WorkflowResult(step: id, outcome: "interrupted", reason: .outcome)
        }
        action = machine.finished(id, report)
      }
    }
    let rest = machine.takeEvents()
    log.note(rest)
    teller.tell(rest)
    let platform = await performer.platformState()
    let record = RunResult(
      ending: ending, path: machine.path, transitions: log.transitions, interactions: performer.interactions,
      requests: performer.requests(toldBy: platform), accounts: performer.accounts,
      unmetFaults: performer.unmetFaults(toldBy: platform), unmetBefore: before.unmet,
      impossible: before.impossible, knowledge: machine.knowledge)
    teller.runFinished(record, took: setup.world.clock.now - start - teller.waited)
    return record
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
