import Diagnostics

/// A reader for binary property lists (`bplist00`), which contain objects that refer to each other by number, and a
/// table of the objects' offsets.
///
/// Every width, count, offset, and reference is validated before use. The location of a node is the byte offset of its
/// object. A second reference to a container becomes an alias. A container that contains itself causes an error.
struct BinaryPropertyListReader {
  /// The size of a container that was read completely.
  struct ReadContainer {
    var index: Int
    /// The number of nodes, with shared objects expanded.
    var nodes: Int
    var height: Int
  }

  /// The state of each object: not read as a container, open, or the index of the object's `ReadContainer` plus 2.
  private static let unread: UInt32 = 0
  private static let open: UInt32 = 1

  struct OpenContainer {
    var object: Int
    var isMapping: Bool
    var count: Int
    /// The offset of the container's references.
    var references: Int
    var position = 0
    var end: Int
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var builder: TreeBuilder
  var referenceWidth = 0
  var offsetWidth = 0
  var offsetTable = 0
  var objectCount = 0
  var topObject = 0
  var states: [UInt32] = []
  var readContainers: [ReadContainer] = []
  var stack: [OpenContainer] = []
  var aliasNodes = 0
  var isStopped = false

  static func read(_ bytes: [UInt8], named name: String, limits: ReadingLimits) -> ReadResult {
    let source = SourceText(name: name, bytes: bytes, isBinary: true)
    return source.bytes.withUnsafeBufferPointer { bytes in
      var reader = Self(bytes: bytes, builder: TreeBuilder(source: source, limits: limits))
      if reader.readTrailer() {
        reader.builder.records.reserveCapacity(reader.objectCount + reader.objectCount / 2 + 16)
        reader.states = Array(repeating: unread, count: reader.objectCount)
        reader.readObjects()
      }
      return reader.builder.finish(.binaryPropertyList)
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, builder: consuming TreeBuilder) {
    self.bytes = bytes
    self.builder = builder
  }

  mutating func report(_ message: String, help: String? = nil, at offset: Int) {
    builder.report(
      rule: "plist-syntax", message,
      help: help ?? "create the file again or restore a backup: it is damaged", at: .at(offset))
    if builder.isFull { isStopped = true }
  }

  // MARK: Header and trailer

  private mutating func readTrailer() -> Bool {
    let magic = String(decoding: bytes.prefix(8), as: UTF8.self)
    guard magic == "bplist00" || magic == "bplist01" else {
      report(
        bytes.count < 8
          ? "file shorter than eight bytes"
          : "unsupported binary property list format `\(magic)`",
        help: "convert it with `plutil -convert xml1`", at: 0)
      return false
    }
    guard bytes.count >= 8 + 1 + 32 else {
      report("truncated binary property list without a trailer", at: bytes.count)
      return false
    }
    let trailer = bytes.count - 32
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
      let count = number(at: trailer + 8, width: 8), let top = number(at: trailer + 16, width: 8),
      let table = number(at: trailer + 24, width: 8)
    else {
      report("damaged trailer, or truncated file", at: trailer)
      return false
    }
    guard table >= 9, table <= trailer, count > 0, count <= (trailer - table) / offsetWidth, top < count else {
      report("trailer with an offset outside the file, or truncated file", at: trailer + 8)
      return false
    }
    (objectCount, topObject, offsetTable) = (count, top, table)
    return true
  }

  /// Returns a big-endian number of up to eight bytes, or nil if it extends beyond the end of the file or exceeds the
  /// range of `Int`.
  func number(at offset: Int, width: Int) -> Int? {
    guard offset >= 0, width <= bytes.count, offset <= bytes.count - width else { return nil }
    var value: UInt64 = 0
    for index in offset..<offset + width { value = value << 8 | UInt64(bytes[index]) }
    return Int(exactly: value)
  }

  // MARK: Objects

  private mutating func readObjects() {
    readObject(topObject, isKey: false)
    while !isStopped, let container = stack.last {
      let total = container.isMapping ? container.count * 2 : container.count
      guard container.position < total else {
        stack.removeLast()
        if let closed = builder.close(end: container.end) {
          states[container.object] = UInt32(readContainers.count) + 2
          readContainers.append(
            ReadContainer(index: closed.index, nodes: closed.nodes + 1, height: closed.height))
        }
        continue
      }
      stack[stack.count - 1].position += 1
      // A dictionary stores all keys before all values.
      let isKey = container.isMapping && container.position.isMultiple(of: 2)
      let slot =
        container.isMapping
        ? container.position / 2 + (isKey ? 0 : container.count) : container.position
      let place = container.references + slot * referenceWidth
      if let object = number(at: place, width: referenceWidth), object < objectCount {
        readObject(object, isKey: isKey)
      } else {
        report("reference to an object that does not exist", at: place)
        builder.scalar(NodeRecord(isKey ? .string : .null, start: place, end: place + referenceWidth))
      }
    }
  }

  private mutating func readObject(_ object: Int, isKey: Bool) {
    guard let offset = number(at: offsetTable + object * offsetWidth, width: offsetWidth), offset >= 8,
      offset < offsetTable
    else {
      let place = offsetTable + object * offsetWidth
      report("offset of object \(object) is outside the file", at: place)
      return builder.scalar(NodeRecord(isKey ? .string : .null, start: place, end: place))
    }
    let marker = bytes[offset]
    if isKey, marker >> 4 != 5, marker >> 4 != 6, marker >> 4 != 7 {
      report("dictionary key is not a string", at: offset)
      return builder.scalar(NodeRecord(.string, start: offset, end: offset + 1))
    }
    switch marker >> 4 {
    case 0xA, 0xB, 0xC, 0xD: readContainer(object, offset)
    default:
      if !readScalar(marker, offset) {
        builder.scalar(NodeRecord(isKey ? .string : .null, start: offset, end: offset + 1))
      }
    }
  }

  private mutating func readContainer(_ object: Int, _ offset: Int) {
    let span = SourceSpan(start: offset, end: offset + 1)
    let state = states[object]
    if state == Self.open {
      builder.report(
        rule: "alias-expansion", "container at offset \(offset) contains itself",
        help: "create the file again", at: span)
      return builder.scalar(NodeRecord(.null, start: span.start, end: span.end))
    }
    if state != Self.unread { return repeatContainer(readContainers[Int(state) - 2], span) }
    let isMapping = bytes[offset] >> 4 == 0xD
    let perEntry = isMapping ? 2 * referenceWidth : referenceWidth
    guard let (count, start) = countAndStart(offset), count <= (offsetTable - start) / perEntry else {
      report("container extends beyond the end of the file", at: offset)
      return builder.scalar(NodeRecord(.null, start: span.start, end: span.end))
    }
    guard builder.open(isMapping ? .mapping : .array, at: offset) else {
      isStopped = true
      return
    }
    states[object] = Self.open
    stack.append(
      OpenContainer(
        object: object, isMapping: isMapping, count: count, references: start, end: start + count * perEntry))
  }

  private mutating func repeatContainer(_ content: ReadContainer, _ span: SourceSpan) {
    aliasNodes += content.nodes
    guard aliasNodes <= builder.limits.expandedNodes else {
      builder.report(
        rule: "alias-expansion",
        "shared objects expand to more than \(builder.limits.expandedNodes) nodes",
        help: "check where the file came from", at: span)
      isStopped = true
      return
    }
    guard builder.frames.count + content.height <= builder.limits.depth else {
      builder.tooDeep(at: span)
      isStopped = true
      return
    }
    builder.alias(to: content.index, nodes: content.nodes, height: content.height, span: span)
  }

  /// Returns the count of an object and the offset of its content. The count is the low half of the marker, or an
  /// integer object after the marker.
  func countAndStart(_ offset: Int) -> (count: Int, start: Int)? {
    let low = Int(bytes[offset] & 0x0F)
    guard low == 0x0F else { return (low, offset + 1) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 0x0F <= 3 else { return nil }
    let width = 1 << Int(bytes[offset + 1] & 0x0F)
    guard let count = number(at: offset + 2, width: width) else { return nil }
    return offset + 2 + width <= offsetTable ? (count, offset + 2 + width) : nil
  }
}
