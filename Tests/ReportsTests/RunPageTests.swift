import Documents
import Reports
import Testing

/// Tests what the page of a run contains and what it must not contain.
@Suite struct RunPageTests {
  static func page(_ lines: [JSON]) -> String {
    PageTraces.tracedRun(lines).map { RunPage(tracedRun: $0).html() } ?? ""
  }

  /// Returns the elements, classes, and anchors in order, without text.
  static func structure(_ html: String, within section: String) -> String {
    guard let start = html.firstRange(of: "<section id=\"\(section)\"")?.lowerBound,
      let end = html[start...].firstRange(of: "</section>")?.lowerBound
    else { return "" }
    var structure = ""
    var rest = html[start..<end]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let tag = rest[rest.index(after: open)..<close]
      if !tag.hasPrefix("/") {
        let id = tag.firstRange(of: " id=\"").map { tag[$0.upperBound...].prefix { $0 != "\"" } }
        structure += "\(tag.prefix { $0 != " " })\(id.map { "#\($0)" } ?? "") "
      }
      rest = rest[rest.index(after: close)...]
    }
    return structure
  }

  @Test func rendersTheSectionsOfASmallPage() {
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
    for section in ["overview", "replay", "steps", "sequence", "timeline", "http", "tokens", "cache", "decisions"] {
      #expect(html.contains("<section id=\"\(section)\" aria-labelledby=\"\(section)-heading\">"))
      #expect(html.contains("<a href=\"#\(section)\">"))
    }
    #expect(html.contains("The state machine") == false)
    #expect(html.contains("<h1>a run</h1>"))
  }

  @Test func everyLinkHasATarget() {
    let html = Self.page(PageTraces.lines())
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

  @Test("shows pages in frames without permissions, and allows their style sheet")
  func showsPages() throws {
    let html = Self.page(PageTraces.lines("</iframe><script>alert(1)</script>\""))
    let start = try #require(html.firstRange(of: "<iframe sandbox srcdoc=\""))
    let frame = html[start.upperBound...].prefix { $0 != "\"" }
    #expect(frame.contains("&lt;style&gt;p{color:red}&lt;/style&gt;"))
    #expect(frame.contains("&lt;p&gt;&lt;/iframe&gt;&lt;script&gt;"))
    #expect(!html.contains("</iframe><script>alert"))
    #expect(html.contains(PageAsset(kind: .style, text: "p{color:red}").source.dropFirst().dropLast()))
    #expect(html.contains("‹password #1›"))
    #expect(html.contains("<dt>Pages shown</dt><dd>1</dd>"))
  }

  @Test("rejects a style sheet that closes its `style` element")
  func rejectsStyleWithMarkup() {
    let lines = PageTraces.lines().map { line -> JSON in
      guard line["phase"] == "page" else { return line }
      var line = line
      line["style"] = "</style><p>text</p>"
      return line
    }
    let html = Self.page(lines)
    #expect(!html.contains("&lt;/style&gt;&lt;p&gt;text"))
    #expect(html.contains("<iframe sandbox srcdoc="))
  }

  @Test("lists the entries of the cache with the events that add and delete them")
  func listsCachePeriods() {
    func write(_ change: String) -> JSON {
      [
        "kind": "cache.written", "reason": "r",
        "changes": [["change": .string(change), "section": "IdToken", "key": "k", "entry": ["realm": "contoso"]]],
      ]
    }
    let html = Self.page([
      ["kind": "run.started", "format": 2, "tool": "authflow 1", "platform": "emulated", "name": "a run"],
      ["kind": "step.started", "step": "silent", "stepKind": "silent", "rule": "the first step"], write("added"),
      write("deleted"), ["kind": "run.finished", "outcome": "success", "path": [], "interactions": 0],
    ])
    #expect(html.contains("<li class=\"only\" data-at=\"3\" data-until=\"4\"><b>IdToken</b> contoso</li>"))
  }

  @Test func explainsParametersClaimsAndFields() {
    let html = Self.page(PageTraces.lines())
    #expect(html.contains("a token for requesting new tokens without the user"))
    #expect(html.contains("the delegated permissions, separated by spaces"))
    #expect(html.contains("2025-01-01 01:00:00 UTC"))
    #expect(html.contains("An app must read only its ID token."))
    #expect(html.contains("sent to the identity platform in"))
  }

  @Test func linksStepsAndSourceLines() {
    let html = Self.page(PageTraces.lines())
    #expect(html.contains("<a href=\"#L-3\">a.yaml, line 3</a>"))
    #expect(html.contains("<li id=\"L-3\" class=\"at failed\" data-with=\"step-1\"><a href=\"#step-1\""))
    #expect(html.contains("data-with=\"L-3\""))
  }

  @Test(arguments: 1...12) func rendersTruncatedTraces(count: Int) {
    let html = Self.page(Array(PageTraces.lines().prefix(count)))
    #expect(html.contains("unfinished") || html.contains("failed"))
    #expect(html.hasSuffix("</html>\n"))
  }

  static let hostile = [
    "<script>window.hacked=1</script>", "\"><img src=x onerror=window.hacked=1>", "'><svg onload=window.hacked=1>",
    "</script><script>window.hacked=1</script>", "</title></style><script>window.hacked=1</script>",
    "--!><script>window.hacked=1</script>", "javascript:window.hacked=1", "]]><script>window.hacked=1</script>",
    "\0<script\0>window.hacked=1</script>", "\u{202E}<script>window.hacked=1</script>\u{2066}",
    "{{constructor.constructor('window.hacked=1')()}}", "\u{2028}<a href=\"javascript:window.hacked=1\">",
  ]

  @Test(arguments: hostile) func escapesTextFromTraces(text: String) {
    let plain = Self.page(PageTraces.lines("plain"))
    let html = Self.page(PageTraces.lines(text))
    // The structure does not depend on the text.
    func tags(_ html: String) -> [Substring] {
      html.split(separator: "<").map { $0.prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" } }
    }
    #expect(tags(html).filter { $0 == "script" }.count == 1)
    #expect(tags(html).filter { $0 == "img" || $0 == "object" }.isEmpty)
    #expect(html.split(separator: "<iframe").dropFirst().allSatisfy { $0.hasPrefix(" sandbox srcdoc=") })
    #expect(Set(tags(html)) == Set(tags(plain)))
    #expect(!html.contains("href=\"javascript") && !html.contains("href=\"http"))
    #expect(!html.unicodeScalars.contains { $0 == "\0" || $0 == "\u{202E}" || $0 == "\u{2066}" || $0 == "\u{2028}" })
    #expect(html.contains("hacked"), "the page shows the text")
  }
}
