import Diagnostics
import Documents

/// What exploring a workflow came to: what is wrong with its machine, and which ways are real.
package struct ExplorationResult: Sendable {
  package enum ProofStatus: Sendable, Equatable {
    /// A scenario forced the way, and the run took it.
    case proven
    /// The outcome was forced, and the run went on elsewhere than the machine says.
    case differs(path: [String])
    /// No scenario is known that forces it; why, and what came instead of it.
    case notForced(reason: String, path: [String])
    /// Nothing was run.
    case notTried
  }

  package struct Path: Sendable {
    package var way: Exploration.Path
    package var name: String
    package var proof: ProofStatus
    /// The scenario that forces it, with what then came as its expectation.
    package var scenario: JSON?
    /// What the run took, for coverage.
    package var transitions: [TakenTransition]

    package init(
      way: Exploration.Path, name: String, proof: ProofStatus, scenario: JSON?, transitions: [TakenTransition]
    ) {
      self.way = way
      self.name = name
      self.proof = proof
      self.scenario = scenario
      self.transitions = transitions
    }
  }

  package var title: String
  package var file: String
  package var findings: [Diagnostic]
  package var unhandled: [Exploration.Unhandled]
  package var paths: [Path]
  /// How many places were walked, and whether that was all of them.
  package var places: Int
  package var isWhole: Bool

  package init(_ exploration: Exploration, paths: [Path]) {
    title = exploration.workflow.title
    file = exploration.workflow.document.source.name
    findings = exploration.findings
    unhandled = exploration.unhandled
    self.paths = paths
    places = exploration.places
    isWhole = exploration.isWhole
  }

  package var proven: Int { paths.count { $0.proof == .proven } }
  package var differing: Int {
    paths.count { if case .differs = $0.proof { true } else { false } }
  }
  package var notForced: Int {
    paths.count { if case .notForced = $0.proof { true } else { false } }
  }

  /// Whether something is wrong that no `on` can be meant to leave so.
  package var fails: Bool {
    differing > 0 || findings.contains { Exploration.failing.contains($0.rule) || $0.severity == .error }
  }
}
