import Documents
import OrderedCollections

/// The state of a running workflow: the main one, or one inside a `use`.
struct MachineFrame: Sendable {
  /// The reason for entering a step.
  enum Entry: Sendable {
    case next
    /// An `on` of another step targets it.
    case jump(from: Int)
    /// Another step falls back to it.
    case fallback(from: Int)
    /// A claims challenge leads to it.
    case detour
    /// A retry, or the repeated call after a detour.
    case repeated

    /// Whether a fallback runs instead of being skipped.
    var countsAsEntering: Bool {
      if case .next = self { false } else { true }
    }
  }

  struct Detour: Sendable {
    var call: Int
    var claims: JSON?
  }

  /// The running members of a `parallel` step.
  struct Members: Sendable {
    var running: Set<String> = []
    var firstFailure: String?
    var violations: [ExpectationResult] = []
  }

  let workflow: Workflow
  /// The prefix of the step IDs: empty, or `login/`.
  let prefix: String
  let stepIDs: Set<String>
  let main: Transitions
  let last: Transitions
  private(set) var captures: OrderedDictionary<String, JSON> = [:]
  /// The values for `${…}` and bare names: captures and inputs. Captures take precedence.
  private(set) var names: OrderedDictionary<String, JSON>
  var isInFinally = false
  var current = 0
  var attempt = 1
  /// The number of earlier attempts of each step that is being retried. API calls also retry on their own.
  var earlierTries: [String: Int64] = [:]
  /// The number of runs of each step.
  var runs: [String: Int] = [:]
  var detour: Detour?
  /// The call that is repeated after a detour. It does not get a second detour.
  var repeatedCall: Int?
  /// The token parameters of each executed step, including inherited ones.
  var tokenParameters: [Int: TokenParameters] = [:]
  /// The claims that the server required when a token step failed.
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
    main = Transitions(workflow.steps)
    last = Transitions(workflow.finally)
  }

  var transitions: Transitions { isInFinally ? last : main }

  /// Sets a capture in both dictionaries, because merging them on each change would take quadratic time.
  mutating func capture(_ name: String, _ value: JSON) {
    captures[name] = value
    names[name] = value
  }

  /// The parameters of a token step that runs as a fallback, and the step from which it inherits them.
  func inheriting(_ position: Int, _ entry: Entry) -> (parameters: TokenParameters, from: Int)? {
    let from: Int
    switch entry {
    case .fallback(let origin), .jump(let origin): from = origin
    default: return nil
    }
    let steps = transitions.steps
    guard steps[position].isFallback, let own = steps[position].action.token else { return nil }
    if let parameters = tokenParameters[from] ?? steps[from].action.token {
      return (own.inheriting(from: parameters), from)
    }
    // `loadAccount` has no token parameters, so the fallback inherits those of the skipped `silent` step.
    guard from < position,
      let skipped = steps[from..<position].lastIndex(where: { $0.kind.key == StepKind.silent.key }),
      let parameters = steps[skipped].action.token
    else { return nil }
    return (own.inheriting(from: parameters), skipped)
  }
}
