import Diagnostics
import LanguageService
import Testing

@Suite struct CursorContextTests {
  /// Returns the path and the role of the cursor, such as `steps/0 key id`.
  private func describe(_ name: String, _ marked: String) -> String? {
    let parts = marked.split(separator: "¦", omittingEmptySubsequences: false)
    let source = SourceText(name: name, text: parts.joined())
    guard let context = CursorContext(source, at: parts[0].utf8.count) else { return nil }
    let path = context.path.map { element in
      switch element {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
    return "\(path.joined(separator: "/")) \(context.role) \(context.text)"
  }

  @Test(
    "finds the path of the cursor in YAML",
    arguments: [
      ("¦", " keyOrValue "), ("a¦", " keyOrValue a"), ("a: 1\n¦", " key "), ("a: 1\nb¦", " key b"),
      ("a: ¦", "a value "), ("a:¦", "a value "), ("a:\n  ¦", "a keyOrValue "), ("a:\n  b: 1\n  ¦", "a key "),
      ("a:\n  b: 1\n¦", " key "), ("a:\n  - ¦", "a/0 keyOrValue "), ("a:\n  - x\n  - ¦\nb: 1", "a/1 keyOrValue "),
      ("a:\n- ¦\n- y\n", "a/0 keyOrValue "), ("a:\n  - b: 1\n    ¦", "a/0 key "), ("a: {b: ¦}", "a/b value "),
      ("a: {b: 1, ¦}", "a key "), ("a: {¦", "a key "), ("a: [x, ¦]", "a/1 keyOrValue "), ("a: [¦", "a/0 keyOrValue "),
      ("a: [x: ¦]", "a/0/x value "), ("a: \"b¦\"", "a value b"), ("a: 'b¦", "a value b"), ("\"a b¦\": 1", " key a b"),
      ("a: |\n  te¦xt\nb: 1", "a value |\n  text"), ("a: {b: 1\nc: ¦", "c value "), ("a: b # x\nc: ¦", "c value "),
      ("a.b: {c.d: ¦}", "a.b/c.d value "), ("a:\n  b: {c: 1,\n      ¦\n  d: 2", "a/b key "),
      ("a: 1\n  b¦", " key b"), ("a:\n  - x\n    ¦", "a/0 key "), ("é: ¦x", "é value x"),
    ])
  func findsPathInYAML(marked: String, expected: String) {
    #expect(describe("a.yaml", marked) == expected)
  }

  @Test(
    "finds the path of the cursor in JSON",
    arguments: [
      ("{¦}", " key "), ("{\"a¦", " key a"), ("{\"a\": ¦}", "a value "), ("{\"a\": \"b¦\"}", "a value b"),
      ("{\"a\": [1, ¦]}", "a/1 value "), ("{\"a\": {\"b\": 1, \"¦\"}}", "a key "),
      ("{\"a\": {\"b\": tr¦", "a/b value tr"),
      ("{ // comment\n\"a\": {¦", "a key "), ("[{\"a\": 1}, {¦", "1 key "), ("{\"a\\\"b\": ¦}", "a\"b value "),
    ])
  func findsPathInJSON(marked: String, expected: String) {
    #expect(describe("a.json", marked) == expected)
  }

  @Test(
    "finds the path of the cursor in property lists",
    arguments: [
      ("<key>¦</key>", " key "), ("<key>a</key><string>¦</string>", "a value "), ("<key>a</key>¦", "a value "),
      ("¦", " key "), ("<key>a</key><array><string>x</string><string>y¦</string></array>", "a/1 value y"),
      ("<key>a</key><dict><key>b¦</key></dict>", "a key b"), ("<key>a</key><true/>\n¦", " key "), ("<ke¦", " key <ke"),
      ("<key>a</key><array>¦</array>", "a/0 value "), ("<key>a&amp;b</key><string>¦", "a&b value "),
    ])
  func findsPathInPropertyLists(marked: String, expected: String) {
    #expect(describe("a.plist", "<plist version=\"1.0\"><dict>\(marked)</dict></plist>") == expected)
  }

  @Test("returns nothing in a comment", arguments: ["# a¦", "a: 1 # b¦\n", "a:\n  # c¦\n  b: 1\n"])
  func returnsNothingInComments(marked: String) {
    #expect(describe("a.yaml", marked) == nil)
  }
}
