/// A decoder that detects the encoding of a stream: UTF-8, UTF-16 with a byte order mark, or UTF-16 without a byte
/// order mark if nearly every second byte is zero.
struct InputDecoder {
  private enum Encoding { case undetermined, utf8, littleEndian, bigEndian }

  private var encoding = Encoding.undetermined
  private var rest: [UInt8] = []
  /// Whether the input is not text.
  private(set) var isBinary = false

  /// The number of bytes needed to determine the encoding. The first call must pass at least this many bytes unless the
  /// whole input is shorter.
  static let detectedSize = 4096

  private static let signatures: [[UInt8]] = [
    [0x50, 0x4B, 0x03, 0x04], [0x89, 0x50, 0x4E, 0x47], Array("%PDF".utf8), [0xFF, 0xD8, 0xFF],
    [0x7F, 0x45, 0x4C, 0x46],
    Array("bplist".utf8), [0x1F, 0x8B],
  ]

  /// Converts the next bytes of the input to UTF-8.
  mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
    if encoding == .undetermined { detect(bytes) }
    guard encoding != .utf8 else { return bytes }
    rest += bytes
    var text: [UInt8] = []
    text.reserveCapacity(rest.count / 2)
    var units: [UInt16] = []
    var index = 0
    while index + 1 < rest.count {
      let (first, second) = (UInt16(rest[index]), UInt16(rest[index + 1]))
      units.append(encoding == .littleEndian ? second << 8 | first : first << 8 | second)
      index += 2
    }
    // Half of a surrogate pair remains for the next call.
    var kept = 0
    if let last = units.last, UTF16.isLeadSurrogate(last) {
      units.removeLast()
      kept = 2
    }
    if units.first == 0xFEFF { units.removeFirst() }
    text += Array(String(decoding: units, as: UTF16.self).utf8)
    rest = Array(rest[(index - kept)...])
    return text
  }

  private mutating func detect(_ bytes: [UInt8]) {
    let start = bytes.prefix(Self.detectedSize)
    let zerosAtOdd = start.indices.filter { $0 % 2 == 1 && start[$0] == 0 }.count
    let zerosAtEven = start.indices.filter { $0 % 2 == 0 && start[$0] == 0 }.count
    if start.starts(with: [0xFF, 0xFE]) || zerosAtOdd * 3 > start.count {
      encoding = .littleEndian
    } else if start.starts(with: [0xFE, 0xFF]) || zerosAtEven * 3 > start.count {
      encoding = .bigEndian
    } else {
      encoding = .utf8
      isBinary = start.contains(0) || Self.signatures.contains { start.starts(with: $0) }
    }
  }
}
