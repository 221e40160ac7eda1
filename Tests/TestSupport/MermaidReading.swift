/// Reads the part of Mermaid's grammar that authflow writes, and nothing beyond it: what does not belong is an error.
///
/// Mermaid reads entity codes (`#35;`) before anything else; a message ends at a line end, `;` or `#`, and `%%` begins a
/// comment.
package struct MermaidReading {
  package struct Mistake: Error, CustomStringConvertible {
    var line: String
    var reason: String
    package var description: String { "\(reason): \(line)" }
  }

  package private(set) var participants: [(id: String, title: String)] = []
  package private(set) var messages: [(from: String, arrow: String, to: String, text: String)] = []
  package private(set) var notes: [(over: [String], text: String)] = []

  package init(sequence text: String) throws(Mistake) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.last == "" else { throw Mistake(line: String(lines.last ?? ""), reason: "the last line has no end") }
    lines.removeLast()
    guard lines.first == "sequenceDiagram" else { throw Mistake(line: String(lines.first ?? ""), reason: "no header") }
    for line in lines.dropFirst() {
      guard let words = line.drop(prefix: "  ") else { throw Mistake(line: String(line), reason: "not indented") }
      if let title = words.drop(prefix: "accTitle: ") {
        _ = try Self.plain(title, line)
      } else if let rest = words.drop(prefix: "participant ") {
        try takeParticipant(rest, line)
      } else if let rest = words.drop(prefix: "Note over ") {
        let (ids, text) = try Self.parted(rest, line)
        let over = ids.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(over.count) else {
          throw Mistake(line: String(line), reason: "a note is over one or two")
        }
        for id in over { try require(id, line) }
        notes.append((over, text))
      } else {
        try takeMessage(words, line)
      }
    }
  }

  private mutating func takeParticipant(_ rest: Substring, _ line: Substring) throws(Mistake) {
    let id = rest.prefix { $0 != " " }
    guard Self.isID(id), let title = rest[id.endIndex...].drop(prefix: " as "),
      !participants.contains(where: { $0.id == id })
    else { throw Mistake(line: String(line), reason: "no participant") }
    participants.append((String(id), try Self.plain(title, line)))
  }

  private mutating func takeMessage(_ words: Substring, _ line: Substring) throws(Mistake) {
    let (head, text) = try Self.parted(words, line)
    for arrow in ["-->>", "->>", "--x"] {
      guard let range = head.firstRange(of: arrow) else { continue }
      let (from, to) = (String(head[..<range.lowerBound]), String(head[range.upperBound...]))
      try require(from, line)
      try require(to, line)
      messages.append((from, arrow, to, text))
      return
    }
    throw Mistake(line: String(line), reason: "no arrow")
  }

  private func require(_ id: String, _ line: Substring) throws(Mistake) {
    guard participants.contains(where: { $0.id == id }) else {
      throw Mistake(line: String(line), reason: "nobody is \(id)")
    }
  }

  private static func isID(_ text: Substring) -> Bool {
    text.first == "p" && text.count > 1 && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// What is before the colon, and the text behind it.
  private static func parted(_ text: Substring, _ line: Substring) throws(Mistake) -> (Substring, String) {
    guard let colon = text.firstRange(of: ": ") else { throw Mistake(line: String(line), reason: "no text") }
    return (text[..<colon.lowerBound], try plain(text[colon.upperBound...], line))
  }

  /// The text as it is shown; `<br/>` is the only markup.
  static func plain(_ text: Substring, _ line: Substring) throws(Mistake) -> String {
    guard !text.isEmpty, !text.allSatisfy(\.isWhitespace) else {
      throw Mistake(line: String(line), reason: "empty text")
    }
    for option in ["wrap:", "nowrap:"] where text.hasPrefix(option) {
      throw Mistake(line: String(line), reason: "an option of a message")
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
          throw Mistake(line: String(line), reason: "a # that begins no entity")
        }
        plain.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: code.endIndex)...]
      } else if ";<>&{}%`\\|$\"".contains(character) {
        throw Mistake(line: String(line), reason: "\(character) as it is")
      } else {
        guard character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
          throw Mistake(line: String(line), reason: "a control character")
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
