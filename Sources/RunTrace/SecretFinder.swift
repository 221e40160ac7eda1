/// Finds secrets in longer strings, in any encoding.
///
/// The finder decodes text in all applicable ways and searches each result in a single pass, so the time does not
/// depend on the number of secrets. The start of hexadecimal or base64 text is not recognizable, so the finder searches
/// for the encoded secrets instead.
package struct SecretFinder: Sendable {
  /// A range of text that contains a secret.
  package struct Match: Sendable {
    package var range: Range<Int>
    package var label: String
    /// Whether the match is the complete secret, possibly with escapes. False if it is base64 or hexadecimal text, or a
    /// truncated value.
    package var isExact: Bool
  }

  private var index = SecretIndex()
  private var labels: Set<String> = []

  package init() {}

  package var isEmpty: Bool { index.isEmpty }

  /// - Parameters:
  ///   - label: The placeholder.
  ///   - evenIfShort: Whether to search for the value even if it is short enough to be an ordinary word. False for
  ///     values that servers choose freely, such as `lang=en` in a cookie.
  package mutating func insert(_ value: String, label: String, evenIfShort: Bool = true) {
    labels.insert(label)
    for bytes in Self.variants(of: value) where evenIfShort || bytes.count >= SecretIndex.windowLength {
      index.insert(bytes, label: label)
    }
  }

  /// Returns the variants of a value that other programs may write: without surrounding spaces, with the line breaks of
  /// HTML forms, in ISO 8859-1, and as encoded by programs that do not encode an existing `%41` or `&amp;` again.
  private static func variants(of value: String) -> Set<[UInt8]> {
    let bytes = Array(value.utf8)
    var variants: Set<[UInt8]> = [bytes]
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
    if let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) }) {
      variants.insert(Array(bytes[first...last]))
    }
    if bytes.contains(0x0A), !bytes.contains(0x0D) {
      variants.insert(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    }
    if bytes.contains(where: { $0 >= 0x80 }), value.unicodeScalars.allSatisfy({ $0.value < 0x100 }) {
      variants.insert(value.unicodeScalars.map { UInt8($0.value) })
    }
    for escapes in [DecodedText.Escapes.percent, .html] {
      // A shorter value can be any word.
      guard let decoded = DecodedText(bytes).decoding(escapes)?.bytes, decoded.count >= SecretIndex.windowLength else {
        continue
      }
      variants.insert(decoded)
    }
    return variants.filter { !$0.isEmpty }
  }

  /// Returns all matches in no particular order. Matches can overlap.
  package func matches(in text: [UInt8]) -> [Match] {
    guard !isEmpty, !text.isEmpty else { return [] }
    var matches: [Match] = []
    DecodedText.forEach(of: text) { view in
      for found in index.matches(in: view.bytes) {
        matches.append(Match(range: view.original(found.range), label: found.label, isExact: found.isExact))
      }
    }
    return matches
  }

  /// Returns the text with placeholders for all secrets. If matches overlap, the longer match is masked.
  package func masking(_ text: String) -> String {
    guard !isEmpty, !text.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var found = matches(in: bytes)
    guard !found.isEmpty else { return text }
    let placeholders = placeholders(in: bytes)
    found.removeAll { match in
      placeholders.contains { $0.lowerBound <= match.range.lowerBound && match.range.upperBound <= $0.upperBound }
    }
    guard !found.isEmpty else { return text }
    var masked: [UInt8] = []
    var end = 0
    for match in Self.chosen(found, length: bytes.count) {
      masked += bytes[end..<match.range.lowerBound]
      masked += match.label.utf8
      end = match.range.upperBound
    }
    masked += bytes[end...]
    return String(decoding: masked, as: UTF8.self)
  }

  private static func chosen(_ matches: [Match], length: Int) -> [Match] {
    let ordered = matches.sorted {
      ($1.range.count, $0.range.lowerBound) < ($0.range.count, $1.range.lowerBound)
    }
    var chosen: [Match] = []
    var isCovered = [Bool](repeating: false, count: length)
    // Earlier matches are at least as long, so an overlapping earlier match covers one end of this match.
    for match in ordered where !isCovered[match.range.lowerBound] && !isCovered[match.range.upperBound - 1] {
      chosen.append(match)
      for index in match.range { isCovered[index] = true }
    }
    return chosen.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Returns the ranges of existing placeholders in text. Matches inside them are ignored, in case a secret is a word
  /// that placeholders contain, such as `secret`.
  private func placeholders(in bytes: [UInt8]) -> [Range<Int>] {
    let (open, close) = (Array("‹".utf8), Array("›".utf8))
    var found: [Range<Int>] = []
    var start: Int?
    var index = 0
    while index + 2 < bytes.count {
      guard bytes[index] == open[0] else {
        index += 1
        continue
      }
      let mark = bytes[index..<(index + 3)]
      if mark.elementsEqual(open) {
        start = index
      } else if mark.elementsEqual(close), let first = start {
        start = nil
        let range = first..<(index + 3)
        if labels.contains(String(decoding: bytes[range], as: UTF8.self)) { found.append(range) }
      }
      index += 3
    }
    return found
  }
}
