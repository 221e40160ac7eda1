import Diagnostics
import Documents
import RunTrace

extension Codec where Value == String {
  /// A string in which references to build settings are filled in. One that cannot be filled in is told, and kept as written.
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
  /// One word of a closed set, whose spelling is looser than the set's own.
  static func word(_ text: Codec<String>, among words: [String], _ meaning: @escaping @Sendable (String) -> Value?)
    -> Self
  {
    Self(
      expecting: "one of \(words.joined(separator: ", "))",
      schema: ["type": "string", "enum": .array(words.map { .string($0) })]
    ) { node, problems in
      guard let word = text.read(node, &problems) else { return nil }
      if let value = meaning(word) { return value }
      guard !Definitions.holdsReference(word) else { return nil }
      let nearest = Suggestion.nearest(to: word, among: words)
      problems.add(
        Diagnostic(
          .error, rule: "unknown-value", "\"\(word)\" is not one of \(words.joined(separator: ", "))",
          help: nearest.map { "did you mean \"\($0)\"?" }, at: node.place,
          fix: nearest.flatMap { correction($0, of: node) }))
      return nil
    }
  }
}

/// The word that was meant, where the text stands as it is read.
private func correction(_ meant: String, of node: Node) -> Diagnostic.Fix? {
  guard !node.document.source.isBinary, node.document.source.text(in: node.innerSpan) == node.string else { return nil }
  return Diagnostic.Fix(
    description: "write \(meant)", edits: [Diagnostic.Edit(span: node.innerSpan, replacement: meant)])
}

extension Codec where Value == Secret {
  /// A client secret: a text that is never shown.
  static func clientSecret(_ text: Codec<String>) -> Self {
    Self(expecting: "a string", schema: ["type": "string", "minLength": 1, "writeOnly": true]) { node, problems in
      guard let written = text.read(node, &problems) else { return nil }
      if written.isEmpty {
        problems.error("empty-value", "the secret is empty", help: "write it, or leave the key out", at: node)
        return nil
      }
      return Secret(written, kind: .clientSecret)
    }
  }
}

extension Codec where Value == [Positioned<String>] {
  /// A list of words, or one string that holds them separated by spaces; each word has its own place.
  /// - Parameter commas: whether the format itself separates by commas.
  static func words(_ text: Codec<String>, commas: Bool = false) -> Self {
    let list = Codec<[Positioned<String>]>.list(of: text.located)
    return Self(
      expecting: "a list of strings, or one string with spaces between",
      schema: ["anyOf": [["type": "array", "items": ["type": "string"]], ["type": "string"]]]
    ) { node, problems in
      guard let written = node.string else { return list.read(node, &problems) }
      guard let filled = text.read(node, &problems) else { return nil }
      return split(filled, of: node, isAsWritten: filled == written, commas: commas, &problems)
    }
  }

  private static func split(
    _ text: String, of node: Node, isAsWritten: Bool, commas: Bool, _ problems: inout DiagnosticCollector
  ) -> [Positioned<String>] {
    // A word's own place can be told where the source shows the value without escapes.
    let inner = node.innerSpan
    let hasPlaces = isAsWritten && node.document.source.text(in: inner) == text
    var words: [Positioned<String>] = []
    var toldSeparator = commas
    for piece in text.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == ";" }) {
      let start = text.utf8.distance(from: text.startIndex, to: piece.startIndex)
      let span =
        hasPlaces ? SourceSpan(start: inner.start + start, end: inner.start + start + piece.utf8.count) : node.span
      words.append(Positioned(String(piece), at: FileSpan(node.document.source, span)))
      if !toldSeparator, piece.endIndex < text.endIndex, text[piece.endIndex] == "," || text[piece.endIndex] == ";" {
        toldSeparator = true
        problems.warning(
          "list-separator", "\"\(text[piece.endIndex])\" separates nothing here",
          help: "write spaces between, or a list",
          at: node)
      }
    }
    return words
  }
}

extension Codec where Value == Double {
  /// A hundred years: a longer time may not fit into 64 bits when it is converted.
  private static var longest: Double { 36_525 * 86_400 }

  /// Seconds as a number, or as a duration.
  static var seconds: Self {
    Self(
      expecting: "seconds, or a duration such as 5m",
      schema: [
        "anyOf": [["type": "number", "minimum": 0], ["type": "string", "pattern": "^[0-9]{1,9}(ms|s|m|h|d)$"]]
      ]
    ) { node, problems in
      let length: Double
      if let number = node.number {
        guard number >= 0 else {
          problems.error("out-of-range", "a time before the end cannot be negative", at: node)
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
      guard length <= longest else {
        problems.error("out-of-range", "a time of more than 36525 days", help: "write at most 36525d", at: node)
        return nil
      }
      return length
    }
  }
}
