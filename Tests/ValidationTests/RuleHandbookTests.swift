import Diagnostics
import Foundation
import TestSupport
import Testing
import Validation

/// The handbook that is kept is the one that the rules make: `UPDATE_GOLDEN=1` writes it.
@Suite struct RuleHandbookTests {
  static let place = ProjectFiles.directory.appending(path: "Sources/authflow/authflow.docc/Reference/Rules.md")

  @Test func theHandbookIsMadeOfTheRules() throws {
    let made = RuleHandbook.markdown(of: .all)
    if ProjectFiles.updatesGoldenFiles {
      try made.write(to: Self.place, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.place, encoding: .utf8) == made)
  }

  @Test func aPageTellsWhatTheRuleSaysOfItsExample() throws {
    let page = RulePage(try #require(RuleSet.all.rule("app-id-white-space")))
    #expect(page.markdown.contains("## app-id-white-space"))
    #expect(page.markdown.contains("As it should be:"))
    #expect(page.findings.allSatisfy { page.markdown.contains($0.message) })
  }
}
