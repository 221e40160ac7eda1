/// How much of a workflow its scenarios covered.
package struct CoverageRecord: Hashable, Sendable {
  /// Covered of how many.
  package struct Share: Hashable, Sendable {
    package var covered: Int
    package var total: Int

    package init(_ covered: Int, of total: Int) {
      self.covered = covered
      self.total = total
    }

    /// Rounded down, so that 100 means all; nothing to cover is covered.
    package var percent: Int { total == 0 ? 100 : covered * 100 / total }
    package var isWhole: Bool { covered == total }

    package static func + (one: Share, two: Share) -> Share {
      Share(one.covered + two.covered, of: one.total + two.total)
    }
  }

  /// An outcome that the step's `on` or `expect` names.
  package struct NamedOutcome: Hashable, Sendable {
    /// An outcome, `internal`, `error`, or `expect` where the expectation writes none out.
    package var name: String
    /// How often it came.
    package var times: Int

    package init(name: String, times: Int) {
      self.name = name
      self.times = times
    }
  }

  /// A change of target that the drawn machine shows.
  package struct Arrow: Hashable, Sendable {
    /// A step's id, `success` or `failure`.
    package var to: String
    package var sort: MachineDiagram.Transition.Sort
    package var outcomes: [String]
    /// How often it was taken.
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
    /// The kind as it is written.
    package var kind: String
    package var isFinally: Bool
    /// How often it was performed; being skipped does not count.
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

  /// The workflow's name, else its file.
  package var title: String
  /// The workflow's file.
  package var file: String
  /// How many runs were counted.
  package var runs: Int
  /// In the order of the document; a member of `parallel` stands behind it.
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

  /// This and another record of the same workflow, as two shards of a suite make them; nil where the workflow was
  /// another one.
  package func merged(with other: CoverageRecord) -> CoverageRecord? {
    guard file == other.file, entries.count == other.entries.count else { return nil }
    var merged = self
    merged.runs += other.runs
    for index in entries.indices {
      let (one, two) = (entries[index], other.entries[index])
      guard one.id == two.id, one.outcomes.map(\.name) == two.outcomes.map(\.name),
        one.arrows.map(\.to) == two.arrows.map(\.to), one.arrows.map(\.outcomes) == two.arrows.map(\.outcomes)
      else { return nil }
      merged.entries[index].times += two.times
      for (position, outcome) in two.outcomes.enumerated() {
        merged.entries[index].outcomes[position].times += outcome.times
      }
      for (position, arrow) in two.arrows.enumerated() { merged.entries[index].arrows[position].times += arrow.times }
    }
    return merged
  }
}
