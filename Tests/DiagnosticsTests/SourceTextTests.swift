import Diagnostics
import Testing

@Suite struct SourceTextTests {
  @Test(arguments: [
    ("ab\ncd", 0, 1, 1), ("ab\ncd", 3, 2, 1), ("ab\ncd", 5, 2, 3), ("ab\r\ncd", 4, 2, 1), ("ab\rcd", 3, 2, 1),
    ("", 0, 1, 1), ("a", 99, 1, 2),
  ])
  func linesAndColumnsCountFromOne(text: String, offset: Int, line: Int, column: Int) {
    let place = SourceText(name: "t", text: text).location(of: offset)
    #expect(place.line == line)
    #expect(place.column == column)
  }

  @Test func columnsCountCodePointsAndEditorsGetUTF16() {
    let text = SourceText(name: "t", text: "é😀x")
    let place = text.location(of: 6)
    #expect(place.column == 3)
    #expect(place.utf16Column == 4)
  }

  @Test func aPlaceInABinaryFileIsItsByte() {
    let text = SourceText(name: "t", bytes: [0x0A, 0x0A, 0x41], isBinary: true)
    #expect(text.location(of: 2) == SourceLocation(line: 1, column: 3, utf16Column: 3))
  }
}

@Suite struct SuggestionTests {
  static let keys = ["AppId", "GraphScopes", "Authority", "RedirectUri", "silent", "interactive"]

  @Test(arguments: [
    ("appid", "AppId"), ("GraphScope", "GraphScopes"), ("Redirect_URI", "RedirectUri"), ("slient", "silent"),
    ("interactiv", "interactive"),
  ])
  func findsTheNearWord(word: String, expected: String) {
    #expect(Suggestion.nearest(to: word, among: Self.keys) == expected)
  }

  @Test(arguments: ["", "x", "banana", String(repeating: "a", count: 100_000)])
  func findsNothingFar(word: String) {
    #expect(Suggestion.nearest(to: word, among: Self.keys) == nil)
  }
}
