/// A search for many literals in one pass over a text.
///
/// Four bytes of each literal serve as its index. A bit table of these bytes rejects nearly all positions in a text,
/// so the speed hardly depends on the number of literals.
struct LiteralSearch: Sendable {
  private struct Entry: Sendable {
    var literal: Int
    /// The offset of the four indexed bytes in the literal.
    var offset: Int
  }

  /// The minimum length, in bytes, of a literal that can be found.
  static let minimumLength = 4

  private let literals: [[UInt8]]
  private var buckets: [UInt32: [Entry]] = [:]
  /// One bit for each value of a 16-bit hash.
  private var filter = [UInt64](repeating: 0, count: 1024)

  /// - Parameter literals: Literals of at least `minimumLength` bytes. Shorter literals are never found.
  init(_ literals: [[UInt8]]) {
    self.literals = literals
    var frequency: [UInt32: Int] = [:]
    for literal in literals where literal.count >= Self.minimumLength {
      for start in 0...(literal.count - 4) { frequency[Self.key(literal, start), default: 0] += 1 }
    }
    for (index, literal) in literals.enumerated() where literal.count >= Self.minimumLength {
      // Indexing the rarest four bytes keeps the buckets small.
      let start = (0...(literal.count - 4)).min { left, right in
        frequency[Self.key(literal, left), default: 0] < frequency[Self.key(literal, right), default: 0]
      }
      guard let start else { continue }
      let key = Self.key(literal, start)
      buckets[key, default: []].append(Entry(literal: index, offset: start))
      let hash = Self.hash(key)
      filter[hash >> 6] |= 1 << UInt64(hash & 63)
    }
  }

  /// Reports each occurrence of a literal with the offset of its first byte.
  func scan(_ text: [UInt8], found: (_ literal: Int, _ start: Int) -> Void) {
    text.withUnsafeBufferPointer { scan($0, found: found) }
  }

  func scan(_ text: UnsafeBufferPointer<UInt8>, found: (_ literal: Int, _ start: Int) -> Void) {
    guard text.count >= 4 else { return }
    var key = UInt32(text[0]) << 8 | UInt32(text[1]) << 16 | UInt32(text[2]) << 24
    filter.withUnsafeBufferPointer { filter in
      for index in 3..<text.count {
        key = key >> 8 | UInt32(text[index]) << 24
        let hash = Self.hash(key)
        guard filter[hash >> 6] & (1 << UInt64(hash & 63)) != 0, let entries = buckets[key] else { continue }
        for entry in entries {
          let start = index - 3 - entry.offset
          if matches(entry.literal, text, start) { found(entry.literal, start) }
        }
      }
    }
  }

  private func matches(_ literal: Int, _ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    let bytes = literals[literal]
    guard start >= 0, start + bytes.count <= text.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for offset in 0..<bytes.count where bytes[offset] != text[start + offset] { return false }
      return true
    }
  }

  private static func key(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]) << 16
      | UInt32(bytes[start + 3]) << 24
  }

  private static func hash(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 16) }
}
