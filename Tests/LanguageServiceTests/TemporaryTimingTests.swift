import Diagnostics
import LanguageService
import TestSupport
import Testing

@Suite struct TemporaryTimingTests {
  @Test func timing() throws {
    let project = try NavigationProject.shippedWorkflows()
    let clock = ContinuousClock()
    func measure(_ label: String, _ body: () throws -> Void) rethrows {
      let time = try clock.measure { try body() }
      print("TIMING", label, time)
    }
    measure("files") { _ = project.snapshot.files.count }
    measure("index first") { _ = project.snapshot.symbolIndex }
    measure("report first") { _ = project.snapshot.report }
    for version in 0..<3 {
      let text = try project.document("me.yaml").source.text(in: SourceSpan(start: 0, end: 100_000)) + "# \(version)\n"
      project.workspace.open(OpenDocument(path: "/project/me.yaml", text: text, version: version))
      let snapshot = project.snapshot
      measure("files") { _ = snapshot.files.count }
      measure("index") { _ = snapshot.symbolIndex }
      let document = try project.document("me.yaml")
      measure("tokens") { _ = snapshot.semanticTokens(in: document) }
      measure("outline") { _ = document.outline }
      measure("report") { _ = snapshot.report }
      measure("format") { _ = document.formattingEdits(FormattingOptions()) }
      let scenarios = try project.document("me.scenarios.yaml")
      measure("tokens scenarios") { _ = snapshot.semanticTokens(in: scenarios) }
      measure("folding scenarios") { _ = scenarios.foldingRanges() }
      measure("outline scenarios") { _ = scenarios.outline }
      measure("format scenarios") { _ = scenarios.formattingEdits(FormattingOptions()) }
      measure("links") { _ = snapshot.links(in: document) }
      let offset = 350
      measure("rename") { _ = try? snapshot.rename(at: offset, in: document, to: "xyz") }
    }
  }
}
