import Testing

import Reports

/// Tests that markup escapes text.
@Suite struct MarkupTests {
  @Test(arguments: [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("a\"b'c`d", "a&quot;b&#39;c&#96;d"),
    ("--!><!--", "--!&gt;&lt;!--"),
    ("&lt;", "&amp;lt;"),
    ("\0\u{1}\u{7F}", "␀␁\\u{7F}"),
    ("\u{202E}abc\u{2066}", "\\u{202E}abc\\u{2066}"),
    ("a\u{2028}b\u{FEFF}\u{200B}", "a\\u{2028}b\\u{FEFF}\\u{200B}"),
    ("Grüße, 世界 🙂\n\t‹access token #1›", "Grüße, 世界 🙂\n\t‹access token #1›"),
  ])
  func escapesText(text: String, shown: String) {
    #expect(Markup(text).html == shown)
    #expect(tag("p", .title(text)) { text }.html == "<p title=\"\(shown)\">\(shown)</p>")
    #expect(tag("svg") { tag("text") { text } }.html == "<svg><text>\(shown)</text></svg>")
  }

  @Test func rendersAnchorsAndNumbers() {
    #expect(tag("a", .to(PageAnchor("step", 3))) { "x" }.html == "<a href=\"#step-3\">x</a>")
    #expect(tag("i", .number(.x, .infinity), .number(.y, 1.25)) {}.html == "<i x=\"0\" y=\"1.3\"></i>")
  }

  @Test func computesTheHashesOfThePolicy() {
    #expect(PageAsset(kind: .style, text: "").source == "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='")
    #expect(PageFrame.policy.contains("style-src \(PageFrame.style.source); script-src \(PageFrame.script.source);"))
    #expect(!PageFrame.policy.contains("unsafe"))
    for asset in [PageFrame.style, PageFrame.script] {
      #expect(!asset.text.contains("</") && !asset.text.contains("\r"))
    }
  }
}
