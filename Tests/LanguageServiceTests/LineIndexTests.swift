import Diagnostics
import LanguageService
import Testing

@Suite struct LineIndexTests {
  private static let text = "a😀é\r\nb\rc\n"

  @Test("finds lines with all line endings")
  func findsLines() {
    let lines = LineIndex(Array(Self.text.utf8))
    #expect(lines.count == 4)
    #expect((0..<5).map(lines.text(ofLine:)) == ["a😀é", "b", "c", "", ""])
  }

  @Test("converts positions to offsets and back", arguments: PositionEncoding.allCases)
  func convertsPositions(encoding: PositionEncoding) {
    let bytes = Array(Self.text.utf8)
    let lines = LineIndex(bytes)
    for offset in 0...bytes.count where offset == bytes.count || bytes[offset] & 0xC0 != 0x80 {
      // An offset between `\r` and `\n` has no position.
      guard !(offset > 0 && offset < bytes.count && bytes[offset - 1] == 0x0D && bytes[offset] == 0x0A) else {
        continue
      }
      #expect(lines.offset(of: lines.position(of: offset, encoding), encoding) == offset)
    }
  }

  @Test("counts columns in the units of the encoding")
  func countsColumns() {
    let lines = LineIndex(Array(Self.text.utf8))
    #expect(PositionEncoding.allCases.map { lines.position(of: 7, $0).column } == [7, 4, 3])
  }

  @Test("moves positions after the end of a line or inside a character to a valid offset")
  func limitsPositions() {
    let lines = LineIndex(Array(Self.text.utf8))
    #expect(lines.offset(of: TextPosition(line: 0, column: 99), .utf16) == 7)
    #expect(lines.offset(of: TextPosition(line: 0, column: 2), .utf16) == 1)
    #expect(lines.offset(of: TextPosition(line: 99, column: 0), .utf16) == Self.text.utf8.count)
  }

  @Test("applies incremental changes in order")
  func appliesChanges() {
    var document = OpenDocument(path: "/a", text: "a😀b\nc", version: 1)
    document.apply(
      [
        .range(start: TextPosition(line: 0, column: 1), end: TextPosition(line: 0, column: 3), text: "x\ny"),
        .range(start: TextPosition(line: 1, column: 0), end: TextPosition(line: 2, column: 0), text: ""),
      ], version: 5, .utf16)
    #expect(String(decoding: document.bytes, as: UTF8.self) == "ax\nc")
    #expect(document.version == 5)
  }
}
