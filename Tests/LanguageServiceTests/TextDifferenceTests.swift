import Diagnostics
import Documents
import LanguageService
import Testing

@Suite struct TextDifferenceTests {
  @Test(
    "returns edits that change only different lines",
    arguments: [
      ("a\nb\nc\n", "a\nx\nc\n", 1), ("a\nb\nc\n", "a\nc\n", 1), ("", "a\n", 1), ("a\nb", "a\nb\n", 1),
      ("a\nb\nc\nd\n", "x\nb\nc\ny\n", 2), ("a\nb\nc\n", "x\ny\nc\n", 2), ("a\n", "", 1), ("same\n", "same\n", 0),
      ("a\nb\n", "0\na\nb\n1\n", 2),
    ])
  func returnsEdits(old: String, new: String, count: Int) throws {
    let edits = TextDifference.edits(from: Array(old.utf8), to: Array(new.utf8))
    #expect(edits.count == count)
    let source = SourceText(name: "a", text: old)
    #expect(String(decoding: try SpanEdits.apply(edits, to: source), as: UTF8.self) == new)
  }
}
