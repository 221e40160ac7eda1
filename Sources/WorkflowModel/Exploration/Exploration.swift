import Documents
import OrderedCollections

/// Every outcome of every step of a workflow, walked by the machine that also runs it.
///
/// The walk ends: a place is what the machine's further ways depend on (the step, whether a call is being repeated, an
/// open detour, how often bounded steps ran, the outcomes that conditions ask for), of which there are finitely many;
/// each is expanded once, with finitely many outcomes; no way is longer than `maxSteps`; and no more than `mostPlaces`
/// are expanded. Places on whose way less went wrong come first, and of those the nearest, so that the first way over an
/// arrow is the plainest.
package struct Exploration: Sendable {
  /// A way over one arrow: how to get there, and what is there.
  package struct Path: Sendable {
    package var step: Step
    package var isFinally: Bool
    package var outcome: Outcome
    /// The entries of the path, up to and including this one: `silent.success`. Ways from one place share those before it.
    package var entries: [String] {
      get { before + own }
      set { (before, own) = ([], newValue) }
    }
    private var before: [String]
    private var own: [String]
    /// A step's id, `success` or `failure`.
    package var to: String
    package var source: Transitions.Rule.Source
    /// The step that is performed next, past those that are skipped; nil at the end.
    package var next: String?

    /// The entry of the arrow itself: `silent.offline`.
    package var entry: String { "\(step.id).\(outcome.name)" }

    /// How many entries before the last are anything but a step's success.
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

  /// Outcomes of a step that end in failure without the author having said so.
  package struct Unhandled: Sendable {
    package var step: Step
    /// Those that people meet every day, the most frequent first.
    package var common: [String]
    package var rare: [String]
  }

  package let workflow: Workflow
  package var ways: [Path] = []
  /// Conditions that the ways decide, with what they came to.
  var decided: [String: Set<Bool>] = [:]
  /// How many places were expanded.
  package var places = 0
  /// Whether every place was expanded; otherwise the walk exceeded one of the limits below, or the task was canceled.
  package var isWhole = true
  /// What the walk cost, in the unit of `mostLength`.
  package var length = 0

  package static let mostPlaces = 20_000
  package static let mostWays = 20_000
  /// How many steps the walk may come past, all ways together: that bounds time and memory for long workflows.
  package static let mostLength = 2_000_000
  /// How many entries all ways may have together: that bounds the report.
  package static let mostEntries = 5_000_000
  /// Copying an entry of the path and naming an outcome cost this part of a step.
  static let entriesPerStep = 16
  /// How many steps the walk comes past between two looks at the task, and how many places between two reports.
  static let interval = 4_096
  /// Conditions and asserts that follow on each other double the ways each time; of one go these are walked, those
  /// where the fewest of them fail first.
  static let mostForks = 1_000

  /// - Parameters:
  ///   - depth: how many outcomes that are no success a way may have, beyond the shortest for each arrow: 1 is each
  ///     arrow once.
  ///   - limit: how many steps the walk may come past.
  ///   - tell: is called with the number of places and ways from time to time.
  package init(
    _ workflow: Workflow, depth: Int = 1, limit: Int = Exploration.mostLength,
    tell: (_ places: Int, _ ways: Int) -> Void = { _, _ in }
  ) {
    self = withoutActuallyEscaping(tell) { tell in
      var walk = ExplorationWalk(workflow, depth: depth, limit: limit, tell: tell)
      walk.run()
      return walk.found
    }
  }

  init(of workflow: Workflow) { self.workflow = workflow }
}

extension Workflow {
  /// The steps of its own list and of `finally`, by their ids.
  package var ownSteps: [String: (step: Step, isFinally: Bool)] {
    let own = steps.map { ($0.id, (step: $0, isFinally: false)) }
    return Dictionary(own + finally.map { ($0.id, (step: $0, isFinally: true)) }) { first, _ in first }
  }
}
