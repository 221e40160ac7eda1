import Documents
import Reports
import Testing

/// The page of a run: what is in it, and what can never be.
@Suite struct RunPageTests {
  static func page(_ lines: [JSON]) -> String { PageTraces.story(lines).map { RunPage(story: $0).html() } ?? "" }

  /// Names of elements, classes and places, in order, without any text: what the page is made of.
  static func structure(_ html: String, within section: String) -> String {
    guard let start = html.firstRange(of: "<section id=\"\(section)\"")?.lowerBound,
      let end = html[start...].firstRange(of: "</section>")?.lowerBound
    else { return "" }
    var shape = ""
    var rest = html[start..<end]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let tag = rest[rest.index(after: open)..<close]
      if !tag.hasPrefix("/") {
        let id = tag.firstRange(of: " id=\"").map { tag[$0.upperBound...].prefix { $0 != "\"" } }
        shape += "\(tag.prefix { $0 != " " })\(id.map { "#\($0)" } ?? "") "
      }
      rest = rest[rest.index(after: close)...]
    }
    return shape
  }

  @Test func aSmallPageIsMadeOfTheseParts() {
    let html = Self.page([
      ["kind": "run.started", "format": 2, "tool": "authflow 1", "platform": "emulated", "name": "a run"],
      ["kind": "step.started", "step": "silent", "stepKind": "silent", "rule": "the first step"],
      ["kind": "step.finished", "step": "silent", "outcome": "success", "verdict": "ok", "next": "success"],
      ["kind": "run.finished", "outcome": "success", "path": ["silent.success"], "interactions": 0],
    ])
    #expect(
      html.hasPrefix(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\"")
    )
    #expect(
      Self.structure(html, within: "steps")
        == "section#steps h2#steps-heading span div div div button button button button ol li details#step-1 summary span span span span div dl div dt dd div dt dd div dt dd div dt dd "
    )
    for part in ["overview", "steps", "sequence", "timeline", "http", "tokens", "cache", "decisions"] {
      #expect(html.contains("<section id=\"\(part)\" aria-labelledby=\"\(part)-heading\">"))
      #expect(html.contains("<a href=\"#\(part)\">"))
    }
    #expect(html.contains("The state machine") == false)
    #expect(html.contains("<h1>a run</h1>"))
  }

  @Test func everyPlaceThatALinkLeadsToIsThere() {
    let html = Self.page(PageTraces.run())
    var rest = html[...]
    var count = 0
    while let link = rest.firstRange(of: "href=\"#") {
      let id = rest[link.upperBound...].prefix { $0 != "\"" }
      #expect(html.contains(" id=\"\(id)\""), "\(id)")
      rest = rest[link.upperBound...]
      count += 1
    }
    #expect(count > 20)
  }

  @Test func parametersClaimsAndFieldsAreExplained() {
    let html = Self.page(PageTraces.run())
    #expect(html.contains("what new tokens are got for without the user"))
    #expect(html.contains("the delegated permissions, separated by spaces"))
    #expect(html.contains("2025-01-01 01:00:00 UTC"))
    #expect(html.contains("An app reads its ID token and nothing else."))
    #expect(html.contains("sent to the identity platform in"))
  }

  @Test func aStepAndItsLineLeadToEachOther() {
    let html = Self.page(PageTraces.run())
    #expect(html.contains("<a href=\"#L-3\">a.yaml, line 3</a>"))
    #expect(html.contains("<li id=\"L-3\" class=\"at failed\" data-with=\"step-1\"><a href=\"#step-1\""))
    #expect(html.contains("data-with=\"L-3\""))
  }

  /// A killed run leaves a story without an end.
  @Test(arguments: 1...12) func aCutTraceIsAPageToo(count: Int) {
    let html = Self.page(Array(PageTraces.run().prefix(count)))
    #expect(html.contains("not finished") || html.contains("failed"))
    #expect(html.hasSuffix("</html>\n"))
  }

  static let hostile = [
    "<script>window.hacked=1</script>", "\"><img src=x onerror=window.hacked=1>", "'><svg onload=window.hacked=1>",
    "</script><script>window.hacked=1</script>", "</title></style><script>window.hacked=1</script>",
    "--!><script>window.hacked=1</script>", "javascript:window.hacked=1", "]]><script>window.hacked=1</script>",
    "\0<script\0>window.hacked=1</script>", "\u{202E}<script>window.hacked=1</script>\u{2066}",
    "{{constructor.constructor('window.hacked=1')()}}", "\u{2028}<a href=\"javascript:window.hacked=1\">",
  ]

  @Test(arguments: hostile) func whatATraceSaysIsNeverMarkup(text: String) {
    let plain = Self.page(PageTraces.run("plain"))
    let html = Self.page(PageTraces.run(text))
    // The same elements in the same places, whatever the texts are.
    func tags(_ html: String) -> [Substring] {
      html.split(separator: "<").map { $0.prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" } }
    }
    #expect(tags(html).filter { $0 == "script" }.count == 1)
    #expect(tags(html).filter { $0 == "img" || $0 == "iframe" || $0 == "object" }.isEmpty)
    #expect(Set(tags(html)) == Set(tags(plain)))
    #expect(!html.contains("href=\"javascript") && !html.contains("href=\"http"))
    #expect(!html.unicodeScalars.contains { $0 == "\0" || $0 == "\u{202E}" || $0 == "\u{2066}" || $0 == "\u{2028}" })
    #expect(html.contains("hacked"), "the text is on the page, as a text")
  }
}
