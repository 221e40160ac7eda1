import Diagnostics
import Documents
import Testing

struct LimitTests {
  @Test(arguments: [
    ("a.json", "[", "]"), ("b.json", "{\"\":", "}"), ("a.yaml", "[", "]"), ("b.yaml", "- ", ""),
    ("a.plist", "<array>", "</array>"),
    ("b.plist", "(", ")"), ("c.plist", "{a=", ";}"),
  ]) func limitsDepth(name: String, open: String, close: String) {
    func nested(_ depth: Int) -> String {
      let last = close == "" || open == "<array>" ? "" : name == "c.plist" || name == "b.json" ? "\"\"" : ""
      return String(repeating: open, count: depth) + last + String(repeating: close, count: depth)
    }
    let good = DocumentReader.read(nested(512), named: name)
    #expect(good.messages == [])
    #expect(good.document != nil)
    for depth in [513, 100_000] {
      let bad = DocumentReader.read(nested(depth), named: name)
      #expect(bad.diagnostics.map(\.rule) == ["too-deep"])
    }
  }

  @Test func limitsSize() {
    var options = ReadingOptions()
    options.limits.size = 1 << 20
    let reading = DocumentReader.read([UInt8](repeating: 0x20, count: 1 << 20 + 1), named: "big", options: options)
    #expect(reading.document == nil)
    #expect(reading.messages == ["1:1 too-large: file of 1048577 bytes exceeds the limit of 1 MiB"])
  }

  @Test func limitsAliasExpansion() {
    var text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
    for level in 1..<12 {
      text += "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",") + "]\n"
    }
    let reading = DocumentReader.read(text, named: "a.yaml")
    #expect(reading.diagnostics.map(\.rule) == ["alias-expansion"])
    #expect(reading.document?.root["a1"]?.count == 10)
  }

  @Test func readsAliasesBelowTheLimit() {
    let text =
      "a: &a [" + Array(repeating: "x", count: 999).joined(separator: ",") + "]\nb: ["
      + Array(repeating: "*a", count: 999).joined(separator: ",") + "]\n"
    #expect(DocumentReader.read(text, named: "a.yaml").messages == [])
  }

  @Test func countsAliasesTowardTheDepthLimit() {
    var text = "a0: &a0 [x]\n"
    for level in 1..<600 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
    let reading = DocumentReader.read(text, named: "a.yaml")
    #expect(reading.diagnostics.map(\.rule) == ["too-deep"])
  }

  @Test func limitsTheNumberOfDiagnostics() {
    let text = "[" + String(repeating: "x,", count: 5000) + "1]"
    let reading = DocumentReader.read(text, named: "a.json")
    #expect(reading.diagnostics.count <= 101)
  }

  @Test func reportsDuplicateKeysInLargeMappings() {
    let text = "{" + (0..<5000).map { "\"k\($0)\": 1" }.joined(separator: ",") + ", \"k7\": 2}"
    let reading = DocumentReader.read(text, named: "a.json")
    #expect(reading.diagnostics.map(\.rule) == ["duplicate-key"])
    #expect(reading.diagnostics.first?.related.first?.place.start.column == 58)
    #expect(reading.document?.root["k7"]?.integer == 1)
  }

  @Test func distinguishesCanonicallyEquivalentKeys() {
    #expect(DocumentReader.read("{\"\u{e9}\": 1, \"e\u{301}\": 2}", named: "a.json").messages == [])
    #expect(
      DocumentReader.read("{\"\u{e9}\": 1, \"\\u00e9\": 2}", named: "a.json").diagnostics.map(\.rule) == [
        "duplicate-key"
      ])
  }

  /// Input that causes quadratic run time or a deep call stack in simple parsers.
  @Test(arguments: [
    ("a.plist", "<plist><dict " + (0..<200_000).map { "a\($0)=''" }.joined(separator: " ") + "/></plist>"),
    ("a.plist", "<plist><string>" + String(repeating: "&", count: 200_000) + "</string></plist>"),
    ("a.plist", "<plist>" + String(repeating: "<x>", count: 200_000)),
    ("a.plist", "<plist><string>" + String(repeating: "<x>", count: 200_000)),
    ("a.json", String(repeating: "/*", count: 200_000)), ("a.json", "[" + String(repeating: " ", count: 200_000) + "x"),
    ("a.yaml", "a: \"" + String(repeating: "x\n", count: 200_000)), ("a.yaml", String(repeating: "? ", count: 100_000)),
    ("b.plist", "{" + String(repeating: "\"a\\", count: 200_000)),
    ("b.plist", "(" + String(repeating: "<", count: 200_000)),
  ]) func terminatesOnHostileInput(name: String, text: String) {
    let reading = DocumentReader.read(text, named: name)
    #expect(reading.hasErrors)
    if let document = reading.document { _ = document.root.json }
  }
}
