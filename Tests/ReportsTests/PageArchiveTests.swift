import Reports
import Testing

/// Tests storing pages inside another page.
@Suite struct PageArchiveTests {
  @Test(arguments: ["", "text", "<p>one</p><p>one</p><p>one</p>", "a<b>&lt;p&gt;é✓</b>", "<p></p><p></p><p>"])
  func expandsAPageToItsOriginalText(page: String) {
    var archive = PageArchive()
    archive.append(page, named: "page")
    archive.append(page, named: "again")
    #expect(archive.html(0) == page)
    #expect(archive.html(1) == page)
  }

  @Test func storesTheCommonPartsOfPagesOnlyOnce() {
    let row = "<tr><td class=\"name\">expires</td><td>2025-01-01T00:00:00Z</td></tr>\n"
    let pages = (0..<200).map { String(repeating: row, count: 100) + "<p>\($0)</p>" }
    var archive = PageArchive()
    for (index, page) in pages.enumerated() { archive.append(page, named: "\(index)") }
    #expect(pages.indices.allSatisfy { archive.html($0) == pages[$0] })
    let size = SuitePage(suite: SuitePageTests.suite(), archive: archive).html().utf8.count
    let empty = SuitePage(suite: SuitePageTests.suite()).html().utf8.count
    #expect(size - empty < pages.map(\.utf8.count).reduce(0, +) / 20)
  }

  @Test func aHostileNameInAnArchiveIsNotExecuted() {
    var archive = PageArchive()
    archive.append("<p>", named: "</script><script>alert(1)</script>")
    let page = SuitePage(suite: SuitePageTests.suite(), archive: archive).html()
    #expect(page.ranges(of: "<script>").count == 2)
    #expect(!page.contains("<script>alert"))
    #expect(SuitePage(suite: SuitePageTests.suite()).html().ranges(of: "<script>").count == 1)
  }
}
