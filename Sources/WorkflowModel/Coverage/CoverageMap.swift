import Documents

/// What there is to cover in a workflow: its steps, the arrows of its drawing, and the outcomes that it names.
///
/// What counts: each step that some way performs; each change of target that the drawn machine shows, all default
/// failures of a step being one; each outcome that an `on` names, or an `expect` counts as handled. What cannot occur
/// does not count: a step that nothing leads to, `skipped` where nothing is asked, `exhausted` without `maxRuns`,
/// `timedOut` without `timeout`, `invalidParameter` where nobody handles it, refusals of a server that a `signout` without
/// `signoutFromBrowser` never asks, an outcome that the step's own `expect` excludes, since the run ends there as broken.
/// Neither do default failures that no event brings about: `violated` of an `assert` follows from the steps before it,
/// `brokerNotAvailable` from the settings; what an `on` says about them counts all the same. A fallback that is passed
/// over is no change of target: its arrows go past it.
struct CoverageMap: Sendable {
  struct Arrow: Sendable, Hashable {
    /// A step's id, `success` or `failure`.
    var to: String
    var sort: MachineDiagram.Transition.Sort
    var outcomes: [String]
  }

  struct Entry: Sendable {
    var step: Step
    /// The step that it is a member of, where it is one of several at the same time.
    var parallel: String?
    var isFinally = false
    var arrows: [Arrow] = []
    /// What `on` and `expect` name, in the order in which it is written: an outcome, `internal`, `error`, or `expect` where
    /// no outcome is written out.
    var named: [String] = []
    /// Where an outcome leads: the destination before fallbacks are passed, and by what name it is said.
    var ways: [String: (to: String, name: String?)] = [:]
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
        return !step.settlesByItself(outcome)
          || graph.transitions.leave(position, outcome: outcome.name).rule.source != .standard
      }
      for arrow in graph.transitions.arrows(from: position, possible) {
        entry.arrows.append(
          Arrow(to: name(arrow.to, steps), sort: arrow.sort, outcomes: arrow.outcomes.map(\.name)))
      }
      for outcome in possible {
        let (destination, rule) = graph.transitions.leave(position, outcome: outcome.name)
        entry.ways[outcome.name] = (name(destination, steps), step.name(of: rule.source, outcome))
      }
      let names = Set(entry.ways.values.compactMap(\.name))
      for handler in step.on where names.contains(handler.outcome) && !entry.named.contains(handler.outcome) {
        entry.named.append(handler.outcome)
      }
      for outcome in possible {
        if let name = entry.ways[outcome.name]?.name, !entry.named.contains(name) { entry.named.append(name) }
      }
      entries.append(entry)
      if case .parallel(let members) = step.action {
        entries += members.map { Entry(step: $0, parallel: step.id, isFinally: isFinally) }
      }
    }
    return entries
  }

  private static func name(_ destination: Transitions.Destination, _ steps: [Step]) -> String {
    switch destination {
    case .step(let position), .fallback(let position), .detour(let position): steps[position].id
    case .success: "success"
    case .failure: "failure"
    }
  }
}

extension StepGraph {
  /// What can come of a step on the ways that reach it, as far as a drawing shows it.
  func possibleOutcomes(_ position: Int) -> [Outcome] {
    var names: Set<String> = []
    for entered in [false, true] {
      names.formUnion(edges(from: Place(position: position, entered: entered)).map(\.outcome.name))
    }
    let step = steps[position]
    return step.drawnOutcomes.filter { outcome in
      names.contains(outcome.name) && (outcome.name != Outcome.timedOut.name || step.canTimeOut)
        && !step.isBeyondTheWorld(outcome)
    }
  }
}

extension Step {
  /// Whether `timedOut` can come of it without a network that hangs for ever: by its own timeout, or from its inside.
  var canTimeOut: Bool {
    switch action {
    case .parallel(let members): members.contains(where: \.canTimeOut)
    case .use(let use): use.workflow.map { ($0.steps + $0.finally).contains(where: \.canTimeOut) } ?? false
    default: timeout != nil && kind.usesNetwork
    }
  }

  /// Whether nothing that can happen to the world brings the outcome about: a parameter that does not fit is written in the
  /// workflow, and signing out asks nobody where the browser is left alone.
  fileprivate func isBeyondTheWorld(_ outcome: Outcome) -> Bool {
    if on.contains(where: { $0.outcome == outcome.name }) || expects(outcome: outcome.name) { return false }
    if outcome.name == Outcome.invalidParameter.name { return true }
    guard case .signout(let signout) = action else { return false }
    let isLocal = signout.signoutFromBrowser.map { $0.literal == false } ?? true
    // What MSAL has of the account it may find unreadable, with a browser and without.
    let isOwn = [Outcome.exhausted.name, Outcome.unexpected.name].contains(outcome.name)
    return isLocal && outcome.sort != .success && outcome.sort != .neutral && !isOwn
  }

  /// Whether no event brings the outcome about: what the workflow and its settings say decides it.
  fileprivate func settlesByItself(_ outcome: Outcome) -> Bool {
    switch action {
    case .assert: outcome.name == "violated"
    case .deviceInfo: outcome.name == "brokerNotAvailable"
    default: false
    }
  }

  /// The name by which an outcome is said to be handled; nil where nothing is said.
  fileprivate func name(of source: Transitions.Rule.Source, _ outcome: Outcome) -> String? {
    switch source {
    case .standard: nil
    case .on(let key): key
    case .expect: namesInExpect.contains(outcome.name) ? outcome.name : "expect"
    }
  }

  /// The outcomes that its `expect` writes out.
  private var namesInExpect: Set<String> {
    var names: Set<String> = []
    for expectation in expect {
      guard case .own = expectation.address.subject, expectation.address.word == ResultField.outcome.rawValue else {
        continue
      }
      names.formUnion((expectation.matcher.constants ?? []).compactMap(\.string))
    }
    return names
  }
}
