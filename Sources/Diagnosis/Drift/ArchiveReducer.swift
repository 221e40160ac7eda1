/// Removes everything except requests from an HTTP archive, without reading the archive into memory.
///
/// Responses are most of an archive. The values of all members of an entry except `request` are replaced with `null`.
/// Line breaks stay, so that lines keep their numbers. A compressed archive (gzip) is kept in memory until its end.
package struct ArchiveReducer: Sendable {
  /// The reduced archive up to now.
  package private(set) var bytes: [UInt8] = []
  /// Whether the requests alone exceed the limit.
  package private(set) var exceedsLimit = false

  /// Whether the input is an HTTP archive: an object with the member `log`.
  package private(set) var isArchive = false

  private let limit: Int
  /// The compressed archive up to now, or nil if the archive is not compressed.
  private var compressed: [UInt8]?
  private var isFirst = true
  /// The key of each open object, or nil for an array. The first element is the outermost.
  private var path: [[UInt8]?] = []
  private var key: [UInt8] = []
  private var isInString = false
  private var isEscaped = false
  /// Whether the string, if there is one, is the key of a member.
  private var isKey = false
  private var expectsKey: [Bool] = []
  /// The depth of the member whose value is removed, or nil.
  private var removedAt: Int?
  /// Whether the value of the next member is removed.
  private var removesNext = false

  /// The maximum length of a key in bytes that is compared.
  private static let longestKey = 32
  /// The depth of the members of an entry: archive, log, list of entries, entry.
  private static let entryDepth = 4

  /// - Parameter limit: The maximum number of bytes of the reduced archive.
  package init(limit: Int) { self.limit = limit }

  /// Adds a part of the archive.
  /// - Returns: Whether the reduced archive is within the limit.
  package mutating func add(_ piece: [UInt8]) -> Bool {
    if isFirst, GzipReader.isGzip(piece) { compressed = [] }
    isFirst = false
    guard compressed != nil else { return reduce(piece) }
    compressed?.append(contentsOf: piece)
    exceedsLimit = (compressed?.count ?? 0) > limit
    return !exceedsLimit
  }

  /// Reduces a compressed archive after its last part. It is not needed for other archives.
  package mutating func finish() {
    guard let compressed, !exceedsLimit else { return }
    self.compressed = nil
    var reader = GzipReader(compressed)
    // Damaged data ends the archive, and the reader of the reduced archive reports the missing end.
    try? reader.read { chunk in reduce(chunk) }
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

  /// Starts to remove bytes if the value that begins here is not needed.
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
