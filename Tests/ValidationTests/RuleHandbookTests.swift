import Diagnostics
import Foundation
import TestSupport
import Testing
import Validation

/// Tests the reference page for rules in the documentation. `UPDATE_GOLDEN=1` writes the page.
@Suite struct RuleHandbookTests {
  static let place = ProjectFiles.directory.appending(path: "Sources/authflow/authflow.docc/Reference/Rules.md")

  @Test func matchesTheGeneratedPage() throws {
    let generated = RuleHandbook.markdown(of: .all)
    if ProjectFiles.updatesGoldenFiles {
      try generated.write(to: Self.place, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.place, encoding: .utf8) == generated)
  }

  @Test func showsTheFindingsOfTheExample() throws {
    let page = RulePage(try #require(RuleSet.all.rule("app-id-white-space")))
    #expect(page.markdown.contains("## app-id-white-space"))
    for file in page.rule.good.files { #expect(page.markdown.contains(file.text)) }
    #expect(page.findings.allSatisfy { page.markdown.contains($0.message) })
  }
}
