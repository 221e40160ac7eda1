import Documents

/// A decoder that splits a byte stream into messages with `Content-Length` headers, as in the base protocol of LSP 3.17
/// and in DAP.
package struct ContentLengthDecoder: Sendable {
  /// An invalid header. The decoder has skipped it.
  package struct HeaderError: Error, Equatable {
    package let message: String
  }

  /// The maximum size of a message in bytes. Documents can be 64 MiB in size, and JSON escapes make them larger.
  package static let longestMessage = 256 << 20
  /// The maximum size of a message's headers in bytes.
  package static let longestHeader = 1 << 16

  private var buffer: [UInt8] = []
  /// The number of bytes at the start of `buffer` that have already been returned.
  private var taken = 0
  /// The length of the current message, or nil until its headers have been read.
  private var length: Int?

  package init() {}

  package mutating func append(_ bytes: [UInt8]) {
    if taken > 0 {
      buffer.removeFirst(taken)
      taken = 0
    }
    buffer += bytes
  }

  /// Returns the content of the next complete message, or nil if more bytes are needed.
  package mutating func next() throws(HeaderError) -> [UInt8]? {
    if length == nil {
      guard let header = try header() else { return nil }
      length = try Self.length(in: header)
    }
    guard let length, buffer.count - taken >= length else { return nil }
    defer {
      taken += length
      self.length = nil
    }
    return Array(buffer[taken..<taken + length])
  }

  /// Removes the headers of a message, up to and including the empty line.
  private mutating func header() throws(HeaderError) -> String? {
    var index = taken
    while index < buffer.count {
      if buffer[index] == UInt8(ascii: "\n"), let end = Self.end(of: buffer[taken...index]) {
        let text = String(decoding: buffer[taken..<end], as: UTF8.self)
        taken = index + 1
        return text
      }
      index += 1
    }
    guard buffer.count - taken <= Self.longestHeader else {
      buffer = []
      taken = 0
      throw HeaderError(message: "header longer than \(Self.longestHeader) bytes")
    }
    return nil
  }

  /// Returns the end of the headers if the text ends with an empty line. Some clients write `\n` instead of `\r\n`.
  private static func end(of text: ArraySlice<UInt8>) -> Int? {
    for empty in [Array("\r\n\r\n".utf8), Array("\n\n".utf8)] where text.suffix(empty.count).elementsEqual(empty) {
      return text.endIndex - empty.count
    }
    return nil
  }

  private static func length(in header: String) throws(HeaderError) -> Int {
    for line in header.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].trimmingWhitespace
      guard let length = Int(digits), length >= 0 else {
        throw HeaderError(message: "invalid Content-Length `\(digits.prefix(40))`")
      }
      guard length <= longestMessage else {
        throw HeaderError(message: "message larger than \(longestMessage) bytes")
      }
      return length
    }
    throw HeaderError(message: "missing header Content-Length")
  }

  /// Returns a message with its header.
  package static func encode(_ message: JSON) -> [UInt8] {
    let content = Array(message.text(sortedKeys: false).utf8)
    return Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }
}

extension Substring {
  fileprivate var trimmingWhitespace: Substring {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
