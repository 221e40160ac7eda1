import Documents
import OrderedCollections

/// The state machine of a workflow. It determines the next steps from the result of each step.
///
/// The machine does not execute steps and has no clock. Its caller calls `start()`, executes the steps of the returned
/// action, and reports each result with `finished(_:_:)` until the action is `.finish`. The machine implements
/// captures, expectations, conditions, retries, fallbacks, claims challenges, nested workflows, and the step limit.
package struct WorkflowMachine: Sendable {
  /// The path so far, with an entry such as `loadAccount.found` for each step of the main workflow, including skipped
  /// steps.
  package private(set) var path: [String] = []
  package internal(set) var facts = StepFacts()
  /// The values of `${env:…}` and `${secret:…}`.
  let externalValues: ExternalValues
  /// The running workflows, outermost first.
  var frames: [MachineFrame]
  var events: [MachineEvent] = []
  /// The number of steps entered in all workflows, excluding the steps in `finally`.
  private var enteredSteps = 0
  private var result: WorkflowResult?
  /// The assumed results during an exploration. Nil in a run.
  var assumption: ExplorationAssumption?

  package init(
    _ workflow: Workflow, inputs: OrderedDictionary<String, JSON> = [:], externalValues: ExternalValues = .none
  ) {
    self.externalValues = externalValues
    frames = [MachineFrame(workflow, prefix: "", inputs: workflow.inputValues(inputs))]
  }

  /// The current context for expectations about the entire run.
  package var context: EvaluationContext { context(of: frames[0]) }

  /// The captures and inputs of the main workflow.
  package var scope: ValueScope { scope(of: frames[0]) }

  /// Returns the captures and inputs of a running workflow, or nil if it is not running.
  /// - Parameter prefix: The prefix of the workflow's step IDs: empty, or a prefix such as `login/`.
  package func scope(ofWorkflowAt prefix: String) -> ValueScope? {
    frames.first { $0.prefix == prefix }.map { scope(of: $0) }
  }

  /// Returns the events since the last call, in order.
  package mutating func takeEvents() -> [MachineEvent] {
    defer { events = [] }
    return events
  }

  // MARK: Interface

  /// Starts the first step.
  package mutating func start() -> Action {
    advance(.enter(0, .next))
  }

  /// Receives the result of a step. Ignores the result of a step that is not running.
  package mutating func finished(_ id: String, _ report: StepReport) -> Action {
    if let result { return .finish(result) }
    let frame = frames[frames.count - 1]
    if frame.members != nil { return finishedMember(id, report) }
    guard id == frame.fullID(of: frame.transitions.steps[frame.current]) else { return .perform([]) }
    return advance(.complete(report))
  }

  // MARK: State transitions

  /// A state change of the machine.
  enum Move {
    case enter(Int, MachineFrame.Entry)
    case complete(StepReport)
    case leave(outcome: OutcomeName, isHandled: Bool)
    /// The step list of the innermost workflow ends.
    case end(WorkflowResult)
    case act(Action)
  }

  /// Continues until steps must be executed or the workflow ends. Uses a loop instead of recursion, because a path can
  /// have a million steps.
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
    // `_modify` avoids copying the dictionaries in the frame on each change.
    _modify { yield &frames[frames.count - 1] }
  }

  func context(of frame: MachineFrame) -> EvaluationContext {
    EvaluationContext(facts: facts, scope: scope(of: frame), prefix: frame.prefix, stepIDs: frame.stepIDs)
  }

  func scope(of frame: MachineFrame) -> ValueScope {
    ValueScope(names: frame.names, externalValues: externalValues)
  }

  /// Counts the current step against the limit, which guarantees that each workflow ends.
  /// - Returns: The result of the workflow if the limit is exceeded.
  mutating func countStep() -> WorkflowResult? {
    let limit = frames[0].workflow.maxSteps
    let count: Int
    if frame.isInFinally {
      frame.stepsInFinally += 1
      count = frame.stepsInFinally
    } else {
      enteredSteps += 1
      count = enteredSteps
    }
    guard count > limit else { return nil }
    let step = frame.transitions.steps[frame.current]
    return WorkflowResult(step: frame.fullID(of: step), outcome: .exhausted, reason: .tooManySteps(limit))
  }

  /// Adds an entry to the path, which does not include the steps of nested workflows.
  mutating func addToPath(_ step: Step, _ outcome: OutcomeName) {
    if frames.count == 1 { path.append("\(step.id).\(outcome)") }
  }
}
