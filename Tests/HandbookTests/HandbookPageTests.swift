import Foundation
import Handbook
import IdentityPlatform
import TestSupport
import Testing
import WorkflowModel

/// Tests that the committed reference matches the declarations. `UPDATE_GOLDEN=1` rewrites the reference.
@Suite struct HandbookPageTests {
  struct Page: Sendable, CustomTestStringConvertible {
    var name: String
    var markdown: @Sendable () -> String
    var testDescription: String { name }
  }

  static let pages = [
    Page(name: "Language") { LanguagePage.markdown }, Page(name: "Errors") { ErrorPage.markdown },
  ]

  @Test(arguments: pages) func pagesMatchTheDeclarations(page: Page) throws {
    let markdown = page.markdown()
    let file = ProjectFiles.directory.appending(path: "Sources/authflow/authflow.docc/Reference/\(page.name).md")
    if ProjectFiles.updatesGoldenFiles { try markdown.write(to: file, atomically: true, encoding: .utf8) }
    #expect(try String(contentsOf: file, encoding: .utf8) == markdown)
  }

  @Test func theLanguagePageIsComplete() {
    let page = LanguagePage.markdown
    for kind in StepKind.all {
      #expect(page.contains("\n### \(kind.key)\n"))
      for outcome in kind.outcomes { #expect(page.contains("| `\(outcome.name)` |"), "\(kind.key)") }
    }
    for entry in Glossary.whole.entries
    where [.stepKey, .event, .misbehavior, .word].contains(entry.topic)
      // The page describes nested keys together with their parent.
      && !entry.facts.contains(where: { $0.text.hasPrefix("step.") })
    {
      #expect(page.contains("`\(entry.name)"), "\(entry.topic) \(entry.name)")
    }
  }

  @Test func everyRowHasTheSameNumberOfCells() {
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
