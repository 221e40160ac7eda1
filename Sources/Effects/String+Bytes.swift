// Looking through a text byte by byte, as it lies in memory: by characters it takes many times as long.
extension String {
  /// Whether one of its UTF-8 bytes is such a one.
  package func hasByte(where isWanted: (UInt8) -> Bool) -> Bool {
    var text = self
    return text.withUTF8 { $0.contains(where: isWanted) }
  }

  /// Whether the other text stands in it somewhere, byte for byte.
  package func holds(_ part: String) -> Bool {
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
