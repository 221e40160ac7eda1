/// Normalized text to search for phrases and facts, with the origin of each byte.
///
/// Letters are lowercase, runs of white space and line ends become one space, quotation marks are straight, and
/// JSON, URL, and HTML escapes are decoded. Terminal colors and repeated log line prefixes are removed.
struct NormalizedText: Sendable {
  /// The text before normalization.
  let raw: [UInt8]
  private(set) var bytes: [UInt8] = []
  /// The offset in `raw` at which each byte of `bytes` starts.
  private(set) var origins: [Int32] = []

  init(_ raw: [UInt8]) {
    self.raw = raw
    bytes.reserveCapacity(raw.count)
    origins.reserveCapacity(raw.count)
    var normalizer = Normalizer(raw)
    while let (byte, origin) = normalizer.next() {
      bytes.append(byte)
      origins.append(Int32(truncatingIfNeeded: origin))
    }
  }

  /// Returns the range in `raw` that a range in `bytes` comes from.
  func rawRange(_ range: Range<Int>) -> Range<Int> {
    guard !range.isEmpty, range.upperBound <= origins.count else { return 0..<0 }
    let start = Int(origins[range.lowerBound])
    let end = range.upperBound < origins.count ? Int(origins[range.upperBound]) : raw.count
    return start..<max(start, end)
  }

  /// Returns the text of a range, in its original case but with escapes decoded.
  func original(_ range: Range<Int>) -> String {
    var text: [UInt8] = []
    for index in range {
      let origin = raw[Int(origins[index])]
      text.append(
        origin | 0x20 == bytes[index] && origin != bytes[index] && isLetter(bytes[index]) ? origin : bytes[index])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether the text contains a tab at this position.
  func isTab(at index: Int) -> Bool { raw[Int(origins[index])] == UInt8(ascii: "\t") }

  private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

/// An iterator that normalizes a text byte by byte.
struct Normalizer {
  private let raw: [UInt8]
  private var index = 0
  private var lastWasSpace = true
  /// Whether the text is part of a URL's query, in which `+` represents a space.
  private var isInQuery = false
  private var previousLine = 0
  private var line = 0

  init(_ raw: [UInt8]) { self.raw = raw }

  /// Returns the next byte and the offset of its origin, or nil at the end.
  mutating func next() -> (byte: UInt8, origin: Int)? {
    while index < raw.count {
      let origin = index
      let byte = decodeNext()
      guard var byte else { continue }
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        if lastWasSpace { continue }
        lastWasSpace = true
        return (0x20, origin)
      }
      lastWasSpace = false
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { byte |= 0x20 }
      return (byte, origin)
    }
    return nil
  }

  /// Decodes the next byte and moves past it. Returns nil if the byte produces no output.
  private mutating func decodeNext() -> UInt8? {
    let byte = raw[index]
    switch byte {
    case 0x0A:
      index += 1
      isInQuery = false
      skipRepeatedPrefix()
      return 0x20
    case 0x1B: return skipEscapeSequence()
    case UInt8(ascii: "\\"): return decodeBackslash()
    case UInt8(ascii: "%"):
      if let high = hex(index + 1), let low = hex(index + 2), (0x09...0x7E).contains(high << 4 | low) {
        index += 3
        return high << 4 | low
      }
    case UInt8(ascii: "&"):
      if let (replacement, length) = reference() {
        index += length
        return replacement
      }
    case UInt8(ascii: "?"), UInt8(ascii: "#"): isInQuery = true
    case 0x20: isInQuery = false
    case UInt8(ascii: "+") where isInQuery:
      index += 1
      return 0x20
    case 0xC2, 0xC3, 0xE2:
      if let (replacement, length) = typography() {
        index += length
        return replacement
      }
    default: break
    }
    index += 1
    return byte
  }

  private mutating func skipEscapeSequence() -> UInt8? {
    index += 1
    guard index < raw.count, raw[index] == UInt8(ascii: "[") else { return nil }
    index += 1
    while index < raw.count, (0x20...0x3F).contains(raw[index]) { index += 1 }
    if index < raw.count, (0x40...0x7E).contains(raw[index]) { index += 1 }
    return nil
  }

  private mutating func decodeBackslash() -> UInt8? {
    guard index + 1 < raw.count else {
      index += 1
      return UInt8(ascii: "\\")
    }
    switch raw[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\\"):
      index += 1
      // The escaped byte may itself start an escape, as in `\\r\\n`.
      return raw[index] == UInt8(ascii: "\\") ? nil : decodePlain()
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 2
      return 0x20
    case UInt8(ascii: "u"):
      if let digits = number(at: index + 2, count: 4), (0x20...0x7E).contains(digits) {
        index += 6
        return UInt8(digits)
      }
      if let digits = number(at: index + 2, count: 4), (0x2018...0x201D).contains(digits) {
        index += 6
        return digits < 0x201C ? UInt8(ascii: "'") : UInt8(ascii: "\"")
      }
    default: break
    }
    index += 1
    return UInt8(ascii: "\\")
  }

  private mutating func decodePlain() -> UInt8 {
    let byte = raw[index]
    index += 1
    return byte
  }

  private static let references: [(name: StaticString, byte: UInt8)] = [
    ("&quot;", UInt8(ascii: "\"")), ("&#39;", UInt8(ascii: "'")), ("&#x27;", UInt8(ascii: "'")),
    ("&apos;", UInt8(ascii: "'")), ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")),
    ("&gt;", UInt8(ascii: ">")), ("&nbsp;", 0x20),
  ]

  private func reference() -> (byte: UInt8, length: Int)? {
    guard index + 3 < raw.count, raw[index + 1] != 0x20 else { return nil }
    for (name, byte) in Self.references where starts(name) { return (byte, name.utf8CodeUnitCount) }
    return nil
  }

  private func starts(_ word: StaticString) -> Bool {
    guard index + word.utf8CodeUnitCount <= raw.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount where raw[index + offset] | 0x20 != word.utf8Start[offset] | 0x20 {
      return false
    }
    return true
  }

  /// Returns the ASCII character for a typographic quotation mark, dash, or space at the current position. Also
  /// detects UTF-8 that was decoded as Windows-1252.
  private func typography() -> (byte: UInt8, length: Int)? {
    func has(_ bytes: [UInt8]) -> Bool { raw[index...].starts(with: bytes) }
    let (single, double) = (UInt8(ascii: "'"), UInt8(ascii: "\""))
    if has([0xC2, 0xA0]) { return (0x20, 2) }
    if has([0xE2, 0x80]), index + 2 < raw.count {
      switch raw[index + 2] {
      case 0x98, 0x99: return (single, 3)
      case 0x9C, 0x9D: return (double, 3)
      case 0x93, 0x94: return (UInt8(ascii: "-"), 3)
      default: return nil
      }
    }
    if has([0xE2, 0x88, 0x92]) { return (UInt8(ascii: "-"), 3) }
    guard has([0xC3, 0xA2, 0xE2, 0x82, 0xAC]), index + 6 < raw.count else { return nil }
    switch (raw[index + 5], raw[index + 6]) {
    case (0xE2, 0x84): return (single, 8)
    case (0xCB, 0x9C): return (single, 7)
    case (0xC5, 0x93), (0xC2, 0x9D): return (double, 7)
    default: return nil
    }
  }

  /// Skips the prefix of a line, such as `E/AndroidRuntime(12001): `, if the previous line has the same prefix.
  private mutating func skipRepeatedPrefix() {
    previousLine = line
    line = index
    guard index + 2 < raw.count, raw[index + 1] == UInt8(ascii: "/"), previousLine < index else { return }
    var end = index
    while end < raw.count, raw[end] != 0x0A, end - index < 80 {
      if raw[end] == UInt8(ascii: ":") { break }
      end += 1
    }
    guard end < raw.count, raw[end] == UInt8(ascii: ":"), raw[previousLine...].starts(with: raw[index...end]) else {
      return
    }
    index = end + 1
  }

  private func hex(_ position: Int) -> UInt8? {
    guard position < raw.count else { return nil }
    switch raw[position] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return raw[position] - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return raw[position] - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): return raw[position] - UInt8(ascii: "A") + 10
    default: return nil
    }
  }

  private func number(at position: Int, count: Int) -> Int? {
    var value = 0
    for offset in 0..<count {
      guard let digit = hex(position + offset) else { return nil }
      value = value << 4 | Int(digit)
    }
    return value
  }
}
