// These functions search bytes, because searching characters is many times slower.
extension String {
  /// Whether any UTF-8 byte of the text satisfies the predicate.
  package func hasByte(where predicate: (UInt8) -> Bool) -> Bool {
    var text = self
    return text.withUTF8 { $0.contains(where: predicate) }
  }

  /// Whether the text contains the other text, compared byte by byte.
  package func containsUTF8(_ part: String) -> Bool {
    var (text, part) = (self, part)
    return text.withUTF8 { text in part.withUTF8 { text.position(of: $0) != nil } }
  }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// Returns the range of the first occurrence of the bytes, or nil if there is none. The standard library's
  /// `firstRange(of:)` returns the same range, but it is not specialized and takes many times longer.
  package func firstRange(ofBytes part: [UInt8]) -> Range<Int>? {
    let offset = part.withUnsafeBufferPointer { part in
      withContiguousStorageIfAvailable { $0.position(of: part) }
        ?? Array(self).withUnsafeBufferPointer { $0.position(of: part) }
    }
    return offset.map { startIndex + $0..<startIndex + $0 + part.count }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the offset of the first occurrence of the bytes, or nil if there is none.
  fileprivate func position(of part: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = part.first else { return 0 }
    var start = 0
    while start + part.count <= count {
      if self[start] == first {
        var length = 1
        while length < part.count, self[start + length] == part[length] { length += 1 }
        if length == part.count { return start }
      }
      start += 1
    }
    return nil
  }
}
