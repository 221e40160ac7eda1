import Documents
import OrderedCollections

/// An exploration of all step outcomes in a workflow, with the same state machine that runs the workflow.
///
/// A place is the state on which further transitions depend: the step, whether a call is being repeated, the current
/// detour, the number of runs of each step with `maxRuns`, and the outcomes that conditions use. The exploration
/// terminates, because the numbers of states and outcomes are finite, and each place is expanded only once. In
/// addition, the length of paths is limited to `maxSteps`, and the number of states to `maxStates`. States with fewer
/// failures on their path are expanded first, then states with a shorter path, so the first path to each transition is
/// the simplest.
package struct Exploration: Sendable {
  /// A path that ends with a specific transition.
  package struct Path: Sendable {
    package var step: Step
    package var isFinally: Bool
    package var outcome: Outcome
    /// The entries of the path before its last place. Paths that continue from the same place share this array.
    var earlierEntries: [String]
    /// The entries after the last place, including the last entry of the path.
    var newEntries: [String]
    /// The target of the transition: a step ID, `success`, or `failure`.
    package var to: String
    package var source: Transitions.Rule.Source
    /// The next step that runs, after any skipped steps. Nil at the end of the workflow.
    package var next: String?

    /// The last entry, such as `silent.offline`.
    package var entry: String { "\(step.id).\(outcome.name)" }

    /// The number of earlier entries that are failures.
    package var detours: Int

    /// The entries of the path, including the last entry, such as `silent.success`.
    package var entries: [String] {
      get { earlierEntries + newEntries }
      set { (earlierEntries, newEntries) = ([], newValue) }
    }
  }

  /// The outcomes of a step that fail by default.
  package struct Unhandled: Sendable {
    package var step: Step
    /// Common outcomes, most frequent first.
    package var common: [OutcomeName]
    package var rare: [OutcomeName]
  }

  package let workflow: Workflow
  package var paths: [Path] = []
  /// The results of conditions that depend only on the path, by step ID.
  var conditionResults: [String: Set<Bool>] = [:]
  /// The number of expanded states.
  package var states = 0
  /// Whether all states were expanded. If not, a limit was reached or the task was canceled.
  package var isComplete = true
  /// The effort so far, in the same unit as `maxLength`.
  package var length = 0

  package static let maxStates = 20_000
  package static let maxPaths = 20_000
  /// The maximum total number of steps on all paths, which limits time and memory for long workflows.
  package static let maxLength = 2_000_000
  /// The maximum total number of entries in all paths, which limits the size of the report.
  package static let maxEntries = 5_000_000
  /// The number of copied path entries or compared outcomes that count as one step in `length`.
  static let entriesPerStep = 16
  /// The number of steps between progress reports and between checks for cancellation.
  static let interval = 4_096
  /// The maximum number of combinations of results for consecutive conditions and asserts. Each condition or assert
  /// doubles the number of paths. Combinations with fewer failures are explored first.
  static let maxForks = 1_000

  /// - Parameters:
  ///   - depth: The maximum number of failures on additional paths to a transition. With a depth of 1, there is only
  ///     the simplest path to each transition.
  ///   - limit: The maximum total number of steps on all paths.
  ///   - onProgress: Called periodically with the number of states and paths.
  package init(
    _ workflow: Workflow, depth: Int = 1, limit: Int = Exploration.maxLength,
    onProgress: (_ states: Int, _ paths: Int) -> Void = { _, _ in }
  ) {
    self = withoutActuallyEscaping(onProgress) { onProgress in
      var walk = ExplorationWalk(workflow, depth: depth, limit: limit, onProgress: onProgress)
      walk.run()
      return walk.exploration
    }
  }

  init(of workflow: Workflow) { self.workflow = workflow }
}

extension Workflow {
  /// The steps of the main list and of `finally` by ID, without members of `parallel`.
  package var ownSteps: [String: (step: Step, isFinally: Bool)] {
    let own = steps.map { ($0.id, (step: $0, isFinally: false)) }
    return Dictionary(own + finally.map { ($0.id, (step: $0, isFinally: true)) }) { first, _ in first }
  }
}
