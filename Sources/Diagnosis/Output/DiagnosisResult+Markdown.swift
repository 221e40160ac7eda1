extension DiagnosisResult {
  /// Returns the diagnosis as Markdown for an issue comment.
  /// - Parameter places: The locations in the project that the fix concerns.
  package func markdown(places: [String] = []) -> String {
    var text = main.map { Self.section($0, places) } ?? "**No failure found.**\n"
    let others = failures.filter {
      $0.codes != main?.codes || $0.candidates.first?.cause.id != main?.candidates.first?.cause.id
    }
    guard !others.isEmpty else { return text }
    text += "\n### Other failures\n\n"
    for failure in others { text += "- \(Self.escaped(failure.verdict))\(Self.occurrences(failure))\n" }
    return text
  }

  private static func section(_ failure: DiagnosedFailure, _ places: [String]) -> String {
    var text = "### \(escaped(failure.verdict))\n\n"
    if !failure.evidence.isEmpty {
      let lines = failure.evidence.map { "\($0.line): \($0.text)" }
      let longest = lines.joined().split { $0 != "`" }.map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(3, longest + 1))
      text += "\(fence)text\n\(lines.joined(separator: "\n"))\n\(fence)\n\n"
    }
    if failure.decisions.count > 1 { text += failure.decisions.joined(separator: " → ") + "\n\n" }
    if failure.isDetermined {
      text += "\(escaped(failure.explanation))\n\n**Fix:** \(escaped(failure.fix))\n" + list(places)
      if let rule = failure.candidates.first?.cause.rules.first {
        text += "\n**Prevention:** the rule `\(rule)` of `authflow validate` detects this.\n"
      }
      if let reason = failure.cause?.unreproducible {
        text += "\n**Reproduction:** \(escaped(reason))\n"
      } else if failure.scenario != nil {
        text += "\n**Reproduction:** `authflow diagnose FILE --write repro.yaml && authflow test repro.yaml`\n"
      }
    } else {
      text += "**Needed:** \(escaped(failure.needs)).\n" + list(places)
    }
    let others = failure.runnersUp
    if !others.isEmpty {
      text += "\n| possible cause | confidence | distinguished by |\n| --- | --- | --- |\n"
      for other in others { text += "| \(escaped(other.title)) | \(other.percent) | \(escaped(other.tell ?? "")) |\n" }
    }
    return text
  }

  /// Returns the locations in the project as a Markdown list, or an empty string if there are none.
  private static func list(_ places: [String]) -> String {
    places.isEmpty ? "" : "\nIn your project:\n\n" + places.map { "- \(escaped($0))\n" }.joined()
  }

  private static func occurrences(_ failure: DiagnosedFailure) -> String {
    failure.count > 1 ? " (\(failure.count) times)" : ""
  }

  /// Escapes Markdown except in code spans, because explanations contain code spans. Values from the input contain no
  /// backticks.
  private static func escaped(_ text: String) -> String {
    var isCode = false
    return text.reduce(into: "") { result, character in
      if character == "`" { isCode.toggle() }
      if !isCode, "*_<>[]|#\\".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}

extension DiagnosedFailure {
  /// A less likely cause, as shown to users.
  package struct RunnerUp: Sendable {
    package var id: String
    package var title: String
    /// The confidence as a percentage.
    package var percent: String
    /// The information that distinguishes this cause from the most likely cause, or nil.
    package var tell: String?
  }

  /// The verdict in one line, without a final period.
  package var verdict: String {
    guard let first = candidates.first else { return "unknown cause" + (codes.first.map { " of \($0)" } ?? "") }
    return isDetermined ? first.cause.title : "undetermined, possibly: \(first.cause.title)"
  }

  /// The causes that also fit, with the highest confidence first.
  package var runnersUp: [RunnerUp] {
    guard let first = candidates.first?.cause else { return [] }
    return candidates.dropFirst(isDetermined ? 1 : 0).filter { $0.confidence >= 0.02 }.prefix(4).map { other in
      let tell =
        first.discriminators.first { $0.cause == other.cause.id }?.tell
        ?? other.cause.discriminators.first { $0.cause == first.id }?.tell
      return RunnerUp(
        id: other.cause.id, title: other.cause.title, percent: Self.percent(other.confidence), tell: tell)
    }
  }

  /// Returns a confidence as a percentage, which never exceeds 99%.
  package static func percent(_ confidence: Double) -> String { "\(min(99, Int((confidence * 100).rounded())))%" }
}
