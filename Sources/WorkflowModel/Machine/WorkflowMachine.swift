import Documents
import OrderedCollections

/// The state machine that a workflow stands for, as a value: told what became of a step, it says what to perform next.
///
/// It performs nothing and knows no clock. Whoever runs it performs the steps that it names and tells their outcomes:
/// `start()`, then `finished(_:_:)` until `.finish` comes. Captures, expectations, conditions, retries, fallbacks, claims
/// detours, nested workflows and the bound on steps are its business.
package struct WorkflowMachine: Sendable {
  /// The way so far: `loadAccount.found`, one entry for each step of the main workflow, skipped ones included.
  package private(set) var path: [String] = []
  package internal(set) var facts = StepFacts()
  /// What `${env:…}` and `${secret:…}` read.
  let surroundings: ExternalValues
  /// The workflows under way, the main one first.
  var frames: [MachineFrame]
  var events: [MachineEvent] = []
  /// How many steps were entered, in all workflows together.
  private(set) var entered = 0
  private var ending: WorkflowResult?
  /// Set while the machine is explored: what a run would ask its facts is supposed.
  var supposition: ExplorationAssumption?

  package init(
    _ workflow: Workflow, inputs: OrderedDictionary<String, JSON> = [:], surroundings: ExternalValues = .none
  ) {
    self.surroundings = surroundings
    frames = [MachineFrame(workflow, prefix: "", inputs: workflow.inputValues(inputs))]
  }

  /// What is known now, for expectations of the whole run.
  package var knowledge: EvaluationContext { knowledge(of: frames[0]) }

  /// Captures and inputs of the main workflow.
  package var scope: ValueScope { ValueScope(names: frames[0].names, surroundings: surroundings) }

  /// Hands out what happened since the last call, in order.
  package mutating func takeEvents() -> [MachineEvent] {
    defer { events = [] }
    return events
  }

  // MARK: Told from outside

  /// The first step.
  package mutating func start() -> Action {
    go(.enter(0, .next))
  }

  /// A step's end. One that is not under way is passed over.
  package mutating func finished(_ id: String, _ report: StepReport) -> Action {
    if let ending { return .finish(ending) }
    let frame = frames[frames.count - 1]
    if frame.members != nil { return finishedMember(id, report) }
    guard id == frame.prefix + frame.transitions.steps[frame.current].id else { return .perform([]) }
    return go(.complete(report))
  }

  // MARK: The loop

  enum Move {
    case enter(Int, MachineFrame.Entry)
    case complete(StepReport)
    case leave(outcome: String, isHandled: Bool)
    /// The list of steps of the innermost workflow is over.
    case over(WorkflowResult)
    case act(Action)
  }

  /// Goes on until something must be performed, or it is over. A loop and no recursion: the way may be a million steps.
  mutating func go(_ first: Move) -> Action {
    var move = first
    while true {
      switch move {
      case .enter(let position, let entry): move = enter(position, entry)
      case .complete(let report): move = complete(report)
      case .leave(let outcome, let isHandled): move = leave(outcome, isHandled)
      case .over(let ending): move = over(ending)
      case .act(let action):
        if case .finish(let ending) = action { self.ending = ending }
        return action
      }
    }
  }

  var frame: MachineFrame {
    get { frames[frames.count - 1] }
    // In place: with a setter, each change of a dictionary in it would copy that dictionary.
    _modify { yield &frames[frames.count - 1] }
  }

  func knowledge(of frame: MachineFrame) -> EvaluationContext {
    EvaluationContext(
      facts: facts, scope: ValueScope(names: frame.names, surroundings: surroundings), prefix: frame.prefix,
      stepIDs: frame.stepIDs)
  }

  /// Counts a step; a workflow always ends.
  mutating func countStep() -> WorkflowResult? {
    let bound = frames[0].workflow.maxSteps
    let step = frame.prefix + frame.transitions.steps[frame.current].id
    if frame.isInFinally {
      frame.stepsInFinally += 1
      guard frame.stepsInFinally > bound else { return nil }
      return WorkflowResult(step: step, outcome: "exhausted", reason: .tooManySteps(bound))
    }
    entered += 1
    guard entered > bound else { return nil }
    return WorkflowResult(step: step, outcome: "exhausted", reason: .tooManySteps(bound))
  }

  /// One entry of the path; what happens inside a `use` is told by the facts alone.
  mutating func addToPath(_ step: Step, _ outcome: String) {
    if frames.count == 1 { path.append("\(step.id).\(outcome)") }
  }
}
