import Effects

/// The result of a suite as Markdown for a GitHub job summary.
package enum MarkdownSummary {
  /// The maximum number of failures to show with details. All other failures are listed by name only.
  private static let mostFailures = 50

  /// - Parameter limit: The maximum size in bytes. A note replaces omitted parts.
  package static func text(_ suite: SuiteResult, limit: Int) -> String {
    var text = "### \(suite.hasPassed ? "✅" : "❌") authflow: \(headline(suite))\n\n"
    if let coverage = suite.coverage { text += "\(SuiteCoverageText.headline(coverage))\n\n" }
    let failures = suite.failures
    var left = failures.count
    if !failures.isEmpty {
      text += "| scenario | problem | time |\n|---|---|---:|\n"
      for test in failures {
        let row =
          "| \(cell(test.title)) | \(cell(test.failure?.headline ?? "")) | \(TerminalRunReport.duration(test.duration)) |\n"
        guard text.utf8.count + row.utf8.count < limit * 3 / 4 else { break }
        text += row
        left -= 1
      }
      text += left > 0 ? "\n\(left) more failed.\n\n" : "\n"
    }
    let style = TerminalStyle(color: false, unicode: true, width: 100)
    for test in failures.prefix(mostFailures) {
      let failure = MarkdownText.fenced(SuiteText(style: style).failure(test))
      let details =
        "<details><summary>\(XMLText.content(test.title))</summary>\n\n```text\n\(failure)```\n\n</details>\n\n"
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
