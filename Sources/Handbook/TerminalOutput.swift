/// Decoding of text from terminals and Windows tools.
enum TerminalOutput {
  /// Decodes bytes as UTF-16 if they start with a byte order mark, as in files that PowerShell writes. Otherwise,
  /// decodes them as UTF-8.
  static func text(of bytes: [UInt8]) -> String {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return String(decoding: bytes, as: UTF8.self) }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Removes ECMA-48 control sequences, such as colors, titles, and links. These sequences can occur inside words.
  static func withoutSequences(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x1B) || bytes.contains(0xC2) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard let (kind, body) = introducer(bytes, index) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      switch kind {
      case UInt8(ascii: "["): index = controlSequenceEnd(bytes, body)
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
        index = stringEnd(bytes, body)
      default: index = shortSequenceEnd(bytes, body - 1)
      }
    }
    return result
  }

  /// Returns the type of the control sequence at an offset and the start of the sequence's body. The type is the byte
  /// after ESC. In UTF-8, introducers without ESC take two bytes.
  private static func introducer(_ bytes: [UInt8], _ index: Int) -> (kind: UInt8, body: Int)? {
    guard index + 1 < bytes.count else { return bytes[index] == 0x1B ? (0, index + 2) : nil }
    switch (bytes[index], bytes[index + 1]) {
    case (0x1B, let kind): return (kind, index + 2)
    case (0xC2, 0x9B): return (UInt8(ascii: "["), index + 2)
    case (0xC2, 0x9D): return (UInt8(ascii: "]"), index + 2)
    default: return nil
    }
  }

  /// Returns the end of a control sequence, which consists of parameters, intermediate bytes, and a final byte. Any
  /// other byte ends the sequence and is treated as text.
  private static func controlSequenceEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count, (0x20...0x3F).contains(bytes[index]) { index += 1 }
    return index < bytes.count && (0x40...0x7E).contains(bytes[index]) ? index + 1 : index
  }

  /// Returns the end of a control string, which BEL or ST terminates. An unterminated control string ends at
  /// the end of the line.
  private static func stringEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch bytes[index] {
      case 0x07: return index + 1
      case 0x1B: return next == UInt8(ascii: "\\") ? index + 2 : index
      case 0xC2 where next == 0x9C: return index + 2
      case 0x0A, 0x0D: return index
      default: index += 1
      }
    }
    return index
  }

  private static func shortSequenceEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count, (0x20...0x2F).contains(bytes[index]) { index += 1 }
    return index < bytes.count && (0x30...0x7E).contains(bytes[index]) ? index + 1 : min(index, bytes.count)
  }
}
