import Diagnostics
import Documents
import RunTrace

extension Codec where Value == String {
  /// Decodes a string and resolves references to build settings. Reports references without a value and leaves them
  /// unchanged.
  static func text(filling definitions: Definitions) -> Self {
    Self(expecting: "a string", schema: ["type": "string"]) { node, problems in
      guard let written = node.string else {
        problems.mismatch(node, expected: "a string")
        return nil
      }
      return definitions.fill(written, at: node.place, &problems)
    }
  }
}

extension Codec {
  /// Decodes one of the given strings. The parser can accept additional spellings.
  static func word(_ text: Codec<String>, among words: [String], _ parse: @escaping @Sendable (String) -> Value?)
    -> Self
  {
    Self(
      expecting: "one of \(words.map { "`\($0)`" }.joined(separator: ", "))",
      schema: ["type": "string", "enum": .array(words.map { .string($0) })]
    ) { node, problems in
      guard let word = text.read(node, &problems) else { return nil }
      if let value = parse(word) { return value }
      guard !Definitions.containsReference(word) else { return nil }
      let nearest = Suggestion.nearest(to: word, among: words)
      problems.add(
        Diagnostic(
          .error, rule: "unknown-value", "unknown value `\(word)`",
          help: nearest.map { "did you mean `\($0)`?" }
            ?? "use one of \(words.map { "`\($0)`" }.joined(separator: ", "))", at: node.place,
          fix: nearest.flatMap { correction($0, of: node) }))
      return nil
    }
  }
}

/// Returns a fix that replaces the value, or nil if the value's source text contains escape sequences.
private func correction(_ replacement: String, of node: Node) -> Diagnostic.Fix? {
  guard !node.document.source.isBinary, node.document.source.text(in: node.innerSpan) == node.string else { return nil }
  return Diagnostic.Fix(
    description: "replace with `\(replacement)`",
    edits: [Diagnostic.Edit(span: node.innerSpan, replacement: replacement)])
}

extension Codec where Value == Secret {
  /// Decodes a client secret, which is never printed.
  static func clientSecret(_ text: Codec<String>) -> Self {
    Self(expecting: "a string", schema: ["type": "string", "minLength": 1, "writeOnly": true]) { node, problems in
      guard let written = text.read(node, &problems) else { return nil }
      if written.isEmpty {
        problems.error("empty-value", "empty secret", help: "set the secret, or remove the key", at: node)
        return nil
      }
      return Secret(written, kind: .clientSecret)
    }
  }
}

extension Codec where Value == [Positioned<String>] {
  /// Decodes a list of words, or a string of words separated by spaces. Each word has its own location.
  /// - Parameter commas: Whether the format uses commas as separators.
  static func separatedStrings(_ text: Codec<String>, commas: Bool = false) -> Self {
    let list = Codec<[Positioned<String>]>.list(of: text.located)
    return Self(
      expecting: "a list of strings, or a space-separated string",
      schema: ["anyOf": [["type": "array", "items": ["type": "string"]], ["type": "string"]]]
    ) { node, problems in
      guard let written = node.string else { return list.read(node, &problems) }
      guard let filled = text.read(node, &problems) else { return nil }
      return split(filled, of: node, isUnchanged: filled == written, commas: commas, &problems)
    }
  }

  private static func split(
    _ text: String, of node: Node, isUnchanged: Bool, commas: Bool, _ problems: inout DiagnosticCollector
  ) -> [Positioned<String>] {
    // A word has its own location only if the source text contains no escape sequences.
    let inner = node.innerSpan
    let hasLocations = isUnchanged && node.document.source.text(in: inner) == text
    var words: [Positioned<String>] = []
    var hasReportedSeparator = commas
    for piece in text.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == ";" }) {
      let start = text.utf8.distance(from: text.startIndex, to: piece.startIndex)
      let span =
        hasLocations ? SourceSpan(start: inner.start + start, end: inner.start + start + piece.utf8.count) : node.span
      words.append(Positioned(String(piece), at: FileSpan(node.document.source, span)))
      if !hasReportedSeparator, piece.endIndex < text.endIndex,
        text[piece.endIndex] == "," || text[piece.endIndex] == ";"
      {
        hasReportedSeparator = true
        problems.warning(
          "list-separator", "`\(text[piece.endIndex])` is not a separator",
          help: "use spaces, or a list",
          at: node)
      }
    }
    return words
  }
}

extension Codec where Value == Double {
  /// A hundred years in seconds. A longer time might not fit in 64 bits after conversion.
  private static var maximum: Double { 36_525 * 86_400 }

  /// A duration, as a number of seconds or a string.
  static var seconds: Self {
    Self(
      expecting: "seconds, or a duration such as `5m`",
      schema: [
        "anyOf": [["type": "number", "minimum": 0], ["type": "string", "pattern": "^[0-9]{1,9}(ms|s|m|h|d)$"]]
      ]
    ) { node, problems in
      let length: Double
      if let number = node.number {
        guard number >= 0 else {
          problems.error("out-of-range", "negative duration", at: node)
          return nil
        }
        length = number
      } else if let text = node.string, let number = Double(text), number >= 0 {
        length = number
      } else {
        guard let duration = Codec<Duration>.duration.read(node, &problems) else { return nil }
        let (seconds, attoseconds) = duration.components
        length = Double(seconds) + Double(attoseconds) / 1e18
      }
      guard length <= maximum else {
        problems.error("out-of-range", "duration of more than 36525 days", help: "use at most `36525d`", at: node)
        return nil
      }
      return length
    }
  }
}
