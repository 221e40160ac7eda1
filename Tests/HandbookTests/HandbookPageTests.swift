import Foundation
import Handbook
import IdentityPlatform
import TestSupport
import Testing
import WorkflowModel

/// The reference that is kept is the one that the declarations make: `UPDATE_GOLDEN=1` writes it.
@Suite struct HandbookPageTests {
  struct Page: Sendable, CustomTestStringConvertible {
    var name: String
    var markdown: @Sendable () -> String
    var testDescription: String { name }
  }

  static let pages = [
    Page(name: "Language") { LanguagePage.markdown }, Page(name: "Errors") { ErrorPage.markdown },
  ]

  @Test(arguments: pages) func thePageIsMadeOfTheDeclarations(page: Page) throws {
    let made = page.markdown()
    let place = ProjectFiles.directory.appending(path: "Sources/authflow/authflow.docc/Reference/\(page.name).md")
    if ProjectFiles.updatesGoldenFiles { try made.write(to: place, atomically: true, encoding: .utf8) }
    #expect(try String(contentsOf: place, encoding: .utf8) == made)
  }

  @Test func nothingOfTheLanguageIsLeftOut() {
    let page = LanguagePage.markdown
    for kind in StepKind.all {
      #expect(page.contains("\n### \(kind.key)\n"))
      for outcome in kind.outcomes { #expect(page.contains("| `\(outcome.name)` |"), "\(kind.key)") }
    }
    for entry in Glossary.whole.entries
    where [.stepKey, .event, .misbehavior, .word].contains(entry.topic)
      // The page describes keys inside of a value with the value.
      && !entry.facts.contains(where: { $0.text.hasPrefix("step.") })
    {
      #expect(page.contains("`\(entry.name)"), "\(entry.topic) \(entry.name)")
    }
  }

  @Test func eachRowHasAsManyCellsAsItsHeading() {
    for page in Self.pages {
      var cells = 0
      for line in page.markdown().split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("|") else {
          cells = 0
          continue
        }
        let bars = line.replacing("\\|", with: "").count { $0 == "|" }
        if cells == 0 { cells = bars }
        #expect(bars == cells, "\(line)")
      }
    }
  }
}
