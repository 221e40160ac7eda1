import Diagnostics
import Documents
import Reports
import WorkflowModel
import WorkflowRunner

/// Edits that replace the expected paths and outcomes of scenarios with the actual values. Comments outside a replaced
/// list are preserved.
package struct AcceptedExpectations: Sendable {
  /// The number of scenarios with an accepted path.
  package private(set) var count = 0
  /// The scenarios whose expectations only the user can edit, with the reasons.
  package private(set) var rejected: [(scenario: String, reason: String)] = []
  /// The edits by file, with the text that they refer to.
  package private(set) var edits: [(source: SourceText, edits: [Diagnostic.Edit])] = []

  /// - Parameter runs: The scenarios in the files, with reports for those that ran. Matrix rows can share an
  ///   expectation, which is accepted only if all rows took the same path.
  package init(_ runs: [(test: ScenarioCase, report: ScenarioReport)]) {
    var shared: [String: Set<[String]>] = [:]
    for (test, report) in runs {
      guard let expect = test.scenario.body.expect, let path = report.result?.path else { continue }
      if let place = expect.path?.place { shared[Self.key(place), default: []].insert(path) }
      if let place = expect.outcome?.place { shared[Self.key(place), default: []].insert([report.outcome ?? ""]) }
    }
    for (test, report) in runs where report.verdict != .passed {
      guard let pattern = test.scenario.body.expect?.path, let path = report.result?.path, !pattern.matches(path),
        report.problems.isEmpty
      else {
        reject(test, "it did not fail because of its path")
        continue
      }
      guard shared[Self.key(pattern.place)]?.count == 1 else {
        reject(test, "other rows of its matrix took another path")
        continue
      }
      let syntax = test.loaded.workflow.document(of: pattern.place)?.syntax
      guard let new = Self.edits(pattern, path, syntax: syntax) else {
        reject(test, "the format of the file is not YAML or JSON")
        continue
      }
      // The path determines the outcome, so a changed path with the former outcome would be an error.
      if let actual = report.failedOutcome {
        guard let outcome = test.scenario.body.expect?.outcome, let span = outcome.place.span,
          shared[Self.key(outcome.place)]?.count == 1
        else {
          reject(test, "its outcome is now `\(actual)`; add `outcome: \(actual)`")
          continue
        }
        append([Diagnostic.Edit(span: span, replacement: Self.word(actual, syntax))], to: outcome.place.source)
      }
      append(new, to: pattern.place.source)
      count += 1
    }
  }

  private static func key(_ place: FileSpan) -> String { "\(place.source.name):\(place.span?.start ?? -1)" }

  private mutating func reject(_ test: ScenarioCase, _ reason: String) { rejected.append((test.title, reason)) }

  private mutating func append(_ new: [Diagnostic.Edit], to source: SourceText) {
    if let index = edits.firstIndex(where: { $0.source.name == source.name }) {
      edits[index].edits += new.filter { !edits[index].edits.contains($0) }
    } else {
      edits.append((source, new))
    }
  }

  /// Returns the edits that make the pattern match the path. Entries that `...` matches remain `...`.
  private static func edits(
    _ pattern: PathPattern, _ path: [String], syntax: DocumentSyntax?
  ) -> [Diagnostic.Edit]? {
    guard let syntax, syntax == .yaml || syntax == .json, let span = pattern.place.span else { return nil }
    func word(_ text: String) -> String { Self.word(text, syntax) }
    let rows = PathComparison(expected: pattern.elements.map(\.value.text), actual: path).rows
    if rows.allSatisfy({ $0.kind != .missing && $0.kind != .extra }) {
      return rows.compactMap { row in
        guard row.kind == .different, let index = row.expectedIndex, let actual = row.actual,
          let span = pattern.elements[index].place.span
        else { return nil }
        return Diagnostic.Edit(span: span, replacement: word(actual))
      }
    }
    let bytes = pattern.place.source.bytes
    let entries = entries(rows).map(word)
    guard span.start < bytes.count, bytes[span.start] == UInt8(ascii: "-"), let last = pattern.elements.last?.place.span
    else {
      return [Diagnostic.Edit(span: span, replacement: "[\(entries.joined(separator: ", "))]")]
    }
    // The node of a block list extends to the next key.
    let margin = String(repeating: " ", count: pattern.place.start.column - 1)
    let block = entries.isEmpty ? "[]" : entries.map { "- \($0)" }.joined(separator: "\n\(margin)")
    return [Diagnostic.Edit(span: SourceSpan(start: span.start, end: last.end), replacement: block)]
  }

  private static func word(_ text: String, _ syntax: DocumentSyntax?) -> String {
    syntax == .json ? JSON.string(text).text() : text
  }

  private static func entries(_ rows: [PathComparison.Row]) -> [String] {
    var entries: [String] = []
    for row in rows {
      switch row.kind {
      case .same, .different, .extra: if let actual = row.actual { entries.append(actual) }
      case .missing: break
      case .anything: if entries.last != "..." { entries.append("...") }
      }
    }
    return entries
  }
}

extension ScenarioReport {
  /// The actual outcome, or nil if no step ran.
  fileprivate var outcome: String? {
    expectationResults.first { $0.subject == "outcome" }?.result.actual
  }

  /// The actual outcome if it differs from the expected outcome, or nil.
  fileprivate var failedOutcome: String? {
    expectationResults.first { $0.subject == "outcome" && !$0.holds }?.result.actual
  }
}

extension Workflow {
  /// Returns the document of the workflow or of its scenarios that contains a location.
  fileprivate func document(of place: FileSpan) -> Document? {
    [scenarioSource, document].compactMap { $0 }.first { $0.source.name == place.source.name }
  }
}
