import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel
import WorkflowRunner

/// A suspension of a run.
struct RunStop: Sendable {
  /// The reason in the protocol.
  enum Reason: String, Sendable {
    case entry, step, breakpoint, functionBreakpoint = "function breakpoint", exception, pause
  }

  struct Exception: Sendable {
    /// The exception filter: `failedExpectation` or `errorOutcome`.
    var id: String
    var description: String
  }

  let number: Int
  let point: RunPoint
  let run: RunInspection
  let reason: Reason
  /// The IDs of the reached breakpoints.
  var breakpoints: [Int] = []
  var exception: Exception?

  /// The location: the step, the `on` entry of its outcome, or the expectation.
  var place: FileSpan? { point.place(in: run) }

  /// The result to which `$` and bare result fields refer: the result of the step at an outcome or an expectation, and
  /// otherwise the result of the last finished step.
  var own: JSON? { point.own(in: run) }
}

extension RunPoint {
  func place(in run: RunInspection) -> FileSpan? {
    switch self {
    case .step: run.frames.last?.step.place
    case .outcome(let outcome, _): handler(of: outcome, in: run)?.place ?? run.frames.last?.step.place
    case .expectation(let result): result.place
    }
  }

  /// Returns the `on` entry for an outcome that the transition follows.
  func handler(of outcome: String, in run: RunInspection) -> Step.Handler? {
    guard case .outcome(_, let transition?) = self, case .on(let key) = transition.rule.source else { return nil }
    return run.frames.last?.step.on.first { $0.outcome == key }
  }

  func own(in run: RunInspection) -> JSON? {
    if case .step = self { return run.lastResult }
    return run.frames.last.flatMap { run.facts.runs[$0.id]?.last } ?? run.lastResult
  }
}

extension RunExpression {
  /// Evaluates the expression at a point of a run.
  /// - Parameter frame: The frame whose names the expression can use. The default is the innermost frame.
  func evaluate(at point: RunPoint, in run: RunInspection, frame: RunInspection.Frame?) throws(UnresolvedValue) -> JSON
  {
    run.mask(try evaluate(run.context(of: frame), own: point.own(in: run)))
  }
}
