import Documents
import OrderedCollections

/// The state of a running workflow, which is the main workflow or a nested workflow.
struct MachineFrame: Sendable {
  /// The reason for entering a step.
  enum Entry: Sendable {
    case next
    /// The step is the target of an `on` entry.
    case jump(from: Int)
    /// An earlier step falls back to the step.
    case fallback(from: Int)
    /// The step handles a claims challenge.
    case detour
    /// The step is retried, or the call is repeated after a detour.
    case repeated

    /// Whether a fallback that is entered for this reason runs. Otherwise, the fallback is skipped.
    var runsFallback: Bool {
      if case .next = self { false } else { true }
    }
  }

  /// The state of a detour, which handles a claims challenge.
  struct Detour: Sendable {
    /// The position of the call that received the challenge.
    var call: Int
    var claims: JSON?
  }

  /// The running members of a `parallel` step.
  struct Members: Sendable {
    var running: Set<String> = []
    var firstFailure: OutcomeName?
    var violations: [ExpectationResult] = []
  }

  let workflow: Workflow
  /// The prefix of the step IDs: empty, or a prefix such as `login/`.
  let prefix: String
  let stepIDs: Set<String>
  private let mainTransitions: Transitions
  private let finallyTransitions: Transitions
  private(set) var captures: OrderedDictionary<String, JSON> = [:]
  /// The values for `${…}` and bare names: captures and inputs. Captures take precedence.
  private(set) var names: OrderedDictionary<String, JSON>
  var isInFinally = false
  var current = 0
  var attempt = 1
  /// The number of earlier attempts of each step that is being retried, including the built-in retries of API calls.
  var earlierAttempts: [String: Int64] = [:]
  /// The number of runs of each step.
  var runs: [String: Int] = [:]
  var detour: Detour?
  /// The call that is repeated after a detour. A second claims challenge for the same call does not start another
  /// detour.
  var repeatedCall: Int?
  /// The token parameters of each executed step, including inherited parameters, by step position.
  var tokenParameters: [Int: TokenParameters] = [:]
  /// The claims that the server required when a token step failed, by step position.
  var serverClaims: [Int: JSON] = [:]
  var members: Members?
  var resultBeforeFinally: WorkflowResult?
  var failureInFinally: WorkflowResult?
  var stepsInFinally = 0

  init(_ workflow: Workflow, prefix: String, inputs: OrderedDictionary<String, JSON>) {
    self.workflow = workflow
    self.prefix = prefix
    names = inputs
    stepIDs = workflow.stepIDs
    mainTransitions = Transitions(workflow.steps)
    finallyTransitions = Transitions(workflow.finally)
  }

  var transitions: Transitions { isInFinally ? finallyTransitions : mainTransitions }

  /// Returns the full ID of a step, such as `silent` or `login/silent`.
  func fullID(of step: Step) -> String { prefix + step.id }

  /// Sets a capture. Both dictionaries are updated, because merging them for each step would take quadratic time.
  mutating func capture(_ name: String, _ value: JSON) {
    captures[name] = value
    names[name] = value
  }

  /// Returns the parameters of a token step that runs as a fallback, and the step from which the fallback inherits
  /// parameters.
  func inheritedTokenParameters(
    of position: Int, _ entry: Entry
  ) -> (parameters: TokenParameters, from: Int)? {
    let source: Int
    switch entry {
    case .fallback(let position), .jump(let position): source = position
    default: return nil
    }
    let steps = transitions.steps
    guard steps[position].isFallback, let own = steps[position].action.token else { return nil }
    if let parameters = tokenParameters[source] ?? steps[source].action.token {
      return (own.inheriting(from: parameters), source)
    }
    // `loadAccount` has no token parameters, so the fallback inherits the parameters of the `silent` step between them.
    guard source < position,
      let silent = steps[source..<position].lastIndex(where: { $0.kind.key == StepKind.silent.key }),
      let parameters = steps[silent].action.token
    else { return nil }
    return (own.inheriting(from: parameters), silent)
  }
}
