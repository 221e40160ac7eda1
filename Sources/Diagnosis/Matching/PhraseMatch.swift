/// An occurrence of a phrase or word in normalized text.
struct PhraseMatch: Sendable {
  /// The range in the normalized bytes.
  var range: Range<Int>
  /// The captured ranges, by name.
  var captures: [String: Range<Int>] = [:]
}

extension Phrase {
  /// Returns the first occurrence of the phrase.
  /// - Parameter starts: The sorted offsets at which each long piece occurs. The method finds short pieces itself.
  func match(in text: [UInt8], starts: [[Int]]) -> PhraseMatch? {
    for start in starts[0] {
      if let match = match(in: text, from: start, starts: starts) { return match }
    }
    return nil
  }

  private func match(in text: [UInt8], from start: Int, starts: [[Int]]) -> PhraseMatch? {
    // A phrase that starts with a word does not match within a word: `enotfound` is not part of `StateNotFound`.
    if start > 0, isWordByte(pieces[0].literal[0]), isWordByte(text[start - 1]) { return nil }
    var end = start + pieces[0].literal.count
    var captures: [String: Range<Int>] = [:]
    for (index, piece) in pieces.enumerated().dropFirst() {
      let range = end...(end + piece.gap.limit)
      let next =
        piece.isShort
        ? Self.first(piece.literal, in: text, from: range) : starts[index].first { range.contains($0) }
      guard let next else { return nil }
      if case .capture(let name) = piece.gap { captures[name] = end..<next }
      end = next + piece.literal.count
    }
    if let finalCapture {
      let value = text[end...].prefix(Gap.capture("").limit).prefix { !" '\"<>,;)".utf8.contains($0) }
      guard !value.isEmpty else { return nil }
      captures[finalCapture] = end..<value.endIndex
      end = value.endIndex
    }
    return PhraseMatch(range: start..<end, captures: captures)
  }

  private static func first(_ literal: [UInt8], in text: [UInt8], from range: ClosedRange<Int>) -> Int? {
    let last = min(range.upperBound, text.count - literal.count)
    guard range.lowerBound <= last else { return nil }
    return (range.lowerBound...last).first { text[$0...].starts(with: literal) }
  }
}
