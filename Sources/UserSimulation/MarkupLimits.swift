/// Rejects markup that libxml2 would take minutes to parse. libxml2 compares each attribute of a tag with all others.
///
/// Tags are recognized as in libxml2: a quote starts a value only after a name and `=`, and only `script` and `style`
/// contain raw text. If the syntax is ambiguous, the check covers more text.
enum MarkupLimits {
  static let mostAttributes = 500

  /// Returns the page without style sheets, or nil if a tag has too many attributes. On many pages, style sheets make
  /// up most of the markup, and users do not see them.
  static func admitted(_ bytes: [UInt8]) -> [UInt8]? {
    let styles = bytes.withUnsafeBufferPointer { buffer -> [Range<Int>]? in
      var scanner = Scanner(bytes: buffer)
      return scanner.findsCrowdedTag() ? nil : scanner.styles
    }
    guard let styles else { return nil }
    guard !styles.isEmpty else { return bytes }
    var remaining: [UInt8] = []
    remaining.reserveCapacity(bytes.count)
    var end = 0
    for style in styles {
      remaining += bytes[end..<style.lowerBound]
      end = style.upperBound
    }
    return remaining + bytes[end...]
  }

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0
    /// The ranges of the style sheets. Each range ends at the first end tag.
    var styles: [Range<Int>] = []

    mutating func findsCrowdedTag() -> Bool {
      while index < bytes.count {
        guard bytes[index] == UInt8(ascii: "<") else {
          index += 1
          continue
        }
        index += 1
        if follows("!--") {
          // Start the search at the opening hyphens, because `<!-->` can be a complete comment.
          index += 1
          skipComment()
        } else if let first = peek, Self.startsName(first) {
          let start = index
          while let byte = peek, !Self.isBlank(byte), byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") {
            index += 1
          }
          let name = String(decoding: bytes[start..<min(index, start + 8)], as: UTF8.self).lowercased()
          let isWhole = index - start <= 8
          guard let isEmpty = skipAttributes() else { return true }
          if isWhole, !isEmpty, name == "script" || name == "style" {
            let text = index
            skipRawText()
            if name == "style", index < bytes.count { styles.append(text..<index) }
          }
        }
      }
      return false
    }

    /// Skips to the end of the tag.
    /// - Returns: Whether the tag ended with `/>`, or nil if it has too many attributes.
    private mutating func skipAttributes() -> Bool? {
      var attributes = 0
      while let byte = peek {
        if byte == UInt8(ascii: ">") {
          index += 1
          return false
        }
        if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") {
          index += 2
          return true
        }
        if Self.isBlank(byte) || byte == UInt8(ascii: "/") {
          index += 1
          continue
        }
        attributes += 1
        if attributes > mostAttributes { return nil }
        skipAttribute()
      }
      return false
    }

    private mutating func skipAttribute() {
      let start = index
      if let byte = peek, Self.startsName(byte) {
        while let byte = peek, Self.isName(byte) { index += 1 }
      }
      let hasName = index > start
      while let byte = peek, hasName, Self.isBlank(byte) { index += 1 }
      guard hasName, peek == UInt8(ascii: "=") else {
        // An attribute must have a name, so skip to the next space.
        if !hasName { skipToBlank() }
        return
      }
      index += 1
      while let byte = peek, Self.isBlank(byte) { index += 1 }
      guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return skipToBlank() }
      index += 1
      while let byte = peek, byte != quote { index += 1 }
      if peek != nil { index += 1 }
    }

    private mutating func skipToBlank() {
      while let byte = peek, !Self.isBlank(byte), byte != UInt8(ascii: ">") { index += 1 }
    }

    private mutating func skipComment() {
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "-"), follows("-->") || follows("--!>") { return }
        index += 1
      }
    }

    private mutating func skipRawText() {
      while let byte = peek, byte != UInt8(ascii: "<") || !follows("</") { index += 1 }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func follows(_ text: StaticString) -> Bool {
      guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
      return text.withUTF8Buffer { bytes[index..<index + $0.count].elementsEqual($0) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func startsName(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x5F || byte == 0x3A || byte == 0x2E
    }

    private static func isName(_ byte: UInt8) -> Bool {
      startsName(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
  }
}
