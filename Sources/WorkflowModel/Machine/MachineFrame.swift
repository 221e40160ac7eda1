import Documents
import OrderedCollections

/// One workflow under way: the main one, or one that a `use` runs inside it.
struct MachineFrame: Sendable {
  /// How a step is entered.
  enum Entry: Sendable {
    case next
    /// By an `on` of another step.
    case jump(from: Int)
    /// As the fallback of another step.
    case fallback(from: Int)
    /// With the claims of a challenge.
    case detour
    /// The same call again, after a detour.
    case again

    /// Whether a `when` is not asked: a fallback is entered by name.
    var countsAsEntering: Bool {
      if case .next = self { false } else { true }
    }
  }

  struct Detour: Sendable {
    var call: Int
    var claims: JSON?
  }

  /// Members of a `parallel` under way.
  struct Members: Sendable {
    var underWay: Set<String> = []
    var firstFailure: String?
    var broken: [ExpectationResult] = []
  }

  let workflow: Workflow
  /// What stands before its steps' ids: empty, or `login/`.
  let prefix: String
  let stepIDs: Set<String>
  let main: Transitions
  let last: Transitions
  private(set) var captures: OrderedDictionary<String, JSON> = [:]
  /// What `${…}` and bare names read: captures over inputs.
  private(set) var names: OrderedDictionary<String, JSON>
  var isInFinally = false
  var current = 0
  var attempt = 1
  /// How often each step that is being tried again was tried before: a call tries by itself as well.
  var earlierTries: [String: Int64] = [:]
  /// How often each step ran.
  var runs: [String: Int] = [:]
  var detour: Detour?
  /// The call that is being repeated after a detour: it gets no second one.
  var repeatedCall: Int?
  /// The token parameters that each step was performed with, inherited ones included.
  var asked: [Int: TokenParameters] = [:]
  /// The claims that the server asked for when a token step could not go on.
  var serverClaims: [Int: JSON] = [:]
  var members: Members?
  var endingBeforeFinally: WorkflowResult?
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

  /// Sets a capture. Merging all of them over the inputs each time is quadratic.
  mutating func capture(_ name: String, _ value: JSON) {
    captures[name] = value
    names[name] = value
  }

  /// The parameters of a token step with what it inherits as a fallback, and from whom.
  func inheriting(_ position: Int, _ entry: Entry) -> (parameters: TokenParameters, from: Int)? {
    let from: Int
    switch entry {
    case .fallback(let origin), .jump(let origin): from = origin
    default: return nil
    }
    let steps = transitions.steps
    guard steps[position].isFallback, let own = steps[position].action.token else { return nil }
    if let parameters = asked[from] ?? steps[from].action.token { return (own.inheriting(from: parameters), from) }
    // loadAccount asks for nothing itself: the silent step that is passed over says what the token was to be for.
    guard from < position,
      let passed = steps[from..<position].lastIndex(where: { $0.kind.key == StepKind.silent.key }),
      let parameters = steps[passed].action.token
    else { return nil }
    return (own.inheriting(from: parameters), passed)
  }
}
