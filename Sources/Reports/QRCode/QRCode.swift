/// A QR code (ISO/IEC 18004) for a URL that the user opens on another device.
///
/// The code uses byte mode, error correction level L, and versions 1 to 6. It can contain up to 134 bytes of UTF-8,
/// which is enough for any verification URL.
package struct QRCode: Sendable {
  /// The number of modules on each side, excluding the quiet zone.
  package let size: Int
  private var modules: [Bool]
  /// Whether a module is part of a finder, timing, alignment, or format pattern.
  private var isFixed: [Bool]

  /// Creates a QR code for the text, or returns nil if the text is too long.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let version = QRVersion.all.first(where: { bytes.count <= $0.capacity }) else { return nil }
    size = version.size
    modules = Array(repeating: false, count: size * size)
    isFixed = modules
    drawFinders()
    drawTiming()
    if let center = version.alignment { drawAlignment(center) }
    drawFormat(mask: 0)
    place(version.codewords(of: bytes))
    applyBestMask()
  }

  /// Returns whether a module is dark. All modules in the quiet zone are light.
  package subscript(row: Int, column: Int) -> Bool {
    0..<size ~= row && 0..<size ~= column && modules[row * size + column]
  }

  // MARK: Fixed patterns, §6.3

  private mutating func fix(_ row: Int, _ column: Int, _ dark: Bool) {
    guard 0..<size ~= row, 0..<size ~= column else { return }
    modules[row * size + column] = dark
    isFixed[row * size + column] = true
  }

  private mutating func drawFinders() {
    for (top, left) in [(0, 0), (0, size - 7), (size - 7, 0)] {
      for row in -1...7 {
        for column in -1...7 {
          let distance = max(abs(row - 3), abs(column - 3))
          fix(top + row, left + column, distance != 2 && distance != 4)
        }
      }
    }
  }

  private mutating func drawTiming() {
    for index in 8..<(size - 8) {
      fix(6, index, index.isMultiple(of: 2))
      fix(index, 6, index.isMultiple(of: 2))
    }
  }

  private mutating func drawAlignment(_ center: Int) {
    for row in -2...2 {
      for column in -2...2 { fix(center + row, center + column, max(abs(row), abs(column)) != 1) }
    }
  }

  /// Draws the level and the mask twice, with error correction (§7.9).
  private mutating func drawFormat(mask: Int) {
    let level = 0b01
    let data = level << 3 | mask
    var rest = data
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (data << 10 | rest) ^ 0x5412
    func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    for index in 0...5 { fix(index, 8, bit(index)) }
    fix(7, 8, bit(6))
    fix(8, 8, bit(7))
    fix(8, 7, bit(8))
    for index in 9..<15 { fix(8, 14 - index, bit(index)) }
    for index in 0..<8 { fix(8, size - 1 - index, bit(index)) }
    for index in 8..<15 { fix(size - 15 + index, 8, bit(index)) }
    fix(size - 8, 8, true)
  }

  // MARK: Data, §7.7

  /// Places the codewords. The method fills two columns at a time from the right, alternating upward and downward.
  private mutating func place(_ codewords: [UInt8]) {
    var index = 0
    var right = size - 1
    var isUpward = true
    while right > 0 {
      if right == 6 { right -= 1 }
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] {
          if index < codewords.count * 8 {
            modules[row * size + column] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
          }
          index += 1
        }
      }
      isUpward.toggle()
      right -= 2
    }
  }

  // MARK: Masks, §7.8

  private mutating func applyBestMask() {
    var best = self
    var lowest = Int.max
    for mask in 0..<8 {
      var masked = self
      masked.apply(mask: mask)
      masked.drawFormat(mask: mask)
      let penalty = QRPenalty.of(masked)
      if penalty < lowest { (best, lowest) = (masked, penalty) }
    }
    self = best
  }

  private mutating func apply(mask: Int) {
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] {
        if Self.flips(mask, row, column) { modules[row * size + column].toggle() }
      }
    }
  }

  private static func flips(_ mask: Int, _ i: Int, _ j: Int) -> Bool {
    switch mask {
    case 0: (i + j) % 2 == 0
    case 1: i % 2 == 0
    case 2: j % 3 == 0
    case 3: (i + j) % 3 == 0
    case 4: (i / 2 + j / 3) % 2 == 0
    case 5: i * j % 2 + i * j % 3 == 0
    case 6: (i * j % 2 + i * j % 3) % 2 == 0
    default: ((i + j) % 2 + i * j % 3) % 2 == 0
    }
  }
}
