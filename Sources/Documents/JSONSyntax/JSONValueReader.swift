import OrderedCollections

/// A parser that converts JSON text directly into a value, without a tree. A sign-in requires parsing many small
/// documents.
///
/// This reader supports only the JSON that programs usually write. For anything else, such as escapes, fractions, or
/// errors, it returns nil. `JSONReader` then reads the text and reports the errors.
struct JSONValueReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// The maximum depth. `JSONReader` reads deeper documents, without recursion.
  private static let maximumDepth = 64

  /// Returns the value of UTF-8 text, or nil if `JSONReader` must read the text.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> JSON? {
    let scan = UTF8Scan(bytes, limit: 1)
    guard scan.invalid.isEmpty, scan.firstNUL == nil else { return nil }
    var reader = JSONValueReader(bytes)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipBlanks()
    guard reader.position == bytes.count else { return nil }
    return value
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Skips whitespace, then reads the next byte if it equals `expected`. Returns whether the byte was read.
  private mutating func skip(_ expected: UInt8) -> Bool {
    skipBlanks()
    guard byte == expected else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) -> JSON? {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "{"): return object(depth: depth + 1)
    case UInt8(ascii: "["): return array(depth: depth + 1)
    case UInt8(ascii: "t"): return word("true", .bool(true))
    case UInt8(ascii: "f"): return word("false", .bool(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return integer()
    }
  }

  // In a function that returns a value, `return nil` would mean JSON's null, so failures are handled in guard
  // statements.

  private mutating func object(depth: Int) -> JSON? {
    guard depth <= Self.maximumDepth else { return nil }
    position += 1
    var members: JSON.Members = [:]
    if skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard byte == UInt8(ascii: "\""), let name = string(), skip(UInt8(ascii: ":")), let value = value(depth: depth)
      else { return nil }
      members[name] = value
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { return nil }
    return .object(members)
  }

  private mutating func array(depth: Int) -> JSON? {
    guard depth <= Self.maximumDepth else { return nil }
    position += 1
    var elements: [JSON] = []
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      guard let element = value(depth: depth) else { return nil }
      elements.append(element)
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { return nil }
    return .array(elements)
  }

  /// Reads a string without escapes. Strings with escapes are rare.
  private mutating func string() -> String? {
    let start = position + 1
    var end = start
    // A plain loop is many times faster than `firstIndex` in a debug build.
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"), bytes[end] >= 0x20 {
      end += 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    position = end + 1
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// Reads an integer that fits into 64 bits. Other numbers are rare.
  private mutating func integer() -> JSON? {
    let start = position
    while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    let digits = bytes[start..<position]
    guard (1...18).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0"),
      byte != UInt8(ascii: "."), byte | 0x20 != UInt8(ascii: "e")
    else { return nil }
    return .integer(digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) })
  }

  private mutating func word(_ word: StaticString, _ value: JSON) -> JSON? {
    guard word.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { return nil }
    position += word.utf8CodeUnitCount
    return value
  }
}
