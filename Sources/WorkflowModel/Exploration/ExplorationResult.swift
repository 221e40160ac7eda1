import Diagnostics
import Documents

/// The result of exploring a workflow: problems in its state machine, and the paths with their proofs.
package struct ExplorationResult: Sendable {
  package enum ProofStatus: Sendable, Equatable {
    /// A scenario forced the path, and the run took it.
    case proven
    /// A scenario forced the outcome, but the run took a different path than the state machine predicts.
    case differs(path: [String])
    /// No known scenario forces the path.
    case unproven(reason: String, path: [String])
    /// The path was not tried.
    case notTried
  }

  package struct Path: Sendable {
    package var explored: Exploration.Path
    package var name: String
    package var proof: ProofStatus
    /// The scenario that forces the path. Its expectation is the observed result.
    package var scenario: JSON?
    /// The transitions of the run, for coverage.
    package var transitions: [TakenTransition]

    package init(
      explored: Exploration.Path, name: String, proof: ProofStatus, scenario: JSON?, transitions: [TakenTransition]
    ) {
      self.explored = explored
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
  /// The number of explored states.
  package var states: Int
  package var isComplete: Bool

  package init(_ exploration: Exploration, paths: [Path]) {
    title = exploration.workflow.title
    file = exploration.workflow.document.source.name
    findings = exploration.findings
    unhandled = exploration.unhandled
    self.paths = paths
    states = exploration.states
    isComplete = exploration.isComplete
  }

  package var proven: Int { paths.count { $0.proof == .proven } }
  package var differing: Int {
    paths.count { if case .differs = $0.proof { true } else { false } }
  }
  package var unproven: Int {
    paths.count { if case .unproven = $0.proof { true } else { false } }
  }

  /// Whether the exploration found an error.
  package var fails: Bool {
    differing > 0 || findings.contains { Exploration.failing.contains($0.rule) || $0.severity == .error }
  }
}
