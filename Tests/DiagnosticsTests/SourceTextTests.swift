import Diagnostics
import Testing

@Suite struct SourceTextTests {
  @Test(arguments: [
    ("ab\ncd", 0, 1, 1), ("ab\ncd", 3, 2, 1), ("ab\ncd", 5, 2, 3), ("ab\r\ncd", 4, 2, 1), ("ab\rcd", 3, 2, 1),
    ("", 0, 1, 1), ("a", 99, 1, 2),
  ])
  func numbersLinesAndColumnsFromOne(text: String, offset: Int, line: Int, column: Int) {
    let place = SourceText(name: "t", text: text).location(of: offset)
    #expect(place.line == line)
    #expect(place.column == column)
  }

  @Test func countsColumnsInCodePointsAndUTF16() {
    let text = SourceText(name: "t", text: "é😀x")
    let place = text.location(of: 6)
    #expect(place.column == 3)
    #expect(place.utf16Column == 4)
  }

  /// Locations near the end of a long text come from the line table and must also be exact.
  @Test(arguments: 1...3) func locatesOffsetsInLongTexts(seed: Int) {
    let pieces = ["a", "é", "😀", "\n", "\r\n", "\r", "日", "long piece of a line "]
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    var text = ""
    var places: [Int: Diagnostics.SourceLocation] = [:]
    var place = Diagnostics.SourceLocation(line: 1, column: 1, utf16Column: 1)
    var offset = 0
    var last: Unicode.Scalar = " "
    while offset < 40_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      let piece = pieces[Int(state >> 33) % pieces.count]
      // A line feed after a carriage return would form a single line ending, which this test does not count.
      if last == "\r", piece.unicodeScalars.first == "\n" { continue }
      for scalar in piece.unicodeScalars {
        places[offset] = place
        offset += String(scalar).utf8.count
        place.column += 1
        place.utf16Column += UTF16.width(scalar)
        last = scalar
      }
      if piece == "\n" || piece == "\r" || piece == "\r\n" {
        place = Diagnostics.SourceLocation(line: place.line + 1, column: 1, utf16Column: 1)
      }
      text += piece
    }
    let source = SourceText(name: "t", text: text)
    for (offset, place) in places { #expect(source.location(of: offset) == place) }
  }

  @Test func locatesBytesInBinaryFiles() {
    let text = SourceText(name: "t", bytes: [0x0A, 0x0A, 0x41], isBinary: true)
    #expect(text.location(of: 2) == Diagnostics.SourceLocation(line: 1, column: 3, utf16Column: 3))
  }
}

@Suite struct SuggestionTests {
  static let keys = ["AppId", "GraphScopes", "Authority", "RedirectUri", "silent", "interactive"]

  @Test(arguments: [
    ("appid", "AppId"), ("GraphScope", "GraphScopes"), ("Redirect_URI", "RedirectUri"), ("slient", "silent"),
    ("interactiv", "interactive"),
  ])
  func suggestsTheMostSimilarWord(word: String, expected: String) {
    #expect(Suggestion.nearest(to: word, among: Self.keys) == expected)
  }

  @Test(arguments: ["", "x", "banana", String(repeating: "a", count: 100_000)])
  func makesNoSuggestionForUnrelatedWords(word: String) {
    #expect(Suggestion.nearest(to: word, among: Self.keys) == nil)
  }
}
