import Diagnostics
import Documents
import Testing

struct SpanEditTests {
  static let source = SourceText(name: "a", text: "one é three")

  static func edit(_ start: Int, _ end: Int, _ text: String) -> Diagnostic.Edit {
    Diagnostic.Edit(span: SourceSpan(start: start, end: end), replacement: text)
  }

  @Test(arguments: [
    ([], "one é three"), ([edit(0, 3, "1")], "1 é three"), ([edit(7, 12, "3"), edit(0, 3, "1")], "1 é 3"),
    ([edit(3, 3, "!"), edit(3, 3, "?")], "one!? é three"), ([edit(4, 6, "2"), edit(4, 6, "2")], "one 2 three"),
    ([edit(12, 12, ".")], "one é three."), ([edit(0, 3, ""), edit(3, 4, "")], "é three"),
  ]) func appliesEdits(edits: [Diagnostic.Edit], text: String) throws {
    #expect(String(decoding: try SpanEdits.apply(edits, to: Self.source), as: UTF8.self) == text)
  }

  @Test func rejectsOverlappingEdits() {
    let (first, second) = (Self.edit(0, 4, "x"), Self.edit(3, 6, "y"))
    #expect(throws: SpanEdits.Conflict.overlap(first, second)) {
      try SpanEdits.apply([second, first], to: Self.source)
    }
  }

  @Test(arguments: [edit(5, 6, "x"), edit(10, 99, "x"), edit(-1, 0, "")]) func rejectsSpansOutsideTheText(
    edit: Diagnostic.Edit
  ) {
    #expect(throws: SpanEdits.Conflict.outside(edit)) { try SpanEdits.apply([edit], to: Self.source) }
  }

  @Test func rejectsBinaryDocuments() {
    #expect(throws: SpanEdits.Conflict.binary) {
      try SpanEdits.apply([], to: SourceText(name: "b", bytes: [1], isBinary: true))
    }
  }

  @Test func appliesTheReadersFixes() throws {
    let reading = DocumentReader.read("{\"a\": [1 2,]\n \"b\": 3,}", named: "a.json")
    let edits = reading.diagnostics.compactMap(\.fix).flatMap(\.edits)
    let source = try #require(reading.document?.source)
    let fixed = DocumentReader.read(try SpanEdits.apply(edits, to: source), named: "a.json")
    #expect(fixed.messages == [])
    #expect(fixed.json == reading.json)
  }
}
