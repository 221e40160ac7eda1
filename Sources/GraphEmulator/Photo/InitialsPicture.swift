/// A generated profile photo that shows the user's initials. The user's id determines the background color.
package enum InitialsPicture {
  /// The widths in pixels of the square photos that Graph provides.
  static let sizes = [48, 64, 96, 120, 240, 360, 432, 504, 648]

  /// Returns a square JPEG image with the initials of the name.
  package static func jpeg(name: String, id: String, size: Int) -> [UInt8] {
    let letters = initials(of: name).map { glyphs[$0] ?? unknown }
    let background = colors[Int(Fingerprint.of(id) % UInt64(colors.count))]
    // Each letter is five columns wide, and one column separates two letters. The text fills about half of the width.
    let columns = letters.count * 6 - 1
    let scale = max(1, size / 2 / max(columns, 7))
    let left = (size - columns * scale) / 2
    let top = (size - 7 * scale) / 2
    let ink = (left..<left + columns * scale, top..<top + 7 * scale)
    func isOutside(_ x: Int, _ y: Int) -> Bool {
      x + 8 <= ink.0.lowerBound || x >= ink.0.upperBound || y + 8 <= ink.1.lowerBound || y >= ink.1.upperBound
    }
    return JPEGEncoder.encode(width: size, height: size, flat: { isOutside($0, $1) ? background : nil }) { x, y in
      guard x >= left, y >= top else { return background }
      let (column, row) = ((x - left) / scale, (y - top) / scale)
      guard column < columns, row < 7, column % 6 < 5 else { return background }
      let isInk = letters[column / 6][row] >> UInt8(4 - column % 6) & 1 == 1
      return isInk ? (255, 255, 255) : background
    }
  }

  /// Returns the first letters of the first and last words in the name, without diacritics.
  private static func initials(of name: String) -> [Character] {
    let words = name.split { !$0.isLetter && !$0.isNumber }
    let outerWords = words.count > 1 ? [words.first, words.last] : [words.first]
    let letters = outerWords.compactMap { $0?.first?.uppercased().first }
    return letters.isEmpty ? ["?"] : letters.map { plain[$0] ?? $0 }
  }

  private static let plain: [Character: Character] = {
    let accented: [(Character, String)] = [
      ("A", "ÀÁÂÃÄÅĀĂĄ"), ("C", "ÇĆČ"), ("D", "ĎĐ"), ("E", "ÈÉÊËĒĘĚ"), ("I", "ÌÍÎÏĪİ"), ("L", "ŁĹĽ"), ("N", "ÑŃŇ"),
      ("O", "ÒÓÔÕÖØŌŐ"), ("R", "ŔŘ"), ("S", "ŚŠŞ"), ("T", "ŤŢ"), ("U", "ÙÚÛÜŪŮŰ"), ("Y", "ÝŸ"), ("Z", "ŹŻŽ"),
    ]
    return Dictionary(
      accented.flatMap { letter, variants in variants.map { ($0, letter) } }, uniquingKeysWith: { first, _ in first })
  }()

  private static let colors: [JPEGEncoder.Color] = [
    (0x10, 0x6E, 0xBE), (0x03, 0x83, 0x87), (0x49, 0x82, 0x05), (0xCA, 0x50, 0x10), (0x87, 0x64, 0xB8),
    (0xC2, 0x39, 0xB3),
    (0x69, 0x79, 0x7E), (0xA4, 0x26, 0x2C),
  ]

  private static let unknown: [UInt8] = [0b01110, 0b10001, 0b00001, 0b00110, 0b00100, 0b00000, 0b00100]

  /// The letter shapes, as seven rows of five bits each.
  private static let glyphs: [Character: [UInt8]] = [
    "A": [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    "B": [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
    "C": [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110],
    "D": [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
    "E": [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
    "F": [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
    "G": [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111],
    "H": [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    "I": [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "J": [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100],
    "K": [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
    "L": [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
    "M": [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
    "N": [0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001],
    "O": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    "P": [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
    "Q": [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101],
    "R": [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
    "S": [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
    "T": [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
    "U": [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    "V": [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100],
    "W": [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001],
    "X": [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001],
    "Y": [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100],
    "Z": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111],
  ]
}
