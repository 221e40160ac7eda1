/// An encoder for baseline JPEG (ITU-T T.81): Huffman coding, no subsampling, and the tables of annex K. The encoder is
/// optimized for pictures with few colors.
struct JPEGEncoder {
  private var output: [UInt8] = []
  private var bitBuffer: UInt32 = 0
  private var bitCount = 0

  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  /// - Parameters:
  ///   - pixel: A closure that returns the color of a pixel.
  ///   - flat: A closure that returns the color of the 8 × 8 block at a position if all pixels in the block have the
  ///     same color. Such blocks are fast to encode.
  static func encode(
    width: Int, height: Int, flat: (_ x: Int, _ y: Int) -> Color?, pixel: (_ x: Int, _ y: Int) -> Color
  ) -> [UInt8] {
    var encoder = JPEGEncoder()
    encoder.writeHeaders(width: width, height: height)
    var previous: [Int] = [0, 0, 0]
    for top in stride(from: 0, to: height, by: 8) {
      for left in stride(from: 0, to: width, by: 8) {
        if let color = flat(left, top) {
          let components = components(of: color)
          for plane in 0..<3 { previous[plane] = encoder.writeFlat(components[plane], after: previous[plane], plane) }
          continue
        }
        var planes = [[Float]](repeating: [Float](repeating: 0, count: 64), count: 3)
        for index in 0..<64 {
          // Blocks at an edge repeat the last row and column of the image.
          let components = components(of: pixel(min(left + index % 8, width - 1), min(top + index / 8, height - 1)))
          for plane in 0..<3 { planes[plane][index] = components[plane] }
        }
        for plane in 0..<3 {
          previous[plane] = encoder.writeBlock(planes[plane], after: previous[plane], tables(plane))
        }
      }
    }
    encoder.flush()
    encoder.output += [0xFF, 0xD9]
    return encoder.output
  }

  /// Returns the luminance and the two color differences as defined by JFIF, centered around zero.
  private static func components(of color: Color) -> [Float] {
    let (r, g, b) = (Float(color.red), Float(color.green), Float(color.blue))
    return [
      0.299 * r + 0.587 * g + 0.114 * b - 128, -0.168_736 * r - 0.331_264 * g + 0.5 * b,
      0.5 * r - 0.418_688 * g - 0.081_312 * b,
    ]
  }

  private static func tables(_ plane: Int) -> JPEGTables { plane == 0 ? .luminance : .chrominance }

  /// Writes a block with one color. The block's only nonzero coefficient is eight times the value.
  private mutating func writeFlat(_ value: Float, after previous: Int, _ plane: Int) -> Int {
    let tables = Self.tables(plane)
    let level = Int((value * 8 / Float(tables.quantization[0])).rounded())
    write(level - previous, run: 0, with: tables.dc)
    put(tables.ac.code(of: 0))
    return level
  }

  private mutating func writeHeaders(width: Int, height: Int) {
    output = [0xFF, 0xD8]
    segment(0xE0, Array("JFIF\u{0}".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    for (id, tables) in [JPEGTables.luminance, JPEGTables.chrominance].enumerated() {
      segment(0xDB, [UInt8(id)] + JPEGTables.zigzag.map { UInt8(tables.quantization[$0]) })
    }
    let components: [UInt8] = [1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]
    let size = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    segment(0xC0, [8] + size + [3] + components)
    for (id, tables) in [JPEGTables.luminance, JPEGTables.chrominance].enumerated() {
      segment(0xC4, [UInt8(id)] + tables.dc.counts + tables.dc.values)
      segment(0xC4, [0x10 | UInt8(id)] + tables.ac.counts + tables.ac.values)
    }
    segment(0xDA, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])
  }

  private mutating func segment(_ marker: UInt8, _ content: [UInt8]) {
    let length = content.count + 2
    output += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  private mutating func writeBlock(_ samples: [Float], after previous: Int, _ tables: JPEGTables) -> Int {
    let transformed = Self.transform(samples)
    let levels = JPEGTables.zigzag.map { index in
      Int((transformed[index] / Float(tables.quantization[index])).rounded())
    }
    write(levels[0] - previous, run: 0, with: tables.dc)
    var run = 0
    for level in levels.dropFirst() {
      if level == 0 {
        run += 1
        continue
      }
      while run > 15 {
        put(tables.ac.code(of: 0xF0))
        run -= 16
      }
      write(level, run: run, with: tables.ac)
      run = 0
    }
    if run > 0 { put(tables.ac.code(of: 0)) }
    return levels[0]
  }

  /// Writes the code for the run and the magnitude, followed by the bits of the magnitude (T.81, annex F.1.2).
  private mutating func write(_ level: Int, run: Int, with table: HuffmanTable) {
    let size = Int.bitWidth - abs(level).leadingZeroBitCount
    put(table.code(of: UInt8(run << 4 | size)))
    guard size > 0 else { return }
    put((UInt32((level < 0 ? level - 1 : level) & ((1 << size) - 1)), size))
  }

  private mutating func put(_ code: (bits: UInt32, length: Int)) {
    for position in stride(from: code.length - 1, through: 0, by: -1) {
      bitBuffer = bitBuffer << 1 | (code.bits >> UInt32(position) & 1)
      bitCount += 1
      if bitCount == 8 { emit() }
    }
  }

  private mutating func emit() {
    let byte = UInt8(truncatingIfNeeded: bitBuffer)
    output.append(byte)
    if byte == 0xFF { output.append(0) }
    bitBuffer = 0
    bitCount = 0
  }

  private mutating func flush() {
    while bitCount != 0 { put((1, 1)) }
  }

  /// Returns the discrete cosine transform of 8 × 8 samples. Transforms the rows first, and then the columns.
  private static func transform(_ samples: [Float]) -> [Float] {
    var rows = [Float](repeating: 0, count: 64)
    var result = rows
    for y in 0..<8 {
      for u in 0..<8 {
        var sum: Float = 0
        for x in 0..<8 { sum += samples[y * 8 + x] * JPEGTables.cosines[u * 8 + x] }
        rows[y * 8 + u] = sum
      }
    }
    for u in 0..<8 {
      for v in 0..<8 {
        var sum: Float = 0
        for y in 0..<8 { sum += rows[y * 8 + u] * JPEGTables.cosines[v * 8 + y] }
        result[v * 8 + u] = sum
      }
    }
    return result
  }
}
