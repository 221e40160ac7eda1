/// A QR code size at error correction level L, and its codewords (ISO/IEC 18004 §7.4 to §7.6).
struct QRVersion: Sendable {
  let number: Int
  /// The number of data codewords in each block.
  let dataPerBlock: Int
  /// The number of error correction codewords in each block.
  let correctionPerBlock: Int
  let blocks: Int

  /// Versions 1 to 6. Later versions require version information, and no verification URL is long enough to need them.
  static let all = [
    QRVersion(number: 1, dataPerBlock: 19, correctionPerBlock: 7, blocks: 1),
    QRVersion(number: 2, dataPerBlock: 34, correctionPerBlock: 10, blocks: 1),
    QRVersion(number: 3, dataPerBlock: 55, correctionPerBlock: 15, blocks: 1),
    QRVersion(number: 4, dataPerBlock: 80, correctionPerBlock: 20, blocks: 1),
    QRVersion(number: 5, dataPerBlock: 108, correctionPerBlock: 26, blocks: 1),
    QRVersion(number: 6, dataPerBlock: 68, correctionPerBlock: 18, blocks: 2),
  ]

  var size: Int { 17 + 4 * number }

  /// The row and column of the alignment pattern that does not overlap a finder.
  var alignment: Int? { number == 1 ? nil : size - 7 }

  /// The capacity in bytes. The mode and the count take twelve bits.
  var capacity: Int { dataPerBlock * blocks - 2 }

  /// Returns the interleaved blocks with their error correction codewords.
  func codewords(of text: [UInt8]) -> [UInt8] {
    let data = dataCodewords(of: text)
    let parts = (0..<blocks).map { Array(data[$0 * dataPerBlock..<($0 + 1) * dataPerBlock]) }
    let corrections = parts.map { ReedSolomon.remainder(of: $0, count: correctionPerBlock) }
    return (0..<dataPerBlock).flatMap { index in parts.map { $0[index] } }
      + (0..<correctionPerBlock).flatMap { index in corrections.map { $0[index] } }
  }

  /// Returns the data codewords, which consist of the byte mode indicator (0100), an eight-bit count, the bytes, a
  /// terminator, and padding.
  private func dataCodewords(of text: [UInt8]) -> [UInt8] {
    // The mode takes four bits, so all bytes are shifted by four bits.
    var codewords = [0b0100 << 4 | UInt8(text.count >> 4)]
    var low = UInt8(text.count & 15)
    for byte in text {
      codewords.append(low << 4 | byte >> 4)
      low = byte & 15
    }
    codewords.append(low << 4)
    for index in 0..<max(0, dataPerBlock * blocks - codewords.count) {
      codewords.append(index.isMultiple(of: 2) ? 0xEC : 0x11)
    }
    return codewords
  }
}

/// Error correction over GF(256) with the polynomial 0x11D (ISO/IEC 18004 §7.5).
enum ReedSolomon {
  static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
    let generator = generator(degree: count)
    var remainder = [UInt8](repeating: 0, count: count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
    }
    return remainder
  }

  /// Returns the coefficients of (x − 2⁰)(x − 2¹)…, highest power first, without the leading 1.
  private static func generator(degree: Int) -> [UInt8] {
    var coefficients = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for index in 0..<degree {
        coefficients[index] = product(coefficients[index], root)
        if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
      }
      root = product(root, 2)
    }
    return coefficients
  }

  static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var sum: UInt16 = 0
    for bit in (0..<8).reversed() {
      sum = sum << 1 ^ (sum >> 7) * 0x11D
      if right >> bit & 1 == 1 { sum ^= UInt16(left) }
    }
    return UInt8(truncatingIfNeeded: sum)
  }
}
