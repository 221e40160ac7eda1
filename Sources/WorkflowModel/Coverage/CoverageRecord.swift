/// The coverage of a workflow by the scenarios that ran.
package struct CoverageRecord: Hashable, Sendable {
  /// The number of covered goals and the total number of goals.
  package struct Share: Hashable, Sendable {
    package var covered: Int
    package var total: Int

    package init(_ covered: Int, of total: Int) {
      self.covered = covered
      self.total = total
    }

    /// The percentage, rounded down, so that 100 means complete coverage. The value is 100 if there are no goals.
    package var percent: Int { total == 0 ? 100 : covered * 100 / total }
    package var isComplete: Bool { covered == total }

    package static func + (left: Share, right: Share) -> Share {
      Share(left.covered + right.covered, of: left.total + right.total)
    }
  }

  /// An outcome that the step's `on` or `expect` specifies.
  package struct NamedOutcome: Hashable, Sendable {
    /// An outcome, `internal`, `error`, or `expect` for an expectation that does not specify an outcome.
    package var name: String
    /// The number of occurrences.
    package var times: Int

    package init(name: String, times: Int) {
      self.name = name
      self.times = times
    }
  }

  /// A transition in the diagram.
  package struct Arrow: Hashable, Sendable {
    /// A step ID, `success`, or `failure`.
    package var to: String
    package var sort: MachineDiagram.Transition.Sort
    package var outcomes: [String]
    /// The number of occurrences.
    package var times: Int

    package init(to: String, sort: MachineDiagram.Transition.Sort, outcomes: [String], times: Int) {
      self.to = to
      self.sort = sort
      self.outcomes = outcomes
      self.times = times
    }
  }

  package struct StepShare: Hashable, Sendable {
    package var id: String
    /// The step type as written in the workflow.
    package var kind: String
    package var isFinally: Bool
    /// The number of times that the step ran, excluding skipped runs.
    package var times: Int
    package var outcomes: [NamedOutcome]
    package var arrows: [Arrow]

    package init(
      id: String, kind: String, isFinally: Bool, times: Int, outcomes: [NamedOutcome], arrows: [Arrow]
    ) {
      self.id = id
      self.kind = kind
      self.isFinally = isFinally
      self.times = times
      self.outcomes = outcomes
      self.arrows = arrows
    }

    package var isCovered: Bool {
      times > 0 && outcomes.allSatisfy { $0.times > 0 } && arrows.allSatisfy { $0.times > 0 }
    }
  }

  /// The name of the workflow, or its file if it has none.
  package var title: String
  /// The workflow's file.
  package var file: String
  /// The number of counted runs.
  package var runs: Int
  /// The steps in document order. The members of a `parallel` step follow it.
  package var entries: [StepShare]

  package init(title: String, file: String, runs: Int, entries: [StepShare]) {
    self.title = title
    self.file = file
    self.runs = runs
    self.entries = entries
  }

  package var steps: Share { Share(entries.count { $0.times > 0 }, of: entries.count) }

  package var outcomes: Share {
    entries.reduce(Share(0, of: 0)) { $0 + Share($1.outcomes.count { $0.times > 0 }, of: $1.outcomes.count) }
  }

  package var transitions: Share {
    entries.reduce(Share(0, of: 0)) { $0 + Share($1.arrows.count { $0.times > 0 }, of: $1.arrows.count) }
  }

  package var all: Share { steps + outcomes + transitions }

  /// Returns the sum of two records of the same workflow, such as the records of two shards. Returns nil if the records
  /// describe different versions of the workflow.
  package func merged(with other: CoverageRecord) -> CoverageRecord? {
    guard file == other.file, entries.count == other.entries.count else { return nil }
    var merged = self
    merged.runs += other.runs
    for index in entries.indices {
      let (entry, otherEntry) = (entries[index], other.entries[index])
      guard entry.id == otherEntry.id, entry.outcomes.map(\.name) == otherEntry.outcomes.map(\.name),
        entry.arrows.map(\.to) == otherEntry.arrows.map(\.to),
        entry.arrows.map(\.outcomes) == otherEntry.arrows.map(\.outcomes)
      else { return nil }
      merged.entries[index].times += otherEntry.times
      for (position, outcome) in otherEntry.outcomes.enumerated() {
        merged.entries[index].outcomes[position].times += outcome.times
      }
      for (position, arrow) in otherEntry.arrows.enumerated() {
        merged.entries[index].arrows[position].times += arrow.times
      }
    }
    return merged
  }
}
