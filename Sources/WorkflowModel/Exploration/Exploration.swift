import Documents
import OrderedCollections

/// All outcomes of all steps of a workflow, explored with the state machine that also runs it.
///
/// The exploration terminates. A place is the state on which further transitions depend: the step, whether a call is
/// being repeated, an open detour, the number of runs of limited steps, and the outcomes that conditions use. There are
/// finitely many places with finitely many outcomes, and each is expanded once. Paths are limited to `maxSteps`, and
/// places to `maxPlaces`. Places with fewer failures on their path come first, then those with the shortest path, so
/// the first path to each transition is the simplest.
package struct Exploration: Sendable {
  /// A path that ends with a specific transition.
  package struct Path: Sendable {
    package var step: Step
    package var isFinally: Bool
    package var outcome: Outcome
    /// The entries of the path, including the last one: `silent.success`. Paths from the same place share earlier
    /// entries.
    package var entries: [String] {
      get { before + own }
      set { (before, own) = ([], newValue) }
    }
    private var before: [String]
    private var own: [String]
    /// A step ID, `success`, or `failure`.
    package var to: String
    package var source: Transitions.Rule.Source
    /// The next step that runs, after skipped steps; nil at the end.
    package var next: String?

    /// The last entry: `silent.offline`.
    package var entry: String { "\(step.id).\(outcome.name)" }

    /// The number of earlier entries that are not successes.
    package var detours: Int

    init(
      step: Step, isFinally: Bool, outcome: Outcome, before: [String], own: [String], to: String,
      source: Transitions.Rule.Source, next: String?, detours: Int
    ) {
      self.step = step
      self.isFinally = isFinally
      self.outcome = outcome
      self.before = before
      self.own = own
      self.to = to
      self.source = source
      self.next = next
      self.detours = detours
    }
  }

  /// The outcomes of a step that fail by default.
  package struct Unhandled: Sendable {
    package var step: Step
    /// Common outcomes, most frequent first.
    package var common: [String]
    package var rare: [String]
  }

  package let workflow: Workflow
  package var paths: [Path] = []
  /// The results of conditions that are determined by the path, by step ID.
  var decided: [String: Set<Bool>] = [:]
  /// The number of expanded places.
  package var places = 0
  /// Whether all places were expanded. If not, a limit was reached or the task was canceled.
  package var isComplete = true
  /// The effort so far, in the unit of `maxLength`.
  package var length = 0

  package static let maxPlaces = 20_000
  package static let maxPaths = 20_000
  /// The maximum number of steps on all paths together, which limits time and memory for long workflows.
  package static let maxLength = 2_000_000
  /// The maximum number of entries of all paths together, which limits the size of the report.
  package static let maxEntries = 5_000_000
  /// The number of path entries to copy, or outcomes to compare, that cost as much as a step.
  static let entriesPerStep = 16
  /// The number of steps between two cancellation checks and progress reports.
  static let interval = 4_096
  /// The maximum number of combinations of consecutive conditions and asserts, each of which doubles the number of
  /// paths. Combinations with fewer failures come first.
  static let maxForks = 1_000

  /// - Parameters:
  ///   - depth: The maximum number of failures on a path, beyond the shortest path to each transition. With 1, each
  ///     transition occurs once.
  ///   - limit: The maximum number of steps on all paths together.
  ///   - onProgress: Called periodically with the number of places and paths.
  package init(
    _ workflow: Workflow, depth: Int = 1, limit: Int = Exploration.maxLength,
    onProgress: (_ places: Int, _ paths: Int) -> Void = { _, _ in }
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
  /// The steps of the workflow and its `finally` by ID, without members of `parallel`.
  package var ownSteps: [String: (step: Step, isFinally: Bool)] {
    let own = steps.map { ($0.id, (step: $0, isFinally: false)) }
    return Dictionary(own + finally.map { ($0.id, (step: $0, isFinally: true)) }) { first, _ in first }
  }
}
