import Documents
import OrderedCollections

/// The state machine of a workflow, as a value: given the result of a step, it determines the next steps.
///
/// The machine executes nothing and has no clock. Its caller executes the steps and reports their results: `start()`,
/// then `finished(_:_:)` until the action is `.finish`. The machine handles captures, expectations, conditions,
/// retries, fallbacks, claims detours, nested workflows, and the limit on steps.
package struct WorkflowMachine: Sendable {
  /// The path so far: `loadAccount.found`, with one entry per step of the main workflow, including skipped steps.
  package private(set) var path: [String] = []
  package internal(set) var facts = StepFacts()
  /// The values for `${env:…}` and `${secret:…}`.
  let externalValues: ExternalValues
  /// The running workflows, the main one first.
  var frames: [MachineFrame]
  var events: [MachineEvent] = []
  /// The number of entered steps in all workflows.
  private(set) var entered = 0
  private var result: WorkflowResult?
  /// The assumed results during an exploration; nil in a run.
  var assumption: ExplorationAssumption?

  package init(
    _ workflow: Workflow, inputs: OrderedDictionary<String, JSON> = [:], externalValues: ExternalValues = .none
  ) {
    self.externalValues = externalValues
    frames = [MachineFrame(workflow, prefix: "", inputs: workflow.inputValues(inputs))]
  }

  /// The current context, for expectations of the whole run.
  package var context: EvaluationContext { context(of: frames[0]) }

  /// Captures and inputs of the main workflow.
  package var scope: ValueScope { ValueScope(names: frames[0].names, externalValues: externalValues) }

  /// Returns the events since the last call, in order.
  package mutating func takeEvents() -> [MachineEvent] {
    defer { events = [] }
    return events
  }

  // MARK: Actions of the caller

  /// Starts the first step.
  package mutating func start() -> Action {
    advance(.enter(0, .next))
  }

  /// Reports the result of a step. A step that is not running is ignored.
  package mutating func finished(_ id: String, _ report: StepReport) -> Action {
    if let result { return .finish(result) }
    let frame = frames[frames.count - 1]
    if frame.members != nil { return finishedMember(id, report) }
    guard id == frame.prefix + frame.transitions.steps[frame.current].id else { return .perform([]) }
    return advance(.complete(report))
  }

  // MARK: State transitions

  enum Move {
    case enter(Int, MachineFrame.Entry)
    case complete(StepReport)
    case leave(outcome: String, isHandled: Bool)
    /// The list of steps of the innermost workflow ends.
    case end(WorkflowResult)
    case act(Action)
  }

  /// Continues until steps must be executed or the workflow ends. A loop, because a path can have a million steps.
  mutating func advance(_ first: Move) -> Action {
    var move = first
    while true {
      switch move {
      case .enter(let position, let entry): move = enter(position, entry)
      case .complete(let report): move = complete(report)
      case .leave(let outcome, let isHandled): move = leave(outcome, isHandled)
      case .end(let result): move = end(result)
      case .act(let action):
        if case .finish(let final) = action { result = final }
        return action
      }
    }
  }

  var frame: MachineFrame {
    get { frames[frames.count - 1] }
    // `_modify` avoids copies of the dictionaries in the frame on each change.
    _modify { yield &frames[frames.count - 1] }
  }

  func context(of frame: MachineFrame) -> EvaluationContext {
    EvaluationContext(
      facts: facts, scope: ValueScope(names: frame.names, externalValues: externalValues), prefix: frame.prefix,
      stepIDs: frame.stepIDs)
  }

  /// Counts a step. The limit guarantees that each workflow ends.
  mutating func countStep() -> WorkflowResult? {
    let limit = frames[0].workflow.maxSteps
    let step = frame.prefix + frame.transitions.steps[frame.current].id
    if frame.isInFinally {
      frame.stepsInFinally += 1
      guard frame.stepsInFinally > limit else { return nil }
      return WorkflowResult(step: step, outcome: "exhausted", reason: .tooManySteps(limit))
    }
    entered += 1
    guard entered > limit else { return nil }
    return WorkflowResult(step: step, outcome: "exhausted", reason: .tooManySteps(limit))
  }

  /// Adds an entry to the path. Steps inside a `use` are not part of it.
  mutating func addToPath(_ step: Step, _ outcome: String) {
    if frames.count == 1 { path.append("\(step.id).\(outcome)") }
  }
}
