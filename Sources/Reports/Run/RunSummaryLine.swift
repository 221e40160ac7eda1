import Diagnostics
import Effects

/// A one-line summary of a run, which appears at the start of all reports.
enum RunSummaryLine {
  /// Returns the run's title, such as `Read my profile` or `Read my profile: first run`.
  static func title(_ tracedRun: TracedRun) -> String {
    let name = tracedRun.name.isEmpty ? "a run" : tracedRun.name
    return tracedRun.scenario.map { "\(name): \($0.name)" } ?? name
  }

  /// Returns the result in words, such as `success`, `failed with interactionRequired`, or `unfinished`.
  static func verdict(_ tracedRun: TracedRun) -> String {
    guard let ending = tracedRun.ending else { return "unfinished" }
    if let scenario = tracedRun.scenario { return scenario.outcome ?? "unfinished" }
    return ending.outcome
  }

  /// Returns the reason why the run failed, or nil if it did not fail.
  static func reason(_ tracedRun: TracedRun) -> String? {
    switch tracedRun.succeeded {
    case true?: return nil
    case nil: return "the trace ends before the end of the run"
    case false?:
      if let broken = tracedRun.scenario?.broken, !broken.isEmpty { return broken.joined(separator: "; ") }
      return tracedRun.ending?.reason ?? tracedRun.ending.map { "the run ended with \($0.outcome)" }
    }
  }

  /// Returns the most important facts, such as `emulator, 4 steps, 1 interaction, 9 requests, 219 ms`.
  static func facts(_ tracedRun: TracedRun) -> String {
    var facts = tracedRun.platform.isEmpty ? [] : [TerminalRunReport.platformName(tracedRun.platform)]
    facts.append(tracedRun.outermost.count { tracedRun.steps[$0].verdict != .skipped }.counting("step"))
    facts.append((tracedRun.ending?.interactions ?? tracedRun.interactions.count).counting("interaction"))
    facts.append(tracedRun.exchanges.count.counting("request"))
    facts.append(TerminalRunReport.duration(duration(tracedRun)))
    return facts.joined(separator: ", ")
  }

  /// Returns the recorded duration of a run. If the trace does not contain the duration, returns the time from the
  /// first event to the last event.
  static func duration(_ tracedRun: TracedRun) -> Duration {
    tracedRun.ending?.duration ?? max(.zero, tracedRun.ended - tracedRun.started)
  }

  /// Returns the recorded duration of a step. If the trace does not contain the duration, returns the time from the
  /// start of the step to its end.
  static func duration(_ step: TracedStep) -> Duration? {
    step.duration ?? step.ended.map { max(.zero, $0 - step.started) }
  }

  /// Explains a step's outcome in sentences. Errors come first, followed by decisions.
  static func reasons(_ tracedRun: TracedRun, step position: Int) -> [String] {
    let step = tracedRun.steps[position]
    var reasons = step.broken
    if let failure = step.failure {
      let codes = [failure.msal, failure.code, failure.oauth, failure.suberror].compactMap { $0 }
      let description = failure.description.map(TerminalRunReport.withoutTraceIDs)
      let words = [codes.isEmpty ? nil : codes.joined(separator: ", "), description].compactMap { $0 }
      if !words.isEmpty { reasons.append(words.joined(separator: ": ")) }
    }
    for decision in tracedRun.reasons(ofStep: position) {
      // Failed expectations and the server's error description are already listed.
      guard decision.subject != "expect",
        step.failure?.description.map({ !$0.isEmpty && decision.reason.hasSuffix($0) }) != true
      else { continue }
      reasons.append(
        "\(TerminalRunReport.words(decision.subject)) \(TerminalRunReport.words(decision.verdict)): \(decision.reason)")
    }
    if let shows = step.shows { reasons.append(shows) }
    if step.verdict == .skipped, let rule = step.leftBy { reasons.append(rule) }
    if step.verdict == .unfinished { reasons.append("the trace ends before the step does") }
    return reasons
  }
}
