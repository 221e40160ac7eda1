/// A parser for the subset of Mermaid's sequence diagrams that authflow writes. Any other syntax is an error.
///
/// Mermaid decodes entity codes (`#35;`) first. A message ends at a line break, `;`, or `#`, and `%%` begins a comment.
package struct MermaidSequence {
  package struct ParseError: Error, CustomStringConvertible {
    var line: String
    var reason: String
    package var description: String { "\(reason): \(line)" }
  }

  package private(set) var participants: [(id: String, title: String)] = []
  package private(set) var messages: [(from: String, arrow: String, to: String, text: String)] = []
  package private(set) var notes: [(over: [String], text: String)] = []

  package init(sequence text: String) throws(ParseError) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.last == "" else { throw ParseError(line: String(lines.last ?? ""), reason: "no line break at the end") }
    lines.removeLast()
    guard lines.first == "sequenceDiagram" else {
      throw ParseError(line: String(lines.first ?? ""), reason: "no header")
    }
    for line in lines.dropFirst() {
      guard let words = line.drop(prefix: "  ") else { throw ParseError(line: String(line), reason: "not indented") }
      if let title = words.drop(prefix: "accTitle: ") {
        _ = try Self.plain(title, line)
      } else if let rest = words.drop(prefix: "participant ") {
        try addParticipant(rest, line)
      } else if let rest = words.drop(prefix: "Note over ") {
        let (ids, text) = try Self.split(rest, line)
        let over = ids.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(over.count) else {
          throw ParseError(line: String(line), reason: "a note covers one or two participants")
        }
        for id in over { try require(id, line) }
        notes.append((over, text))
      } else {
        try addMessage(words, line)
      }
    }
  }

  private mutating func addParticipant(_ rest: Substring, _ line: Substring) throws(ParseError) {
    let id = rest.prefix { $0 != " " }
    guard Self.isID(id), let title = rest[id.endIndex...].drop(prefix: " as "),
      !participants.contains(where: { $0.id == id })
    else { throw ParseError(line: String(line), reason: "invalid participant") }
    participants.append((String(id), try Self.plain(title, line)))
  }

  private mutating func addMessage(_ words: Substring, _ line: Substring) throws(ParseError) {
    let (head, text) = try Self.split(words, line)
    for arrow in ["-->>", "->>", "--x"] {
      guard let range = head.firstRange(of: arrow) else { continue }
      let (from, to) = (String(head[..<range.lowerBound]), String(head[range.upperBound...]))
      try require(from, line)
      try require(to, line)
      messages.append((from, arrow, to, text))
      return
    }
    throw ParseError(line: String(line), reason: "no arrow")
  }

  private func require(_ id: String, _ line: Substring) throws(ParseError) {
    guard participants.contains(where: { $0.id == id }) else {
      throw ParseError(line: String(line), reason: "unknown participant \(id)")
    }
  }

  private static func isID(_ text: Substring) -> Bool {
    text.first == "p" && text.count > 1 && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Splits a line into the part before the colon and the text after it.
  private static func split(_ text: Substring, _ line: Substring) throws(ParseError) -> (Substring, String) {
    guard let colon = text.firstRange(of: ": ") else { throw ParseError(line: String(line), reason: "no text") }
    return (text[..<colon.lowerBound], try plain(text[colon.upperBound...], line))
  }

  /// Returns the displayed text. `<br/>` is the only markup.
  static func plain(_ text: Substring, _ line: Substring) throws(ParseError) -> String {
    guard !text.isEmpty, !text.allSatisfy(\.isWhitespace) else {
      throw ParseError(line: String(line), reason: "empty text")
    }
    for option in ["wrap:", "nowrap:"] where text.hasPrefix(option) {
      throw ParseError(line: String(line), reason: "wrap option in a message")
    }
    var plain = ""
    var rest = text
    while let character = rest.first {
      if let after = rest.drop(prefix: "<br/>") {
        plain += "\n"
        rest = after
      } else if character == "#" {
        let code = rest.dropFirst().prefix { $0 != ";" }
        guard let number = UInt32(code), let scalar = Unicode.Scalar(number), code.endIndex < rest.endIndex else {
          throw ParseError(line: String(line), reason: "invalid entity code")
        }
        plain.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: code.endIndex)...]
      } else if ";<>&{}%`\\|$\"".contains(character) {
        throw ParseError(line: String(line), reason: "unescaped \(character)")
      } else {
        guard character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
          throw ParseError(line: String(line), reason: "control character")
        }
        plain.append(character)
        rest = rest.dropFirst()
      }
    }
    return plain
  }
}

extension Substring {
  fileprivate func drop(prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
