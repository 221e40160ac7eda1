import Documents
import Effects

/// Error responses in Base64, which some browsers write to HTTP archives.
enum EncodedResponse {
  /// The start of the JSON object `{"error` in Base64, after a quotation mark.
  private static let start = Array("\"eyJlcnJvc".utf8)

  /// Returns the line with its first error response decoded. Returns all other lines unchanged.
  static func decoding(_ line: [UInt8]) -> [UInt8] {
    guard let range = line.firstRange(ofBytes: start) else { return line }
    let content = line[(range.lowerBound + 1)...].prefix { $0 != UInt8(ascii: "\"") }
    guard let text = try? Base64.decodeEitherAlphabet(String(decoding: content, as: UTF8.self)) else { return line }
    return line[..<content.startIndex] + text + line[content.endIndex...]
  }
}
