import Reports

/// Decodes a QR code at level L in versions 1 to 6, without error correction. The decoder's tables are independent of
/// the encoder.
enum QRDecoder {
  /// The number of error correction codewords in each block and the number of blocks, by version (ISO/IEC 18004, table
  /// 9).
  private static let blocks = [1: (7, 1), 2: (10, 1), 3: (15, 1), 4: (20, 1), 5: (26, 1), 6: (18, 2)]
  /// The fifteen format bits for level L and masks 0 to 7 (annex C).
  private static let formats = [
    "111011111000100", "111001011110011", "111110110101010", "111100010011101", "110011000101111", "110001100011000",
    "110110001000001", "110100101110110",
  ]

  /// Returns nil if any part is invalid.
  static func text(of code: QRCode, flipping flipped: (Int, Int)? = nil) -> String? {
    let size = code.size
    func dark(_ row: Int, _ column: Int) -> Bool {
      code[row, column] != (flipped.map { $0 == (row, column) } ?? false)
    }
    let version = (size - 17) / 4
    let firstCopy = [0, 1, 2, 3, 4, 5, 7, 8].map { (8, $0) } + [7, 5, 4, 3, 2, 1, 0].map { ($0, 8) }
    let secondCopy = (0..<7).map { (size - 1 - $0, 8) } + (0..<8).map { (8, size - 8 + $0) }
    func bits(_ positions: [(Int, Int)]) -> String { positions.map { dark($0.0, $0.1) ? "1" : "0" }.joined() }
    guard bits(firstCopy) == bits(secondCopy), let mask = formats.firstIndex(of: bits(firstCopy)), dark(size - 8, 8)
    else {
      return nil
    }
    var stream: [Bool] = []
    var columns = Array((0..<size).reversed().filter { $0 != 6 })
    var isUpward = true
    while columns.count >= 2 {
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in columns.prefix(2) where !isFunction(row, column, size, version) {
          stream.append(dark(row, column) != isMasked(mask, row, column))
        }
      }
      columns.removeFirst(2)
      isUpward.toggle()
    }
    let codewords = (0..<stream.count / 8).map { index in
      stream[index * 8..<index * 8 + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    guard let (correction, count) = blocks[version] else { return nil }
    var data: [UInt8] = []
    for block in 0..<count {
      let codewordsOfBlock = stride(from: block, to: codewords.count, by: count).map { codewords[$0] }
      // A valid codeword polynomial has all roots of the generator polynomial.
      guard (0..<correction).allSatisfy({ syndrome(codewordsOfBlock, $0) == 0 }) else { return nil }
      data += codewordsOfBlock.dropLast(correction)
    }
    guard data[0] >> 4 == 0b0100 else { return nil }
    let length = Int(data[0] & 15) << 4 | Int(data[1] >> 4)
    let bytes = (0..<length).map { data[$0 + 1] << 4 | data[$0 + 2] >> 4 }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isFunction(_ row: Int, _ column: Int, _ size: Int, _ version: Int) -> Bool {
    if row == 6 || column == 6 { return true }
    if row < 9 && (column < 9 || column >= size - 8) || row >= size - 8 && column < 9 { return true }
    let center = size - 7
    return version > 1 && abs(row - center) <= 2 && abs(column - center) <= 2
  }

  private static func isMasked(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    let sum = row + column
    let product = row * column
    let remainders = [
      sum % 2, row % 2, column % 3, sum % 3, (row / 2 + column / 3) % 2, product % 2 + product % 3,
      (product % 2 + product % 3) % 2, (sum % 2 + product % 3) % 2,
    ]
    return remainders[mask] == 0
  }

  /// Evaluates the codeword polynomial at a power of two. The calculation uses logarithms modulo 0x11D.
  private static func syndrome(_ codewords: [UInt8], _ power: Int) -> Int {
    var value = 0
    for codeword in codewords {
      if value != 0 { value = exponentials[(logarithms[value, default: 0] + power) % 255] }
      value ^= Int(codeword)
    }
    return value
  }

  private static let exponentials: [Int] = (0..<254).reduce(into: [1]) { powers, _ in
    let next = powers[powers.count - 1] * 2
    powers.append(next > 255 ? next ^ 0x11D : next)
  }
  private static let logarithms = Dictionary(uniqueKeysWithValues: exponentials.enumerated().map { ($1, $0) })
}
