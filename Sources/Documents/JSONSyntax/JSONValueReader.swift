import OrderedCollections

/// Reads JSON text straight into a value, without a tree in between: a sign-in reads a score of small documents.
///
/// It reads what programs write. At anything else, be it a mistake or a number that takes thought, it gives up, and
/// `JSONReader` reads the text with all its care and words.
struct JSONValueReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Deeper documents are read without recursion.
  private static let deepest = 64

  /// The value of UTF-8 text; nil where it has to be read with care.
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

  /// Whether the next byte that is no blank is this one; it is read then.
  private mutating func takes(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
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

  // A bare `nil` beside a value would be JSON's null, so what gives up says so in a guard.

  private mutating func object(depth: Int) -> JSON? {
    guard depth <= Self.deepest else { return nil }
    position += 1
    var members: JSON.Members = [:]
    if takes(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard byte == UInt8(ascii: "\""), let name = string(), takes(UInt8(ascii: ":")), let value = value(depth: depth)
      else { return nil }
      members[name] = value
    } while takes(UInt8(ascii: ","))
    guard takes(UInt8(ascii: "}")) else { return nil }
    return .object(members)
  }

  private mutating func array(depth: Int) -> JSON? {
    guard depth <= Self.deepest else { return nil }
    position += 1
    var elements: [JSON] = []
    if takes(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      guard let element = value(depth: depth) else { return nil }
      elements.append(element)
    } while takes(UInt8(ascii: ","))
    guard takes(UInt8(ascii: "]")) else { return nil }
    return .array(elements)
  }

  /// A text without escapes; they are rare.
  private mutating func string() -> String? {
    let start = position + 1
    var end = start
    // A plain loop: in a debug build, where nothing is specialized, `firstIndex` is many times slower.
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"), bytes[end] >= 0x20 {
      end += 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    position = end + 1
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// A whole number that surely fits; others are rare.
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
