import Documents

/// The bytes of a cache file, checked to be JSON, with the places of its parts.
final class CacheText: Sendable {
  /// Most of what the system reads and writes at once, and what offsets of 32 bits reach.
  static let limit = 2 << 30 - 1

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Lets `body` walk over a part of the text.
  func scan<Result>(
    _ range: Range<Int>, _ body: (inout JSONScanner) throws(JSONScanner.SyntaxError) -> Result
  ) throws(JSONScanner.SyntaxError) -> Result {
    try bytes.withUnsafeBufferPointer { text throws(JSONScanner.SyntaxError) in
      guard var scanner = JSONScanner(text, range) else {
        throw JSONScanner.SyntaxError(message: "there is no text", offset: 0)
      }
      return try body(&scanner)
    }
  }

  /// The value in a part of the text that was checked before.
  func json(_ range: Range<Int>) -> JSON {
    (try? scan(range) { (scanner) throws(JSONScanner.SyntaxError) in try scanner.json() }) ?? .null
  }

  /// Where a byte stands, for people: line and column from 1, in bytes.
  func place(of offset: Int) -> String {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return "line \(line), column \(column)"
  }
}
