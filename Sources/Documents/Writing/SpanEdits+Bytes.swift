import Diagnostics

extension SpanEdits {
  /// Returns the edited file in its original encoding, with its original byte-order mark and line endings. All bytes
  /// outside the edits are unchanged.
  /// - Parameters:
  ///   - original: The current content of the file.
  ///   - source: The text that was read from the file and that the edits refer to.
  package static func bytes(
    of original: [UInt8], after edits: [Diagnostic.Edit], in source: SourceText
  ) throws(Conflict) -> [UInt8] {
    guard !source.isBinary else { throw .binary }
    guard case .text(let text, _) = TextDecoding.decode(original, named: source.name),
      text.source.bytes == source.bytes
    else { throw .changed }
    if edits.isEmpty { return original }
    let encoding = TextEncoding.detect(original)
    switch encoding {
    case .utf8(let mark):
      // Invalid bytes were read as `?` and stay unchanged.
      return try original.prefix(mark) + apply(edits, to: source, original: original.dropFirst(mark))
    case .utf16, .utf32: return encoding.encode(try apply(edits, to: source), markOf: original)
    case .declared(let label):
      guard ForeignEncoding.encode(source.bytes, label: label) == original else {
        throw .unwritable("", encoding: label)
      }
      let edited = try apply(edits, to: source)
      guard let bytes = ForeignEncoding.encode(edited, label: label) else {
        throw .unwritable(firstUnencodable(edits, label), encoding: label)
      }
      return bytes
    }
  }

  /// Returns the first character in the replacements that the encoding cannot represent.
  private static func firstUnencodable(_ edits: [Diagnostic.Edit], _ label: String) -> String {
    for edit in edits {
      for scalar in edit.replacement.unicodeScalars
      where !scalar.isASCII && ForeignEncoding.encode(Array(String(scalar).utf8), label: label) == nil {
        return String(scalar)
      }
    }
    return ""
  }
}

extension TextEncoding {
  /// Encodes UTF-8 text as UTF-16 or UTF-32, with the byte-order mark of `original`.
  fileprivate func encode(_ text: [UInt8], markOf original: [UInt8]) -> [UInt8] {
    switch self {
    case .utf8(let mark): return original.prefix(mark) + text
    case .utf16(let bigEndian, let mark):
      var bytes = Array(original.prefix(mark))
      bytes.reserveCapacity(mark + 2 * text.count)
      for unit in String(decoding: text, as: UTF8.self).utf16 {
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        bytes.append(bigEndian ? high : low)
        bytes.append(bigEndian ? low : high)
      }
      return bytes
    case .utf32(let bigEndian, let mark):
      var bytes = Array(original.prefix(mark))
      bytes.reserveCapacity(mark + 4 * text.count)
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        for place in 0..<4 {
          bytes.append(UInt8(truncatingIfNeeded: scalar.value >> UInt32(8 * (bigEndian ? 3 - place : place))))
        }
      }
      return bytes
    case .declared: return text
    }
  }
}
