import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel
import WorkflowRunner

/// A suspension of a run.
package struct RunStop: Sendable {
  /// The reason for the suspension. The raw value is the reason in the Debug Adapter Protocol.
  package enum Reason: String, Sendable {
    case entry, step, breakpoint, functionBreakpoint = "function breakpoint", exception, pause
  }

  package struct Exception: Sendable {
    /// The exception filter: `failedExpectation` or `errorOutcome`.
    package var id: String
    package var description: String
  }

  package let number: Int
  package let point: RunPoint
  package let run: RunInspection
  package let reason: Reason
  /// The IDs of the breakpoints that the run reached.
  package var breakpoints: [Int] = []
  package var exception: Exception?

  /// The location: the step, the `on` entry of its outcome, or the expectation.
  package var place: FileSpan? { point.place(in: run) }

  /// The result to which `$` and bare result fields refer. At an outcome or an expectation, this is the result of its
  /// step. Otherwise, it is the result of the last finished step.
  package var own: JSON? { point.own(in: run) }
}

extension RunPoint {
  package func place(in run: RunInspection) -> FileSpan? {
    switch self {
    case .step: run.frames.last?.step.place
    case .outcome: handler(in: run)?.place ?? run.frames.last?.step.place
    case .expectation(let result): result.place
    }
  }

  /// Returns the `on` entry that determines the transition for an outcome, or nil if there is none.
  package func handler(in run: RunInspection) -> Step.Handler? {
    guard case .outcome(_, let transition?) = self, case .on(let key) = transition.rule.source else { return nil }
    return run.frames.last?.step.on.first { $0.outcome == key }
  }

  package func own(in run: RunInspection) -> JSON? {
    if case .step = self { return run.lastResult }
    return run.frames.last.flatMap { run.facts.runs[$0.id]?.last } ?? run.lastResult
  }
}

extension RunExpression {
  /// Evaluates the expression at a point in a run.
  /// - Parameter frame: The frame whose names the expression can use. The default is the innermost frame.
  package func evaluate(at point: RunPoint, in run: RunInspection, frame: RunInspection.Frame?) throws(UnresolvedValue)
    -> JSON
  {
    run.mask(try evaluate(run.context(of: frame), own: point.own(in: run)))
  }
}

extension RunStop {
  /// A sentence fragment for the client, such as `before silent`.
  package var description: String {
    let step = run.frames.last?.id
    switch point {
    case .step: return "before \(step ?? "a step")"
    case .outcome(let outcome, let transition):
      return "after \(step ?? "a step").\(outcome)" + (transition.map { ", before \($0.to)" } ?? "")
    case .expectation(let result): return "at the expectation \(result.subject)"
    }
  }
}
