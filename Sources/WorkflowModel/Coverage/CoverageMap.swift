import Documents
import IdentityPlatform

/// The coverage goals of a workflow: its steps, the transitions of its diagram, and the outcomes that it lists.
///
/// The goals are all steps that can run, all transitions in the diagram (all default failures of a step count as one
/// transition), and all outcomes that an `on` lists or an `expect` handles. Impossible outcomes are not goals:
///
/// - outcomes of unreachable steps
/// - `skipped` for a step without a condition, `exhausted` without `maxRuns`, and `timedOut` without `timeout`
/// - `invalidParameter` if no `on` or `expect` handles it
/// - server errors for a `signout` without `signoutFromBrowser`, which is a local operation
/// - outcomes that the step's own `expect` excludes, because they end the run with `violated`
///
/// Default failures that no event can cause are not goals, unless an `on` handles them: `violated` for an `assert`
/// depends on earlier steps, and `brokerNotAvailable` depends on the settings. A transition skips fallbacks that do not
/// run and leads to the next step after them.
struct CoverageMap: Sendable {
  struct Arrow: Sendable, Hashable {
    /// A step ID, `success`, or `failure`.
    var to: String
    var sort: MachineDiagram.Transition.Sort
    var outcomes: [OutcomeName]
  }

  struct Entry: Sendable {
    var step: Step
    /// The ID of the `parallel` step that contains the step, if any.
    var parallel: String?
    var isFinally = false
    var arrows: [Arrow] = []
    /// The entries that `on` and `expect` list, in document order: outcomes, `internal`, `error`, and `expect` for an
    /// expectation that does not specify an outcome.
    var named: [String] = []
    /// The target of each outcome, which can be a fallback that does not run, and the key that handles the outcome, if
    /// any.
    var destinations: [OutcomeName: (to: String, name: String?)] = [:]
  }

  let entries: [Entry]

  init(_ workflow: Workflow) {
    entries = Self.entries(workflow.steps, isFinally: false) + Self.entries(workflow.finally, isFinally: true)
  }

  private static func entries(_ steps: [Step], isFinally: Bool) -> [Entry] {
    let graph = StepGraph(steps)
    var entries: [Entry] = []
    for position in steps.indices where graph.isPerformed(position) {
      let step = steps[position]
      var entry = Entry(step: step, isFinally: isFinally)
      let possible = graph.possibleOutcomes(position).filter { outcome in
        if step.excludes(outcome: outcome) { return false }
        return !step.isDeterminedStatically(outcome)
          || graph.transitions.leave(position, outcome: outcome.name).rule.source != .standard
      }
      for arrow in graph.transitions.arrows(from: position, possible) {
        entry.arrows.append(
          Arrow(
            to: graph.transitions.name(of: arrow.to), sort: arrow.sort, outcomes: arrow.outcomes.map(\.name)))
      }
      for outcome in possible {
        let (destination, rule) = graph.transitions.leave(position, outcome: outcome.name)
        entry.destinations[outcome.name] = (
          graph.transitions.name(of: destination), step.name(of: rule.source, outcome)
        )
      }
      let names = Set(entry.destinations.values.compactMap(\.name))
      for key in step.on.map(\.outcome.text) where names.contains(key) && !entry.named.contains(key) {
        entry.named.append(key)
      }
      for outcome in possible {
        if let name = entry.destinations[outcome.name]?.name, !entry.named.contains(name) { entry.named.append(name) }
      }
      entries.append(entry)
      if case .parallel(let members) = step.action {
        entries += members.map { Entry(step: $0, parallel: step.id, isFinally: isFinally) }
      }
    }
    return entries
  }
}

extension StepGraph {
  /// Returns the step outcomes that are coverage goals. These are the outcomes in the diagram that are possible on the
  /// paths to the step and that events can cause.
  func possibleOutcomes(_ position: Int) -> [Outcome] {
    var names: Set<OutcomeName> = []
    for place in Self.places(of: position) { names.formUnion(edges(from: place).map(\.outcome.name)) }
    let step = steps[position]
    return step.possibleOutcomes.filter { outcome in
      names.contains(outcome.name) && (outcome.name != .timedOut || step.canTimeOut)
        && !step.cannotBeSimulated(outcome)
    }
  }
}

extension Step {
  /// Whether the step or an inner step has a timeout. Without a timeout, `timedOut` requires an endless network delay.
  var canTimeOut: Bool {
    switch action {
    case .parallel(let members): members.contains(where: \.canTimeOut)
    case .use(let use): use.workflow.map { ($0.steps + $0.finally).contains(where: \.canTimeOut) } ?? false
    default: timeout != nil && kind.usesNetwork
    }
  }

  /// Returns whether no simulated event can cause the outcome. Invalid parameters come from the workflow, and a
  /// sign-out without the browser is a local operation.
  fileprivate func cannotBeSimulated(_ outcome: Outcome) -> Bool {
    if handler(of: outcome.name) != nil || expects(outcome: outcome.name) { return false }
    if outcome.name == .invalidParameter { return true }
    guard case .signout(let signout) = action else { return false }
    let isLocal = signout.signoutFromBrowser.map { $0.literal == false } ?? true
    // Even a local sign-out can fail to read the cached account.
    return isLocal && outcome.isFailure && outcome.name != .exhausted && outcome.name != .unexpected
  }

  /// Returns whether only the workflow and its settings determine the outcome, so that no event can cause it.
  fileprivate func isDeterminedStatically(_ outcome: Outcome) -> Bool {
    switch action {
    case .assert: outcome.name == .violated
    case .deviceInfo: outcome.name == .internal(.brokerNotAvailable)
    default: false
    }
  }

  /// Returns the key that handles the outcome, or nil if the outcome has the default target.
  fileprivate func name(of source: Transitions.Rule.Source, _ outcome: Outcome) -> String? {
    switch source {
    case .standard: nil
    case .on(let key): key.text
    case .expect: namesInExpect.contains(outcome.name.rawValue) ? outcome.name.rawValue : "expect"
    }
  }

  /// The outcomes that the step's `expect` specifies.
  private var namesInExpect: Set<String> {
    Set(outcomeMatchers.flatMap { $0.constants ?? [] }.compactMap(\.string))
  }
}
