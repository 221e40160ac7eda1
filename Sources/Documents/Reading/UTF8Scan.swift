/// A scan that validates UTF-8 in one pass and collects other properties that readers use.
struct UTF8Scan {
  var isASCII = true
  var firstNUL: Int?
  /// The offsets of bytes that do not start a well-formed sequence (Unicode 15, table 3-7). At most `limit` offsets are
  /// collected.
  var invalid: [Int] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int = 20) {
    guard let base = bytes.baseAddress else { return }
    let count = bytes.count
    let raw = UnsafeRawPointer(base)
    var index = 0
    while index < count {
      // Skips eight ASCII bytes at a time, unless one of them is zero.
      if index + 8 <= count {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let hasZero = (word &- 0x0101_0101_0101_0101) & ~word
        if (word | hasZero) & 0x8080_8080_8080_8080 == 0 {
          index += 8
          continue
        }
      }
      let byte = base[index]
      if byte < 0x80 {
        if byte == 0, firstNUL == nil { firstNUL = index }
        index += 1
        continue
      }
      isASCII = false
      let length = Self.sequenceLength(base + index, available: count - index)
      if length == 0 {
        invalid.append(index)
        if invalid.count >= limit { return }
        index += 1
      } else {
        index += length
      }
    }
  }

  /// Returns the length of the well-formed sequence that starts here, or 0 if there is none.
  @inline(__always)
  static func sequenceLength(_ at: UnsafePointer<UInt8>, available: Int) -> Int {
    func follows(_ offset: Int, _ low: UInt8 = 0x80, _ high: UInt8 = 0xBF) -> Bool {
      offset < available && at[offset] >= low && at[offset] <= high
    }
    switch at[0] {
    case 0..<0x80: return 1
    case 0xC2...0xDF: return follows(1) ? 2 : 0
    case 0xE0: return follows(1, 0xA0) && follows(2) ? 3 : 0
    case 0xED: return follows(1, 0x80, 0x9F) && follows(2) ? 3 : 0
    case 0xE1...0xEF: return follows(1) && follows(2) ? 3 : 0
    case 0xF0: return follows(1, 0x90) && follows(2) && follows(3) ? 4 : 0
    case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : 0
    case 0xF4: return follows(1, 0x80, 0x8F) && follows(2) && follows(3) ? 4 : 0
    default: return 0
    }
  }
}
