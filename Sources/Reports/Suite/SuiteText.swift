import Diagnostics
import Effects

/// The result of a suite as text. The failures and their details come first, followed by the summary.
package struct SuiteText: Sendable {
  let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  /// Returns a line with a scenario's status, name, and duration.
  package func line(_ test: TestResult) -> String {
    let (sign, plain, tone): (String, String, TerminalStyle.Tone) =
      switch test.verdict {
      case .passed: ("✓", "+", .good)
      case .failed: ("✗", "x", .bad)
      case .error: ("✗", "x", .bad)
      case .skipped: ("·", "-", .dim)
      }
    let time = test.verdict == .skipped ? test.reason ?? "skipped" : TerminalRunReport.duration(test.duration)
    return style.shown(
      "\(style.paint(style.unicode ? sign : plain, tone)) \(CaretFrame.visible(test.title))  \(style.paint(time, .dim))\n"
    )
  }

  /// Returns the details for a failed scenario.
  package func failure(_ test: TestResult) -> String {
    guard let failure = test.failure else { return "" }
    var text = style.wrap("\(style.unicode ? "✗" : "x") \(test.place): \(test.name)", indent: 0, hanging: 2, tone: .bad)
    if let expected = failure.expectedPath, failure.isAboutPath {
      text += "\n" + PathTable(style: style).render(PathComparison(expected: expected, actual: failure.path)) + "\n"
    } else if !failure.path.isEmpty {
      text += style.wrap("path: \(failure.path.joined(separator: ", "))", indent: 2, hanging: 2, tone: .dim)
    }
    for problem in failure.problems { text += describe(problem) }
    if let divergence = failure.divergence { text += describe(divergence) }
    if !failure.rerun.isEmpty {
      text += style.wrap("rerun: \(failure.rerun)", indent: 2, hanging: 2, tone: .dim, breaking: false)
      text += style.wrap("watch: \(failure.watch)", indent: 2, hanging: 2, tone: .dim, breaking: false)
    }
    return style.shown(text)
  }

  private func describe(_ problem: TestProblem) -> String {
    var text = style.wrap("\(problem.place): \(problem.message) [\(problem.rule)]", indent: 2, hanging: 2)
    let excerpt = problem.excerpt.split(separator: "\n")
    for line in excerpt { text += "  \(style.paint(String(line), Self.isMark(line) ? .attention : .plain))\n" }
    if let help = problem.help { text += style.wrap("help: \(help)", indent: 4, hanging: 2) }
    return text
  }

  /// Returns whether the line contains a caret or is part of a diff.
  private static func isMark(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " }
    return text.hasPrefix("≠") || text.hasPrefix("+ ") || text.hasPrefix("- ")
      || text.hasPrefix("|") && text.contains("^") && text.allSatisfy { "|^ \t".contains($0) }
  }

  private func describe(_ divergence: TestDivergence) -> String {
    var text = style.wrap("\(divergence.step) ended with \(divergence.outcome):", indent: 2, hanging: 2, tone: .strong)
    for decision in divergence.decisions {
      text += style.wrap(
        "\(TerminalRunReport.words(decision.subject)) \(TerminalRunReport.words(decision.verdict)): \(decision.reason)",
        indent: 4,
        hanging: 2)
    }
    if !divergence.codes.isEmpty {
      text += style.wrap(
        divergence.codes.joined(separator: style.unicode ? " · " : ", "), indent: 4, hanging: 2, tone: .attention)
    }
    if let description = divergence.description { text += style.wrap(description, indent: 4, hanging: 2) }
    if let rule = divergence.rule {
      let arrow = style.unicode ? "→" : "->"
      text += style.wrap("\(arrow) \(divergence.next ?? "next"): \(rule)", indent: 4, hanging: 2, tone: .dim)
    }
    return text
  }

  /// Returns the summary, such as `1 failed, 12 passed  0.4 s, 2 jobs`.
  package func summary(_ suite: SuiteResult) -> String {
    var parts: [String] = []
    func part(_ verdict: TestResult.Status, _ words: String, _ tone: TerminalStyle.Tone) {
      let count = suite.count(verdict)
      if count > 0 { parts.append(style.paint("\(count) \(words)", tone)) }
    }
    part(.failed, "failed", .bad)
    part(.error, suite.count(.error) == 1 ? "error" : "errors", .bad)
    part(.skipped, "skipped", .attention)
    part(.passed, "passed", .good)
    if parts.isEmpty { parts = ["no scenarios ran"] }
    var facts = [TerminalRunReport.duration(suite.duration)]
    if !suite.shards.isEmpty { facts.append(suite.shards.count.counting("shard")) }
    if suite.jobs > 1 { facts.append("\(suite.jobs) jobs") }
    if suite.repeats > 1 { facts.append("each \(suite.repeats) times") }
    if let shard = suite.shard { facts.append("shard \(shard.description) of \(suite.chosen)") }
    if let seed = suite.seed { facts.append("shuffled with seed \(seed)") }
    let start =
      switch suite.ending {
      case .complete: ""
      case .stopped: "stopped at the first failure: "
      case .interrupted: "interrupted: "
      }
    return style.shown(
      start + parts.joined(separator: ", ") + "  " + style.paint(facts.joined(separator: ", "), .dim) + "\n")
  }
}
