/// A reader that decompresses gzip (RFC 1952) with deflate (RFC 1951). Passes the decompressed data on in chunks, so it
/// never has to fit into memory. Does not verify checksums, because even a damaged log is useful.
struct GzipReader {
  /// The data is not gzip, or it is damaged. All data before the damage has been passed on.
  struct Damage: Error {}

  private let input: [UInt8]
  private var position = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var window: [UInt8] = []

  private static let windowSize = 1 << 15
  private static let chunkSize = 1 << 18

  /// The first bytes of each gzip file: the magic number and the deflate method.
  static let signature: [UInt8] = [0x1F, 0x8B, 0x08]

  init(_ input: [UInt8]) { self.input = input }

  /// Passes decompressed data to `body` until the data ends or `body` returns false.
  mutating func read(_ body: ([UInt8]) -> Bool) throws(Damage) {
    repeat {
      try readHeader()
      guard try readBlocks(body) else { return }
      // The checksum and the size come next.
      bitCount = 0
      bits = 0
      position += 8
    } while position + 18 <= input.count && input[position] == 0x1F && input[position + 1] == 0x8B
  }

  private mutating func readHeader() throws(Damage) {
    guard position + 10 <= input.count, input[position + 2] == 8 else { throw Damage() }
    let flags = input[position + 3]
    position += 10
    if flags & 4 != 0 {
      guard position + 2 <= input.count else { throw Damage() }
      position += 2 + Int(input[position]) + Int(input[position + 1]) << 8
    }
    for flag in [UInt8(8), 16] where flags & flag != 0 {
      while position < input.count, input[position] != 0 { position += 1 }
      position += 1
    }
    if flags & 2 != 0 { position += 2 }
  }

  private mutating func readBlocks(_ body: ([UInt8]) -> Bool) throws(Damage) -> Bool {
    var passed = 0
    func pass(_ window: inout [UInt8], all: Bool) -> Bool {
      guard all || window.count >= Self.windowSize + Self.chunkSize else { return true }
      let chunk = Array(window[passed...])
      let keep = min(window.count, Self.windowSize)
      window.removeFirst(window.count - keep)
      passed = keep
      return chunk.isEmpty || body(chunk)
    }
    window.removeAll(keepingCapacity: true)
    var isLast = false
    repeat {
      do throws(Damage) {
        isLast = try take(1) == 1
        switch try take(2) {
        case 0: try copyStored()
        case 1: try inflate(.fixedLiterals, .fixedDistances) { pass(&$0, all: false) }
        case 2:
          let (literals, distances) = try readTables()
          try inflate(literals, distances) { pass(&$0, all: false) }
        default: throw Damage()
        }
      } catch {
        _ = pass(&window, all: true)
        throw error
      }
      guard pass(&window, all: isLast) else { return false }
    } while !isLast
    return true
  }

  // MARK: Blocks

  private mutating func copyStored() throws(Damage) {
    bits = 0
    bitCount = 0
    guard position + 4 <= input.count else { throw Damage() }
    let length = Int(input[position]) | Int(input[position + 1]) << 8
    position += 4
    guard position + length <= input.count else { throw Damage() }
    window += input[position..<(position + length)]
    position += length
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]

  private mutating func inflate(
    _ literals: HuffmanTable, _ distances: HuffmanTable, pass: (inout [UInt8]) -> Bool
  ) throws(Damage) {
    while true {
      let symbol = try decode(literals)
      if symbol < 256 {
        window.append(UInt8(symbol))
        if window.count & 0xFFFF == 0, !pass(&window) { return }
        continue
      }
      if symbol == 256 { return }
      guard symbol - 257 < Self.lengthBases.count else { throw Damage() }
      let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
      let code = try decode(distances)
      guard code < Self.distanceBases.count else { throw Damage() }
      let distance = Self.distanceBases[code] + (try take(Self.distanceBits[code]))
      guard distance <= window.count else { throw Damage() }
      for _ in 0..<length { window.append(window[window.count - distance]) }
      if !pass(&window) { return }
    }
  }

  private static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func readTables() throws(Damage) -> (HuffmanTable, HuffmanTable) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let codeCount = try take(4) + 4
    var codeLengths = [Int](repeating: 0, count: 19)
    for index in 0..<codeCount { codeLengths[Self.codeLengthOrder[index]] = try take(3) }
    let codes = HuffmanTable(codeLengths)
    var lengths: [Int] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try decode(codes)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw Damage() }
        lengths += [Int](repeating: last, count: 3 + (try take(2)))
      case 17: lengths += [Int](repeating: 0, count: 3 + (try take(3)))
      case 18: lengths += [Int](repeating: 0, count: 11 + (try take(7)))
      default: lengths.append(symbol)
      }
    }
    return (
      HuffmanTable(Array(lengths[..<literalCount])),
      HuffmanTable(Array(lengths[literalCount..<(literalCount + distanceCount)]))
    )
  }

  // MARK: Bits

  private mutating func take(_ count: Int) throws(Damage) -> Int {
    while bitCount < count {
      guard position < input.count else { throw Damage() }
      bits |= UInt32(input[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    let value = bits & ((1 << UInt32(count)) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func decode(_ table: HuffmanTable) throws(Damage) -> Int {
    var (code, first, index) = (0, 0, 0)
    for length in 1..<HuffmanTable.maximumLength {
      code |= try take(1)
      let count = table.counts[length]
      if code - first < count { return table.symbols[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw Damage()
  }
}

/// A canonical Huffman code (RFC 1951 §3.2.2).
struct HuffmanTable {
  /// One more than the length of the longest code.
  static let maximumLength = 16

  /// The number of codes of each length.
  private(set) var counts = [Int](repeating: 0, count: HuffmanTable.maximumLength)
  /// The symbols, sorted by code.
  private(set) var symbols: [Int] = []

  init(_ lengths: [Int]) {
    for length in lengths { counts[length] += 1 }
    counts[0] = 0
    symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
  }

  static let fixedLiterals = HuffmanTable(
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
      + [Int](repeating: 8, count: 8))
  static let fixedDistances = HuffmanTable([Int](repeating: 5, count: 30))
}
