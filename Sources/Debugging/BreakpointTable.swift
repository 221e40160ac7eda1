import Diagnostics
import Documents
import Synchronization
import WorkflowModel
import WorkflowRunner

/// The breakpoints and exception filters of a client. They can change during a run.
package final class BreakpointTable: Sendable {
  /// The exception filters, with their descriptions.
  package enum Filter: String, CaseIterable, Sendable {
    case failedExpectation, errorOutcome

    package var label: String {
      switch self {
      case .failedExpectation: "Failed expectations"
      case .errorOutcome: "Error outcomes"
      }
    }

    package var description: String {
      switch self {
      case .failedExpectation: "Stop at each expectation that fails"
      case .errorOutcome: "Stop after each step that ends with an error outcome, even if the workflow handles it"
      }
    }
  }

  /// The breakpoints, exception, and messages that a point in a run triggers.
  package struct Hits: Sendable {
    var breakpoints: [Int] = []
    /// The reason for the stop, or nil if the run does not stop at a breakpoint.
    var reason: RunStop.Reason?
    var exception: RunStop.Exception?
    /// The messages of log points, and errors in conditions.
    var messages: [String] = []
  }

  private struct State {
    /// The breakpoints of each file, by its absolute path.
    var bySource: [String: [Breakpoint]] = [:]
    var functions: [Breakpoint] = []
    var filters: Set<Filter> = [.failedExpectation]
    var isEnabled = true
  }

  private let state = Mutex(State())
  private let workingDirectory: String

  package init(workingDirectory: String) {
    self.workingDirectory = workingDirectory
  }

  package func set(_ breakpoints: [Breakpoint], in file: String) { state.withLock { $0.bySource[file] = breakpoints } }

  package func set(functions: [Breakpoint]) { state.withLock { $0.functions = functions } }

  package func set(filters: Set<Filter>) { state.withLock { $0.filters = filters } }

  /// Sets whether the run stops at breakpoints and exceptions.
  package func setEnabled(_ isEnabled: Bool) { state.withLock { $0.isEnabled = isEnabled } }

  /// Returns the breakpoints, exception, and messages that a point triggers.
  /// - Parameter count: A closure that counts a breakpoint whose condition is true, and returns the total count.
  package func hits(of point: RunPoint, in run: RunInspection, count: (Int) -> Int) -> Hits {
    var hits = Hits()
    let (breakpoints, filters) = state.withLock { state in
      state.isEnabled ? (state.bySource.values.flatMap { $0 } + state.functions, state.filters) : ([], [])
    }
    for breakpoint in breakpoints.sorted(by: { $0.id < $1.id }) where matches(breakpoint.target, point, run) {
      do throws(UnresolvedValue) {
        if let condition = breakpoint.condition,
          !(try condition.holds(run.context(of: run.frames.last), own: point.own(in: run)))
        {
          continue
        }
      } catch {
        hits.messages.append("a breakpoint condition cannot be evaluated: \(run.mask(error.message))")
        continue
      }
      let times = count(breakpoint.id)
      if let hitCondition = breakpoint.hitCondition, !hitCondition.holds(times) { continue }
      if let message = breakpoint.logMessage {
        hits.messages.append(message.text(at: point, in: run))
        continue
      }
      hits.breakpoints.append(breakpoint.id)
      if case .locations = breakpoint.target { hits.reason = .breakpoint }
    }
    if !hits.breakpoints.isEmpty, hits.reason == nil { hits.reason = .functionBreakpoint }
    hits.exception = Self.exception(point, run, filters)
    return hits
  }

  private func matches(_ target: Breakpoint.Target, _ point: RunPoint, _ run: RunInspection) -> Bool {
    switch (target, point) {
    case (.none, _): return false
    case (.step(let id), .step(attempt: 1)): return run.frames.last?.id == id
    case (.outcome(let step, let wanted), .outcome(let outcome, _)):
      return wanted == outcome && (step == nil || step == run.frames.last?.id)
    case (.locations(let file, let locations), _):
      return locations.contains { matches($0, in: file, point, run) }
    default: return false
    }
  }

  private func matches(
    _ location: BreakpointLocation, in file: String, _ point: RunPoint, _ run: RunInspection
  ) -> Bool {
    let place: FileSpan?
    switch (location.kind, point) {
    case (.step, .step(attempt: 1)): place = run.frames.last?.step.place
    case (.outcome, .outcome): place = point.handler(in: run)?.place
    case (.expectation(let subject), .expectation(let result)) where subject == result.subject: place = result.place
    default: return false
    }
    guard let place, let start = place.span?.start,
      FilePath.join(workingDirectory, place.source.name) == file
    else { return false }
    if case .expectation(let result) = point, result.subject == "path" {
      // The location of the result is the first entry that differs.
      return location.span.start <= start && start < location.span.end
    }
    return location.span.start == start
  }

  private static func exception(_ point: RunPoint, _ run: RunInspection, _ filters: Set<Filter>) -> RunStop.Exception? {
    switch point {
    case .step: return nil
    case .expectation(let result):
      guard filters.contains(.failedExpectation), !result.holds else { return nil }
      return RunStop.Exception(id: Filter.failedExpectation.rawValue, description: run.mask(result.message))
    case .outcome(let name, _):
      guard filters.contains(.errorOutcome), let frame = run.frames.last, name != .skipped else { return nil }
      let outcome = frame.step.outcome(named: name)
      switch outcome?.sort {
      case .success, .neutral: return nil
      case .failure, .internalFailure, nil: break
      }
      let summary = outcome.map { ": \($0.summary)" } ?? ""
      return RunStop.Exception(id: Filter.errorOutcome.rawValue, description: "\(frame.id).\(name)\(summary)")
    }
  }
}

extension LogMessage {
  package func text(at point: RunPoint, in run: RunInspection) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .expression(let expression):
        do throws(UnresolvedValue) {
          let value = try expression.evaluate(at: point, in: run, frame: run.frames.last)
          text += value.string ?? value.text()
        } catch {
          text += "<\(run.mask(error.message))>"
        }
      }
    }
    return text
  }
}
