import Documents

/// The bytes of a cache file.
final class CacheText: Sendable {
  /// The maximum number of bytes that the system reads or writes in one call. This number also fits in a 32-bit offset.
  static let limit = 2 << 30 - 1

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Calls `body` with a scanner for a range of the text.
  func scan<Result>(
    _ range: Range<Int>, _ body: (inout JSONScanner) throws(JSONScanner.SyntaxError) -> Result
  ) throws(JSONScanner.SyntaxError) -> Result {
    try bytes.withUnsafeBufferPointer { text throws(JSONScanner.SyntaxError) in
      guard var scanner = JSONScanner(text, range) else {
        throw JSONScanner.SyntaxError(message: "the file is empty", offset: 0)
      }
      return try body(&scanner)
    }
  }

  /// Decodes the value in a range of the text. The range must already have been scanned.
  func json(_ range: Range<Int>) -> JSON {
    (try? scan(range) { (scanner) throws(JSONScanner.SyntaxError) in try scanner.json() }) ?? .null
  }

  /// Returns the line and column of a byte, for messages. Both start at 1, and the column is counted in bytes.
  func position(of offset: Int) -> String {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return "line \(line), column \(column)"
  }
}
