/// A filter that removes everything except requests from an HTTP archive, without reading the archive into memory.
///
/// Responses make up most of an archive. In each entry, `null` replaces the value of every member except `request`.
/// Line breaks remain, so line numbers do not change. A compressed archive (gzip) is kept in memory until it is
/// complete.
package struct ArchiveReducer: Sendable {
  /// The part of the archive that is already reduced.
  package private(set) var bytes: [UInt8] = []
  /// Whether the requests alone exceed the limit.
  package private(set) var exceedsLimit = false

  /// Whether the input is an HTTP archive: an object with a `log` member.
  package private(set) var isArchive = false

  private let limit: Int
  private var input: CompressedInput
  /// The key of each open object, or nil for an array. The first element is the outermost.
  private var path: [[UInt8]?] = []
  private var key: [UInt8] = []
  private var isInString = false
  private var isEscaped = false
  /// Whether the current string, if any, is a member's key.
  private var isKey = false
  private var expectsKey: [Bool] = []
  /// The depth of the member whose value is removed, or nil.
  private var removedAt: Int?
  /// Whether the value of the next member is removed.
  private var removesNext = false

  /// The maximum length, in bytes, of a key to compare.
  private static let longestKey = 32
  /// The depth of an entry's members: archive, log, list of entries, entry.
  private static let entryDepth = 4

  /// - Parameter limit: The maximum size of the reduced archive, in bytes.
  package init(limit: Int) {
    self.limit = limit
    input = CompressedInput(firstSize: GzipReader.signature.count, limit: limit)
  }

  /// Adds the next bytes of the archive.
  /// - Returns: Whether the reduced archive is within the limit.
  package mutating func add(_ piece: [UInt8]) -> Bool {
    let plain = input.add(piece)
    if input.exceedsLimit { exceedsLimit = true }
    return !exceedsLimit && reduce(plain)
  }

  /// Reduces the remaining input. Some input, such as a compressed archive, cannot be reduced before it is complete.
  ///
  /// Damaged data is treated as the end of the archive. The code that reads the reduced archive reports the missing
  /// end.
  package mutating func finish() {
    let rest = input.finish()
    guard !exceedsLimit else { return }
    rest.read { reduce($0) }
  }

  private mutating func reduce(_ piece: [UInt8]) -> Bool {
    for byte in piece {
      if path.isEmpty, !isWhitespace(byte), byte != UInt8(ascii: "{"), bytes.allSatisfy(isWhitespace) {
        // A byte order mark can precede the object.
        guard [0xEF, 0xBB, 0xBF].contains(byte) else { return false }
        continue
      }
      step(byte)
      if bytes.count > limit {
        exceedsLimit = true
        return false
      }
    }
    return true
  }

  private func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private mutating func emit(_ byte: UInt8) {
    if removedAt == nil || byte == UInt8(ascii: "\n") { bytes.append(byte) }
  }

  private mutating func step(_ byte: UInt8) {
    if isInString { return stepString(byte) }
    switch byte {
    case UInt8(ascii: "\""):
      startValue()
      isInString = true
      isKey = expectsKey.last == true
      if isKey { key = [] }
      emit(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      startValue()
      path.append(byte == UInt8(ascii: "{") ? key : nil)
      expectsKey.append(byte == UInt8(ascii: "{"))
      if path.count == 2, path[1] == Array("log".utf8) { isArchive = true }
      emit(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if removedAt == path.count { removedAt = nil }
      if !path.isEmpty {
        path.removeLast()
        expectsKey.removeLast()
      }
      emit(byte)
    case UInt8(ascii: ","):
      if removedAt == path.count { removedAt = nil }
      if path.last != .some(nil), !expectsKey.isEmpty { expectsKey[expectsKey.count - 1] = true }
      emit(byte)
    case UInt8(ascii: ":"):
      if !expectsKey.isEmpty { expectsKey[expectsKey.count - 1] = false }
      emit(byte)
      removesNext = isRemoved
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): emit(byte)
    default:
      startValue()
      emit(byte)
    }
  }

  private mutating func stepString(_ byte: UInt8) {
    emit(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      return
    }
    if isKey, key.count <= Self.longestKey { key.append(byte) }
  }

  /// Starts removing bytes if the value that begins here is not needed.
  private mutating func startValue() {
    guard removesNext, removedAt == nil else { return }
    removesNext = false
    bytes += Array("null".utf8)
    removedAt = path.count
  }

  /// Whether the current member belongs to an entry and is not its request.
  private var isRemoved: Bool {
    removedAt == nil && path.count == Self.entryDepth && path[1] == Array("log".utf8) && path[3] != nil
      && path[2] == nil && key != Array("request".utf8)
  }
}
