import Effects

/// The result of a suite as a page of Markdown, as GitHub shows it beside a job.
package enum MarkdownSummary {
  /// Failures that are told in full; the others are only named.
  private static let mostFailures = 50

  /// - Parameter limit: the most bytes; what does not fit is left out, and that is said.
  package static func text(_ suite: SuiteResult, limit: Int) -> String {
    var text = "### \(suite.hasPassed ? "✅" : "❌") authflow: \(headline(suite))\n\n"
    if let coverage = suite.coverage { text += "\(SuiteCoverageText.headline(coverage))\n\n" }
    let failures = suite.failures
    var left = failures.count
    if !failures.isEmpty {
      text += "| scenario | what was wrong | time |\n|---|---|---:|\n"
      for test in failures {
        let row =
          "| \(cell(test.title)) | \(cell(test.failure?.headline ?? "")) | \(TerminalRunReport.duration(test.duration)) |\n"
        guard text.utf8.count + row.utf8.count < limit * 3 / 4 else { break }
        text += row
        left -= 1
      }
      text += left > 0 ? "\n\(left) more did not pass.\n\n" : "\n"
    }
    let style = TerminalStyle(color: false, unicode: true, width: 100)
    for test in failures.prefix(mostFailures) {
      let told = MarkdownText.fenced(SuiteText(style: style).failure(test))
      let details =
        "<details><summary>\(XMLText.content(test.title))</summary>\n\n```text\n\(told)```\n\n</details>\n\n"
      guard text.utf8.count + details.utf8.count < limit * 9 / 10 else { break }
      text += details
    }
    var table = "<details><summary>\(suite.byFile.count) files</summary>\n\n"
    table += "| file | passed | failed | errors | skipped | time |\n|---|---:|---:|---:|---:|---:|\n"
    for (file, tests) in suite.byFile {
      func count(_ verdict: TestResult.Status) -> Int { tests.count { $0.verdict == verdict } }
      let time = tests.reduce(Duration.zero) { $0 + $1.duration }
      table += "| \(cell(file)) | \(count(.passed)) | \(count(.failed)) | \(count(.error)) | \(count(.skipped)) |"
      table += " \(TerminalRunReport.duration(time)) |\n"
    }
    table += "\n</details>\n"
    if text.utf8.count + table.utf8.count < limit { text += table }
    return text
  }

  private static func headline(_ suite: SuiteResult) -> String {
    let plain = TerminalStyle(color: false, unicode: true, width: 200)
    return SuiteText(style: plain).summary(suite).split(separator: "\n").first.map {
      String($0).replacing("  ", with: ", ")
    } ?? ""
  }

  private static func cell(_ text: String) -> String { MarkdownText.line(text) }
}
