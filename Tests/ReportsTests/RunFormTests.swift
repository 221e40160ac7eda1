import Documents
import Reports
import TestSupport
import Testing

/// The forms of a run are read by other programs: they are frozen, a golden file each.
///
/// `UPDATE_GOLDEN=1 swift test --filter RunFormTests` makes them anew; then look at them.
@Suite struct RunFormTests {
  @Test(arguments: RecordedRun.forms.keys.sorted())
  func isAsItWas(_ form: String) throws {
    let render = try #require(RecordedRun.forms[form])
    let text = render(try RecordedRun.story())
    let path = "Tests/Golden/run/report.\(form)"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(text, to: path) }
    #expect(text == String(decoding: try ProjectFiles.bytes(of: path), as: UTF8.self))
  }

  @Test func aRunThatWasCutHasEveryForm() throws {
    for story in try RecordedRun.cutStories() {
      for (name, form) in RecordedRun.forms { #expect(!form(story).isEmpty, "\(name)") }
    }
  }

  @Test func nothingInMarkdownIsMarkupOrCallsAnybody() throws {
    let text = RunMarkdown.text(try RecordedRun.story())
    for harm in ["<script", "@octocat", "#123", "http://evil", "www.evil", "</td>"] {
      #expect(!text.contains(harm), "\(harm)")
    }
    // Every row of a table has as many cells as its head.
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 10)
    for row in rows {
      let cells = row.replacing("\\|", with: "").filter { $0 == "|" }.count - 1
      #expect(cells == 5 || cells == 6, "\(row)")
    }
  }

  @Test func failuresComeFirstInMarkdown() throws {
    let text = RunMarkdown.text(try RecordedRun.story())
    let failed = try #require(text.firstRange(of: "**What failed**"))
    let steps = try #require(text.firstRange(of: "**Steps**"))
    #expect(failed.lowerBound < steps.lowerBound)
    #expect(text[failed.lowerBound..<steps.lowerBound].contains("status is 429, not 200"))
    #expect(text.hasPrefix("### ❌ Everything at once: a name \\| with \\`marks\\`: failed\n\noutcome is throttled"))
  }

  @Test func markdownNeverGrowsAboveItsLimit() throws {
    let story = try RecordedRun.story()
    for limit in [100, 500, 1000, 2000, 4000, 65_000] {
      let text = RunMarkdown.text(story, limit: limit)
      #expect(text.utf8.count <= limit)
      #expect(text.components(of: "<details>") == text.components(of: "</details>"), "\(limit)")
    }
    #expect(RunMarkdown.text(story, limit: 2500).contains("left out: the page would be too long"))
  }

  @Test func everyStepIsATestOfTheSuiteAndTheRunIsOne() throws {
    let suite = RunSuite.record(try RecordedRun.story())
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
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
