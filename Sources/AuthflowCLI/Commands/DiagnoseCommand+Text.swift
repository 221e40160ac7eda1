import Diagnosis
import Diagnostics
import Reports

/// Renders a diagnosis as text for a terminal.
struct DiagnosisText {
  let style: TerminalStyle
  let isVerbose: Bool
  /// The locations in the project that are related to the fix for the main failure.
  var places: [String] = []

  /// - Parameter files: The command-line arguments for the inputs, which the suggested commands repeat.
  func render(_ diagnosis: DiagnosisResult, files: [String]) -> String {
    guard let main = diagnosis.main else { return "" }
    var text = section(main, files: files, places: places)
    let others = diagnosis.failures.filter {
      $0.codes != main.codes || $0.candidates.first?.cause.id != main.candidates.first?.cause.id
    }
    guard !others.isEmpty else { return style.shown(text) }
    if isVerbose {
      for other in others { text += "\n" + section(other, files: files) }
    } else {
      text += "\n" + style.paint("Other failures in the input:", .strong) + "\n"
      for other in others {
        let line = other.evidence.first.map { "line \($0.line): " } ?? ""
        text += style.wrap(line + other.verdict + occurrences(other), indent: 2, hanging: 2)
      }
    }
    return style.shown(text)
  }

  private func section(_ failure: DiagnosedFailure, files: [String], places: [String] = []) -> String {
    var text = heading(failure)
    let evidence = isVerbose ? failure.evidence : Array(failure.evidence.prefix(2))
    for line in evidence { text += excerpt(line) }
    if failure.decisions.count > 1 {
      text += style.wrap(failure.decisions.joined(separator: " → "), indent: 2, hanging: 2)
    }
    if failure.isDetermined {
      text += block("Cause", failure.explanation) + block("Fix", failure.fix) + list(places)
      if let rule = failure.cause?.rules.first {
        text += block("Prevention", "`authflow validate` detects this with the rule `\(rule)`.")
      }
      if let reason = failure.cause?.unreproducible {
        text += block("Reproduction", reason)
      } else if failure.scenario != nil, let file = files.first, file != "-" {
        text += block(
          "Reproduction", "authflow diagnose \(file) --write repro.yaml && authflow test repro.yaml", breaking: false)
      }
    } else {
      text += block("Needed", failure.needs + ".") + list(places)
    }
    let others = failure.runnersUp
    if !others.isEmpty {
      text += "\n" + style.paint(failure.isDetermined ? "Other possible causes:" : "Possible causes:", .strong) + "\n"
    }
    for other in others {
      let tell = other.tell.map { "; distinguished by \($0)" } ?? ""
      text += style.wrap("\(other.percent) \(other.title) (\(other.id))\(tell)", indent: 2, hanging: 4)
    }
    return text
  }

  /// Returns the locations in the project as text, or an empty string if there are none.
  private func list(_ places: [String]) -> String {
    guard !places.isEmpty else { return "" }
    let lines = places.map { style.wrap($0, indent: 2, hanging: 4, breaking: false) }
    return "\n" + style.paint("In your project:", .strong) + "\n" + lines.joined()
  }

  private func heading(_ failure: DiagnosedFailure) -> String {
    let details = failure.candidates.first.map { first in
      failure.isDetermined ? " (\(first.cause.id), confidence \(DiagnosedFailure.percent(first.confidence)))" : ""
    }
    return style.wrap(
      failure.verdict + (details ?? "") + occurrences(failure), indent: 0, hanging: 2,
      tone: failure.isDetermined ? .strong : .attention)
  }

  private func occurrences(_ failure: DiagnosedFailure) -> String {
    failure.count > 1 ? ", \(failure.count) times" : ""
  }

  private func block(_ title: String, _ text: String, breaking: Bool = true) -> String {
    "\n" + style.paint(title + ":", .strong) + "\n" + style.wrap(text, indent: 2, breaking: breaking)
  }

  /// Returns a line of the input with carets under the evidence.
  private func excerpt(_ evidence: DiagnosedFailure.Evidence) -> String {
    let place = "\(CaretFrame.visible(evidence.source)):\(evidence.line):\(evidence.column)"
    let carets =
      String(repeating: " ", count: evidence.highlight.lowerBound)
      + String(
        repeating: "^",
        count: max(1, min(evidence.highlight.count, evidence.text.count - evidence.highlight.lowerBound)))
    return "  \(style.paint(place, .dim))\n  | \(evidence.text)\n  | \(style.paint(carets, .bad))\n"
  }
}
