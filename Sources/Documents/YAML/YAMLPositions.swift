/// A converter from libyaml's character indices to byte offsets. The indices are almost in order, so a moving cursor is
/// sufficient.
struct YAMLPositions {
  /// The text, or nil if every character is one byte.
  var bytes: UnsafeBufferPointer<UInt8>?
  private var character = 0
  private var offset = 0

  init(bytes: UnsafeBufferPointer<UInt8>? = nil) {
    self.bytes = bytes
  }

  @inline(__always)
  mutating func offset(of index: Int) -> Int {
    guard bytes != nil else { return index }
    return walk(to: index)
  }

  private mutating func walk(to index: Int) -> Int {
    guard let bytes else { return index }
    if let base = bytes.baseAddress {
      // Skips eight ASCII characters at a time.
      let raw = UnsafeRawPointer(base)
      while character + 8 <= index, offset + 8 <= bytes.count,
        raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0,
        offset + 8 == bytes.count || base[offset + 8] & 0xC0 != 0x80
      {
        offset += 8
        character += 8
      }
    }
    while character < index, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      character += 1
    }
    while character > index, offset > 0 {
      offset -= 1
      while offset > 0, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      character -= 1
    }
    return offset
  }
}
