import Diagnostics

/// Changes of a text by span, as diagnostics propose them.
package enum SpanEdits {
  /// Why edits cannot be made together.
  package enum Conflict: Error, Sendable, Equatable {
    /// Two edits change the same bytes.
    case overlap(Diagnostic.Edit, Diagnostic.Edit)
    /// A span reaches beyond the text, or cuts a character in two.
    case outside(Diagnostic.Edit)
    /// Binary documents are not edited by span.
    case binary
  }

  /// The text after all edits. Equal edits count once; several insertions at one place keep their order.
  package static func apply(_ edits: [Diagnostic.Edit], to source: SourceText) throws(Conflict) -> [UInt8] {
    guard !source.isBinary else { throw .binary }
    var seen: Set<Diagnostic.Edit> = []
    let distinct = edits.filter { seen.insert($0).inserted }
    let ordered = distinct.enumerated().sorted {
      ($0.element.span.start, $0.element.span.end, $0.offset) < ($1.element.span.start, $1.element.span.end, $1.offset)
    }.map(\.element)
    var result: [UInt8] = []
    result.reserveCapacity(source.bytes.count)
    var position = 0
    var previous: Diagnostic.Edit?
    for edit in ordered {
      guard edit.span.start >= 0, edit.span.end <= source.bytes.count, beginsCharacter(edit.span.start, source),
        beginsCharacter(edit.span.end, source)
      else { throw .outside(edit) }
      if let previous, edit.span.start < position { throw .overlap(previous, edit) }
      result.append(contentsOf: source.bytes[position..<edit.span.start])
      result.append(contentsOf: edit.replacement.utf8)
      position = edit.span.end
      previous = edit
    }
    result.append(contentsOf: source.bytes[position...])
    return result
  }

  private static func beginsCharacter(_ offset: Int, _ source: SourceText) -> Bool {
    offset == source.bytes.count || source.bytes[offset] & 0xC0 != 0x80
  }
}
