/// The encoding of a file. It is detected from a byte-order mark, zero bytes, or a declaration, as in XML 1.0 appendix
/// F and RFC 4627 §3.
enum TextEncoding: Equatable {
  /// UTF-8. `mark` is the length of the byte-order mark, or 0.
  case utf8(mark: Int)
  case utf16(bigEndian: Bool, mark: Int)
  case utf32(bigEndian: Bool, mark: Int)
  /// The encoding that an XML declaration specifies.
  case declared(String)

  static func detect(_ bytes: [UInt8]) -> Self {
    let head = Array(bytes.prefix(4))
    func starts(_ pattern: [UInt8]) -> Bool { head.starts(with: pattern) }
    if starts([0xEF, 0xBB, 0xBF]) { return .utf8(mark: 3) }
    if starts([0xFF, 0xFE, 0, 0]) { return .utf32(bigEndian: false, mark: 4) }
    if starts([0, 0, 0xFE, 0xFF]) { return .utf32(bigEndian: true, mark: 4) }
    if starts([0xFF, 0xFE]) { return .utf16(bigEndian: false, mark: 2) }
    if starts([0xFE, 0xFF]) { return .utf16(bigEndian: true, mark: 2) }
    if head.count == 4 {
      switch head.map({ $0 == 0 }) {
      case [true, true, true, false]: return .utf32(bigEndian: true, mark: 0)
      case [false, true, true, true]: return .utf32(bigEndian: false, mark: 0)
      case [true, false, true, false]: return .utf16(bigEndian: true, mark: 0)
      case [false, true, false, true]: return .utf16(bigEndian: false, mark: 0)
      default: break
      }
    } else if head.count == 2, head[0] == 0 || head[1] == 0, head[0] != head[1] {
      return .utf16(bigEndian: head[0] == 0, mark: 0)
    }
    if let label = declaredLabel(bytes), !readsAsUTF8(label) { return .declared(label) }
    return .utf8(mark: 0)
  }

  /// Returns whether a file with this declared label is read as UTF-8. If the declaration
  /// itself uses one byte per character, the file cannot be in UTF-16 or UTF-32.
  private static func readsAsUTF8(_ label: String) -> Bool {
    let label = label.uppercased()
    return label == "UTF8" || label.hasPrefix("UTF-") || label.hasPrefix("UCS-") || label.hasPrefix("ISO-10646-UCS")
  }

  /// Returns the `encoding` of `<?xml version="1.0" encoding="…"?>`.
  private static func declaredLabel(_ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: Array("<?xml".utf8)) else { return nil }
    let head = String(decoding: bytes.prefix(256), as: UTF8.self)
    let declaration = head.prefix { $0 != ">" }
    guard let word = declaration.firstIndex(after: "encoding") else { return nil }
    let rest = declaration[word...].drop { $0 == " " || $0 == "=" || $0 == "\t" || $0 == "\n" || $0 == "\r\n" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    let label = rest.dropFirst().prefix { $0 != quote }
    return label.isEmpty ? nil : String(label)
  }
}

extension Substring {
  /// Returns the index after the first occurrence of `word`.
  fileprivate func firstIndex(after word: String) -> Index? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(word) { return self.index(index, offsetBy: word.count) }
      index = self.index(after: index)
    }
    return nil
  }
}
