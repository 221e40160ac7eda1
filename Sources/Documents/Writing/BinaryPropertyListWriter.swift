import Diagnostics

/// A writer that encodes a tree as a binary property list. Equal scalars and shared containers are stored once.
struct BinaryPropertyListWriter {
  private enum Stored {
    case bytes([UInt8])
    case container(marker: UInt8, keys: [Int], values: [Int])
  }

  private var objects: [Stored] = []
  private var scalars: [[UInt8]: Int] = [:]
  /// The object numbers of stored containers, by node index.
  private var containers: [Int: Int] = [:]
  var errors: [Diagnostic] = []

  mutating func write(_ node: Node) -> [UInt8] {
    let top = store(node)
    let referenceWidth = Self.width(of: objects.count)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .bytes(let content): bytes.append(contentsOf: content)
      case .container(let marker, let keys, let values):
        bytes.append(contentsOf: Self.head(marker, count: values.count))
        for reference in keys + values { Self.append(reference, width: referenceWidth, to: &bytes) }
      }
    }
    let table = bytes.count
    let offsetWidth = Self.width(of: table)
    for offset in offsets { Self.append(offset, width: offsetWidth, to: &bytes) }
    bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)])
    for number in [objects.count, top, table] { Self.append(number, width: 8, to: &bytes) }
    return bytes
  }

  // MARK: Objects

  private mutating func store(_ node: Node) -> Int {
    switch node.kind {
    case .null:
      errors.append(
        DocumentWriter.error(node, DocumentWriter.nullMessage, help: "remove the key, or set a value"))
      return scalar([0x00])
    case .bool: return scalar([node.bool == true ? 0x09 : 0x08])
    case .integer:
      guard let number = node.exactInteger else {
        errors.append(
          DocumentWriter.error(
            node, "integer `\(node.scalarText ?? "")` is too large for a property list", help: "use a string"
          ))
        return scalar([0x10, 0])
      }
      return scalar(Self.integer(number))
    case .real: return scalar([0x23] + Self.bigEndian((node.number ?? .nan).bitPattern))
    case .date:
      return scalar([0x33] + Self.bigEndian((node.calendarTime.map(DateText.sinceReferenceDate) ?? 0).bitPattern))
    case .string: return string(node.string ?? "")
    case .data:
      let data = node.data ?? []
      return scalar(Self.head(0x40, count: data.count) + data)
    case .uid: return uid(node.uid ?? 0)
    case .array: return container(node, 0xA0)
    case .mapping:
      // JSON and YAML represent a UID as a mapping with a `CF$UID` key.
      if node.count == 1, let number = node["CF$UID"]?.integer, number >= 0 { return uid(UInt64(number)) }
      return container(node, 0xD0)
    }
  }

  private mutating func container(_ node: Node, _ marker: UInt8) -> Int {
    if let stored = containers[node.contentIndex] { return stored }
    let number = objects.count
    containers[node.contentIndex] = number
    objects.append(.bytes([]))
    var keys: [Int] = []
    var values: [Int] = []
    if marker == 0xD0 {
      let entries = node.distinctEntries
      keys = entries.map { string($0.key) }
      values = entries.map { store($0.value) }
    } else {
      values = node.elements.map { store($0) }
    }
    objects[number] = .container(marker: marker, keys: keys, values: values)
    return number
  }

  private mutating func scalar(_ bytes: [UInt8]) -> Int {
    if let stored = scalars[bytes] { return stored }
    scalars[bytes] = objects.count
    objects.append(.bytes(bytes))
    return objects.count - 1
  }

  private mutating func string(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return scalar(Self.head(0x50, count: text.utf8.count) + text.utf8) }
    let units = Array(text.utf16)
    return scalar(Self.head(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  private mutating func uid(_ value: UInt64) -> Int {
    let width = Self.width(of: Int(clamping: value))
    var bytes: [UInt8] = [0x80 | UInt8(width - 1)]
    bytes.append(contentsOf: Self.bigEndian(value).suffix(width))
    return scalar(bytes)
  }

  // MARK: Bytes

  /// Encodes an integer. Encodings of one, two, or four bytes are unsigned. Negative numbers take eight bytes, and
  /// larger numbers take sixteen.
  private static func integer(_ number: Int128) -> [UInt8] {
    switch number {
    case 0..<0x100: [0x10, UInt8(number)]
    case 0x100..<0x10000: [0x11] + bigEndian(UInt64(number)).suffix(2)
    case 0x10000..<0x1_0000_0000: [0x12] + bigEndian(UInt64(number)).suffix(4)
    case Int128(Int64.min)...Int128(Int64.max): [0x13] + bigEndian(UInt64(bitPattern: Int64(number)))
    default:
      [0x14] + bigEndian(UInt64(truncatingIfNeeded: number >> 64)) + bigEndian(UInt64(truncatingIfNeeded: number))
    }
  }

  private static func head(_ marker: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0F] + integer(Int128(count))
  }

  private static func width(of number: Int) -> Int {
    number < 0x100 ? 1 : number < 0x10000 ? 2 : number < 0x1_0000_0000 ? 4 : 8
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
  }

  private static func append(_ number: Int, width: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
