import Documents
import Reports
import TestSupport
import Testing

/// Compares each report format with a golden file, because other programs read these reports.
///
/// `UPDATE_GOLDEN=1 swift test --filter RunFormatTests` rewrites the files. Review the result.
@Suite struct RunFormatTests {
  @Test(arguments: RecordedRun.formats.keys.sorted())
  func matchesItsGoldenFile(_ format: String) throws {
    let render = try #require(RecordedRun.formats[format])
    let text = render(try RecordedRun.run())
    let path = "Tests/Golden/run/report.\(format)"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(text, to: path) }
    #expect(text == String(decoding: try ProjectFiles.bytes(of: path), as: UTF8.self))
  }

  @Test func rendersTruncatedRunsInEveryFormat() throws {
    for run in try RecordedRun.truncatedRuns() {
      for (name, format) in RecordedRun.formats { #expect(!format(run).isEmpty, "\(name)") }
    }
  }

  @Test func escapesMarkupAndMentionsInMarkdown() throws {
    let text = RunMarkdown.text(try RecordedRun.run())
    for forbidden in ["<script", "@octocat", "#123", "http://evil", "www.evil", "</td>"] {
      #expect(!text.contains(forbidden), "\(forbidden)")
    }
    // All rows of a table have the same number of cells.
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 10)
    for row in rows {
      let cells = row.replacing("\\|", with: "").filter { $0 == "|" }.count - 1
      #expect(cells == 5 || cells == 6, "\(row)")
    }
  }

  @Test func listsFailuresFirstInMarkdown() throws {
    let text = RunMarkdown.text(try RecordedRun.run())
    let failed = try #require(text.firstRange(of: "**Failed steps**"))
    let steps = try #require(text.firstRange(of: "**Steps**"))
    #expect(failed.lowerBound < steps.lowerBound)
    #expect(text[failed.lowerBound..<steps.lowerBound].contains("status is 429, not 200"))
    #expect(text.hasPrefix("### ❌ Everything at once: a name \\| with \\`marks\\`: failed\n\noutcome is throttled"))
  }

  @Test func keepsMarkdownWithinItsLimit() throws {
    let run = try RecordedRun.run()
    for limit in [100, 500, 1000, 2000, 4000, 65_000] {
      let text = RunMarkdown.text(run, limit: limit)
      #expect(text.utf8.count <= limit)
      #expect(text.occurrences(of: "<details>") == text.occurrences(of: "</details>"), "\(limit)")
    }
    #expect(RunMarkdown.text(run, limit: 2500).contains("omitted: the page would be too long"))
  }

  @Test func reportsEachStepAndTheRunAsTests() throws {
    let suite = RunSuite.record(try RecordedRun.run())
    #expect(
      suite.tests.map(\.name) == [
        "silent", "interactive", "both", "callGraph#1", "callAPI#1", "assert", "scenario a name | with `marks`",
      ])
    #expect(suite.tests.map(\.verdict) == [.passed, .passed, .error, .failed, .error, .skipped, .failed])
    #expect(suite.tests[3].failure?.headline == "status is 429, not 200")
    #expect(suite.tests[6].failure?.headline == "outcome is throttled, not success")
    #expect(suite.tests[0].line == 2 && suite.tests[0].file == "all.yaml")
  }
}

extension String {
  fileprivate func occurrences(of part: String) -> Int { ranges(of: part).count }
}
