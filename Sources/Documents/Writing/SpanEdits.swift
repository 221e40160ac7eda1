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
    /// The bytes are not those that the text was read from.
    case changed
    /// The file's encoding has no place for the character, or does not give back the bytes that it was read from.
    case unwritable(String, encoding: String)

    /// For people, as the end of a sentence such as “nothing was changed: …”.
    package var words: String {
      switch self {
      case .overlap: "two fixes change the same place"
      case .outside: "a fix reaches beyond the text"
      case .binary: "a binary file is not changed in place"
      case .changed: "the file has changed since it was read"
      case .unwritable(let character, let encoding) where character.isEmpty:
        "the file is in \(encoding), and would not come out of it unchanged elsewhere; save it as UTF-8"
      case .unwritable(let character, let encoding):
        "the file is in \(encoding), which has no ‘\(character)’; save it as UTF-8"
      }
    }
  }

  /// The text after all edits. Equal edits count once; several insertions at one place keep their order. Line ends in
  /// replacements become those of the text.
  package static func apply(_ edits: [Diagnostic.Edit], to source: SourceText) throws(Conflict) -> [UInt8] {
    guard !source.isBinary else { throw .binary }
    return try apply(edits, to: source, original: source.bytes)
  }

  /// `original` is as long as the text, and differs from it at most where bytes are no text.
  static func apply(
    _ edits: [Diagnostic.Edit], to source: SourceText, original: some RandomAccessCollection<UInt8>
  ) throws(Conflict) -> [UInt8] {
    var seen: Set<Diagnostic.Edit> = []
    let distinct = edits.filter { seen.insert($0).inserted }
    let ordered = distinct.enumerated().sorted {
      ($0.element.span.start, $0.element.span.end, $0.offset) < ($1.element.span.start, $1.element.span.end, $1.offset)
    }.map(\.element)
    let lineEnd = distinct.contains { $0.replacement.utf8.contains(0x0A) } ? lineEnd(of: source) : [0x0A]
    var result: [UInt8] = []
    result.reserveCapacity(source.bytes.count)
    func kept(_ range: Range<Int>) -> some Collection<UInt8> {
      original.dropFirst(range.lowerBound).prefix(range.count)
    }
    var position = 0
    var previous: Diagnostic.Edit?
    for edit in ordered {
      guard edit.span.start >= 0, edit.span.end <= source.bytes.count, beginsCharacter(edit.span.start, source),
        beginsCharacter(edit.span.end, source)
      else { throw .outside(edit) }
      if let previous, edit.span.start < position { throw .overlap(previous, edit) }
      result.append(contentsOf: kept(position..<edit.span.start))
      append(edit.replacement, lineEnd, to: &result)
      position = edit.span.end
      previous = edit
    }
    result.append(contentsOf: kept(position..<source.bytes.count))
    return result
  }

  private static func append(_ replacement: String, _ lineEnd: [UInt8], to result: inout [UInt8]) {
    for byte in replacement.utf8 {
      if byte != 0x0A || lineEnd == [0x0A] {
        result.append(byte)
      } else if lineEnd == [0x0D, 0x0A], result.last == 0x0D {
        result.append(byte)
      } else {
        result.append(contentsOf: lineEnd)
      }
    }
  }

  /// The first line end of the text: `\n`, `\r\n` or, from very old systems, `\r`.
  private static func lineEnd(of source: SourceText) -> [UInt8] {
    guard let first = source.bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }), source.bytes[first] == 0x0D else {
      return [0x0A]
    }
    return first + 1 < source.bytes.count && source.bytes[first + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
  }

  private static func beginsCharacter(_ offset: Int, _ source: SourceText) -> Bool {
    offset == source.bytes.count || source.bytes[offset] & 0xC0 != 0x80
  }
}
