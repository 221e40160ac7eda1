// These functions search bytes, because searching characters is many times slower.
extension String {
  /// Whether a UTF-8 byte of the text satisfies the predicate.
  package func hasByte(where predicate: (UInt8) -> Bool) -> Bool {
    var text = self
    return text.withUTF8 { $0.contains(where: predicate) }
  }

  /// Whether the text contains the other text, compared byte by byte.
  package func containsUTF8(_ part: String) -> Bool {
    var (text, part) = (self, part)
    return text.withUTF8 { text in
      part.withUTF8 { part in
        guard let first = part.first else { return true }
        return text.indices.dropLast(part.count - 1).contains { start in
          text[start] == first && text[start...].starts(with: part)
        }
      }
    }
  }
}
