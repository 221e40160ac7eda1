import Diagnostics
import OrderedCollections

extension JSON {
  /// Returns the value as JSON text. If `pretty` is true, the text is indented by two spaces per level and has no final
  /// line break.
  ///
  /// By default, names are sorted by their UTF-8 bytes. NaN and infinity are written as null.
  package func text(pretty: Bool = false, sortedKeys: Bool = true) -> String {
    String(decoding: utf8(pretty: pretty, sortedKeys: sortedKeys), as: UTF8.self)
  }

  /// Returns the JSON text as UTF-8.
  package func utf8(pretty: Bool = false, sortedKeys: Bool = true) -> [UInt8] {
    var text = JSONTextBuilder(pretty: pretty, sortedKeys: sortedKeys)
    text.add(self)
    return text.bytes
  }
}

extension Document {
  /// Returns a document whose source is the value's pretty-printed text, so that decoders for files accept values
  /// without a location.
  package static func of(_ json: JSON, name: String) -> Document {
    let source = SourceText(name: name, text: json.text(pretty: true, sortedKeys: false))
    var limits = ReadingLimits()
    limits.size = Int(UInt32.max) - 1
    limits.depth = 100_000
    return JSONReader.read(source, limits: limits, toleratesComments: false).document
      ?? Document(source: source, syntax: .json, records: [], pool: [])
  }
}

/// A builder of JSON text from values and nodes.
struct JSONTextBuilder {
  let pretty: Bool
  let sortedKeys: Bool
  var bytes: [UInt8] = []
  private var depth = 0

  init(pretty: Bool, sortedKeys: Bool) {
    self.pretty = pretty
    self.sortedKeys = sortedKeys
  }

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(_ value: JSON) {
    switch value {
    case .null: add("null")
    case .bool(let value): add(value ? "true" : "false")
    case .integer(let value): add(String(value))
    case .real(let value): add(value.isFinite ? "\(value)" : "null")
    case .string(let value): addString(value)
    case .array(let elements):
      container("[", "]", elements) { text, element in text.add(element) }
    case .object(let members):
      guard sortedKeys else {
        open("{")
        var isFirst = true
        for (name, value) in members {
          separate(isFirst: isFirst)
          addName(name)
          add(value)
          isFirst = false
        }
        close("}", isEmpty: members.isEmpty)
        return
      }
      container("{", "}", members.sorted { Self.precedes($0.key, $1.key) }) { text, member in
        text.addName(member.key)
        text.add(member.value)
      }
    }
  }

  /// Returns whether the left string precedes the right string in UTF-8 byte order, which is also code point order.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  mutating func addName(_ name: String) {
    addString(name)
    add(pretty ? ": " : ":")
  }

  mutating func container<Element>(
    _ open: String, _ close: String, _ elements: [Element], _ body: (inout Self, Element) -> Void
  ) {
    self.open(open)
    for (index, element) in elements.enumerated() {
      separate(isFirst: index == 0)
      body(&self, element)
    }
    self.close(close, isEmpty: elements.isEmpty)
  }

  mutating func open(_ bracket: String) {
    add(bracket)
    depth += 1
  }

  mutating func separate(isFirst: Bool) {
    if !isFirst { add(",") }
    lineBreak()
  }

  mutating func close(_ bracket: String, isEmpty: Bool) {
    depth -= 1
    if !isEmpty { lineBreak() }
    add(bracket)
  }

  private mutating func lineBreak() {
    guard pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { bytes.append(UInt8(ascii: " ")) }
  }

  /// For each byte, whether a string can contain it without an escape.
  private static let isPlain = (UInt8.min...UInt8.max).map { byte in
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  mutating func addString(_ text: String) {
    let isPlain = Self.isPlain
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // Most strings need no escapes, so they are copied as a whole.
      if utf8.allSatisfy({ isPlain[Int($0)] }) { return bytes.append(contentsOf: utf8) }
      for byte in utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        case 0x0A: add("\\n")
        case 0x0D: add("\\r")
        case 0x09: add("\\t")
        case 0x08: add("\\b")
        case 0x0C: add("\\f")
        case 0..<0x20, 0x7F:
          let digits = String(byte, radix: 16)
          add("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
