import Diagnostics

/// Functions that apply the edits in fixes to text.
package enum SpanEdits {
  /// The reason why edits cannot be applied.
  package enum Conflict: Error, Sendable, Equatable {
    /// Two edits overlap.
    case overlap(Diagnostic.Edit, Diagnostic.Edit)
    /// A span extends beyond the text or splits a character.
    case outside(Diagnostic.Edit)
    /// Edits do not apply to binary documents.
    case binary
    /// The file changed after it was read.
    case changed
    /// The file's encoding cannot represent the character, or decoding and encoding the file does not preserve it.
    case unwritable(String, encoding: String)

    /// The reason as a clause, for messages such as "nothing was changed: …".
    package var reason: String {
      switch self {
      case .overlap: "two fixes change the same text"
      case .outside: "a fix changes a range outside the file"
      case .binary: "fixes cannot change binary files"
      case .changed: "the file changed after it was read"
      case .unwritable(let character, let encoding) where character.isEmpty:
        "saving the file in its encoding \(encoding) would change other parts of it; save it as UTF-8"
      case .unwritable(let character, let encoding):
        "the file's encoding \(encoding) cannot represent `\(character)`; save it as UTF-8"
      }
    }
  }

  /// Returns the text after all edits. Equal edits are applied only once. Several insertions at the same offset keep
  /// their order. Line endings in replacements are converted to the line endings of the text.
  package static func apply(_ edits: [Diagnostic.Edit], to source: SourceText) throws(Conflict) -> [UInt8] {
    guard !source.isBinary else { throw .binary }
    return try apply(edits, to: source, original: source.bytes)
  }

  /// - Parameter original: The bytes of the file. They have the same length as the text and differ only in invalid
  ///   bytes.
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
    func unchanged(_ range: Range<Int>) -> some Collection<UInt8> {
      original.dropFirst(range.lowerBound).prefix(range.count)
    }
    var position = 0
    var previous: Diagnostic.Edit?
    for edit in ordered {
      guard edit.span.start >= 0, edit.span.end <= source.bytes.count, startsCharacter(edit.span.start, source),
        startsCharacter(edit.span.end, source)
      else { throw .outside(edit) }
      if let previous, edit.span.start < position { throw .overlap(previous, edit) }
      result.append(contentsOf: unchanged(position..<edit.span.start))
      append(edit.replacement, lineEnd, to: &result)
      position = edit.span.end
      previous = edit
    }
    result.append(contentsOf: unchanged(position..<source.bytes.count))
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

  /// Returns the first line ending in the text: `\n`, `\r\n`, or `\r` (classic Mac OS).
  private static func lineEnd(of source: SourceText) -> [UInt8] {
    guard let first = source.bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }), source.bytes[first] == 0x0D else {
      return [0x0A]
    }
    return first + 1 < source.bytes.count && source.bytes[first + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
  }

  private static func startsCharacter(_ offset: Int, _ source: SourceText) -> Bool {
    offset == source.bytes.count || source.bytes[offset] & 0xC0 != 0x80
  }
}
