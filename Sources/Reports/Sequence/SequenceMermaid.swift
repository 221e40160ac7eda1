/// A sequence diagram in Mermaid's `sequenceDiagram` format, which GitHub, GitLab, and many editors render.
package enum SequenceMermaid {
  private static let width = 60
  private static let mostCharacters = 240

  /// - Parameter note: A note above the first line that spans all participants.
  package static func text(_ diagram: SequenceDiagram, note: String? = nil) -> String {
    var ids: [SequenceDiagram.Participant: String] = [:]
    var text = "sequenceDiagram\n  accTitle: \(label(diagram.title).replacing("<br/>", with: " "))\n"
    for (position, participant) in diagram.participants.enumerated() {
      // Use generated IDs, because `end` and some other names are keywords.
      ids[participant] = "p\(position + 1)"
      text += "  participant p\(position + 1) as \(words(participant.title))\n"
    }
    let last = "p\(diagram.participants.count)"
    if let note { text += "  Note over p1,\(last): \(label(note))\n" }
    for line in diagram.lines {
      let caption = label(line.text)
      switch line.kind {
      case .message(let from, let to, let arrow):
        text += "  \(ids[from] ?? "p1")\(sign(arrow))\(ids[to] ?? "p1"): \(caption)\n"
      case .note(let over): text += "  Note over \(ids[over] ?? "p1"): \(caption)\n"
      case .heading: text += "  Note over p1,\(last): \(caption)\n"
      }
    }
    return text
  }

  private static func sign(_ arrow: SequenceDiagram.Arrow) -> String {
    switch arrow {
    case .call: "->>"
    case .answer: "-->>"
    case .lost: "--x"
    }
  }

  /// Returns a label with line breaks, because space in a diagram is limited.
  private static func label(_ text: String) -> String {
    let cut = text.count > mostCharacters ? text.prefix(mostCharacters - 1) + "…" : text
    var lines: [String] = []
    var line = ""
    for word in cut.split(whereSeparator: { $0.isWhitespace }) {
      if !line.isEmpty, line.count + word.count >= width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    let words = lines.map(self.words).joined(separator: "<br/>")
    return words.isEmpty ? "-" : words
  }

  /// Escapes text for Mermaid as entity codes between `#` and `;`. Characters that start comments, formulas, markup, or
  /// options are also escaped.
  static func words(_ text: String) -> String {
    let isOption = ["wrap", "nowrap"].contains { text.hasPrefix($0) }
    return text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "#", ";", "<", ">", "&", "{", "}", "%", "`", "\\", "|", "$": return "#\(scalar.value);"
      case ":" where isOption: return "#58;"
      default: return isHidden(scalar) ? " " : String(scalar)
      }
    }.joined()
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
