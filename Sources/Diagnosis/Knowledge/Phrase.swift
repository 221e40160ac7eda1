import Effects

/// A phrase to search for in normalized text: literals, named captures such as `{redirectUri}`, and gaps (`…`).
struct Phrase: Sendable, Hashable {
  /// A literal and the gap before it.
  struct Piece: Sendable, Hashable {
    var gap: Gap
    var literal: [UInt8]

    /// Whether the literal is too short for the search index.
    var isShort: Bool { literal.count < LiteralSearch.minimumLength }
  }

  enum Gap: Sendable, Hashable {
    /// No gap before the literal, as for the first piece.
    case none
    /// Any text of limited length.
    case any
    /// A value of limited length that is reported under a name.
    case capture(String)

    /// The maximum length in bytes.
    var limit: Int {
      switch self {
      case .none: 0
      case .any: 300
      case .capture: 200
      }
    }
  }

  let source: String
  let pieces: [Piece]
  /// The name of a capture at the end of the phrase, or nil.
  let finalCapture: String?

  /// The minimum length of the longest literal, so that a phrase is specific and the search is fast.
  static let minimumLiteral = 5

  /// - Returns: The phrase, or nil if no literal is long enough, or if the phrase starts with a capture.
  init?(_ text: String) {
    source = text
    var pieces: [Piece] = []
    var gap = Gap.none
    var rest = Substring(text.lowercased())
    func literal(_ part: Substring) -> [UInt8] {
      Array(part.split(whereSeparator: \.isWhitespace).joined(separator: " ").utf8)
    }
    func add(_ part: Substring, after gap: Gap) {
      var bytes = literal(part)
      if case .capture = gap, part.first?.isWhitespace == true { bytes.insert(UInt8(ascii: " "), at: 0) }
      if part.last?.isWhitespace == true, !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
      if !bytes.isEmpty { pieces.append(Piece(gap: gap, literal: bytes)) }
    }
    while let start = rest.firstIndex(where: { $0 == "{" || $0 == "…" }) {
      let before = rest[..<start]
      if rest[start] == "…" {
        add(Substring(before.drop(while: \.isWhitespace).trimmedEnd), after: gap)
        gap = .any
        rest = rest[rest.index(after: start)...].drop(while: \.isWhitespace)
      } else {
        guard let end = rest[start...].firstIndex(of: "}") else { return nil }
        add(before, after: gap)
        let name = rest[rest.index(after: start)..<end]
        // The text is lowercase, but capture names are not.
        let original = text[text.range(of: name) ?? text.startIndex..<text.startIndex]
        gap = .capture(String(original))
        rest = rest[rest.index(after: end)...]
      }
    }
    if !rest.isEmpty { add(rest, after: gap) }
    let endsWithCapture = rest.isEmpty
    guard let first = pieces.first, first.gap == .none, !first.isShort,
      pieces.contains(where: { $0.literal.count >= Self.minimumLiteral })
    else {
      return nil
    }
    self.pieces = pieces
    if endsWithCapture, case .capture(let name) = gap { finalCapture = name } else { finalCapture = nil }
  }
}

extension Substring {
  fileprivate var trimmedEnd: Substring {
    var rest = self
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}

extension String {
  /// Returns the first range that matches a lowercase string, ignoring case.
  fileprivate func range(of part: Substring) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].lowercased().hasPrefix(part), let end = index(start, offsetBy: part.count, limitedBy: endIndex)
      {
        return start..<end
      }
      start = index(after: start)
    }
    return nil
  }
}
