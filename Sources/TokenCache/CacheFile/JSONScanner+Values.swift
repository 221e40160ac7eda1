import Documents
import OrderedCollections

extension JSONScanner {
  /// Scans and decodes a value.
  mutating func json(depth: Int = 0) throws(SyntaxError) -> JSON {
    switch byte {
    case UInt8(ascii: "\""): return .string(text(of: try string()))
    case UInt8(ascii: "{"):
      try checkDepth(depth)
      var members: OrderedDictionary<String, JSON> = [:]
      try self.members { (scanner, name) throws(SyntaxError) in
        members[scanner.text(of: name)] = try scanner.json(depth: depth + 1)
      }
      return .object(members)
    case UInt8(ascii: "["):
      try checkDepth(depth)
      var elements: [JSON] = []
      try self.elements { (scanner) throws(SyntaxError) in elements.append(try scanner.json(depth: depth + 1)) }
      return .array(elements)
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default:
      let (slice, isInteger) = try number()
      let digits = text(of: slice)
      if isInteger, let integer = Int64(digits) { return .integer(integer) }
      return JSON(number: Double(digits) ?? .infinity)
    }
  }

  /// Decodes the escapes in a string.
  func text(of slice: Slice) -> String {
    let bytes = UnsafeBufferPointer(rebasing: text[slice.range])
    return slice.hasEscapes
      ? String(decoding: JSONEscapes.decode(bytes), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
  }
}
