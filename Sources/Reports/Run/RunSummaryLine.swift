import Diagnostics
import Effects

/// A one-line summary of a run, with which all reports start.
enum RunSummaryLine {
  /// Returns the run's title, such as `Read my profile` or `Read my profile: first run`.
  static func title(_ story: TracedRun) -> String {
    let name = story.name.isEmpty ? "a run" : story.name
    return story.scenario.map { "\(name): \($0.name)" } ?? name
  }

  /// Returns the result in words, such as `success`, `failed with interactionRequired`, or `unfinished`.
  static func verdict(_ story: TracedRun) -> String {
    guard let ending = story.ending else { return "unfinished" }
    if let scenario = story.scenario { return scenario.outcome ?? "unfinished" }
    return ending.outcome
  }

  /// Returns the reason why the run failed, or nil if it did not fail.
  static func reason(_ story: TracedRun) -> String? {
    switch story.succeeded {
    case true?: return nil
    case nil: return "the trace ends before the end of the run"
    case false?:
      if let broken = story.scenario?.broken, !broken.isEmpty { return broken.joined(separator: "; ") }
      return story.ending?.reason ?? story.ending.map { "the run ended with \($0.outcome)" }
    }
  }

  /// Returns the most important facts, such as `emulator, 4 steps, 1 interaction, 219 ms`.
  static func facts(_ story: TracedRun) -> String {
    var facts = story.platform.isEmpty ? [] : [TerminalRunReport.platformName(story.platform)]
    facts.append(story.outermost.count { story.steps[$0].verdict != .skipped }.counting("step"))
    facts.append((story.ending?.interactions ?? story.interactions.count).counting("interaction"))
    facts.append(story.exchanges.count.counting("request"))
    facts.append(TerminalRunReport.duration(duration(story)))
    return facts.joined(separator: ", ")
  }

  /// Returns the recorded duration of a run. If the trace does not contain the duration, returns the time from the
  /// first event to the last event.
  static func duration(_ story: TracedRun) -> Duration {
    story.ending?.duration ?? max(.zero, story.ended - story.started)
  }

  /// Returns the recorded duration of a step. If the trace does not contain the duration, returns the time from the
  /// start of the step to its end.
  static func duration(_ step: TracedStep) -> Duration? {
    step.duration ?? step.ended.map { max(.zero, $0 - step.started) }
  }

  /// Explains a step's outcome in sentences. Errors come first, followed by decisions.
  static func reasons(_ story: TracedRun, step position: Int) -> [String] {
    let step = story.steps[position]
    var reasons = step.broken
    if let failure = step.failure {
      let codes = [failure.msal, failure.code, failure.oauth, failure.suberror].compactMap { $0 }
      let description = failure.description.map(TerminalRunReport.withoutTraceIDs)
      let words = [codes.isEmpty ? nil : codes.joined(separator: ", "), description].compactMap { $0 }
      if !words.isEmpty { reasons.append(words.joined(separator: ": ")) }
    }
    for decision in story.reasons(ofStep: position) {
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
