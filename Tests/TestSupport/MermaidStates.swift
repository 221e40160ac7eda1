/// A parser for the subset of Mermaid's state diagrams (`stateDiagram-v2`) that authflow writes.
///
/// A state has an alias and a quoted description. Transitions connect aliases, and `[*]` is the start and the end. Text
/// ends at the line break. Classes are declared before they are used.
package struct MermaidStates {
  package private(set) var title: String
  /// The alias and description of each state, in document order.
  package private(set) var states: [(alias: String, description: String)] = []
  package private(set) var transitions: [(from: String, to: String, label: String)] = []
  /// Class → aliases.
  package private(set) var classes: [String: [String]] = [:]
  private var declared: Set<String> = []

  package init(_ text: String) throws(MermaidSequence.ParseError) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    func parseError(_ reason: String) -> MermaidSequence.ParseError {
      MermaidSequence.ParseError(line: String(lines.first ?? ""), reason: reason)
    }
    guard lines.popLast() == "" else { throw parseError("no line break at the end") }
    guard lines.popFirst() == "---", let title = lines.popFirst(), lines.popFirst() == "---" else {
      throw parseError("no front matter")
    }
    self.title = try Self.scalar(title)
    guard lines.popFirst() == "stateDiagram-v2" else { throw parseError("no header") }
    while let line = lines.first {
      guard line.hasPrefix("  "), !line.hasPrefix("   ") else { throw parseError("not indented by two") }
      try parse(line.dropFirst(2), line)
      lines.removeFirst()
    }
    for (from, to, _) in transitions {
      for alias in [from, to] where alias != "[*]" && !states.contains(where: { $0.alias == alias }) {
        throw MermaidSequence.ParseError(line: "\(from) --> \(to)", reason: "unknown state \(alias)")
      }
    }
  }

  private mutating func parse(_ words: Substring, _ line: Substring) throws(MermaidSequence.ParseError) {
    let error = MermaidSequence.ParseError(line: String(line), reason: "invalid statement")
    if words.hasPrefix("state \"") {
      let rest = words.dropFirst(7)
      guard let end = rest.firstRange(of: "\" as ") else { throw error }
      let alias = String(rest[end.upperBound...])
      guard Self.isAlias(alias), !states.contains(where: { $0.alias == alias }) else { throw error }
      states.append((alias, try MermaidSequence.plain(rest[..<end.lowerBound], line)))
    } else if words.hasPrefix("classDef ") {
      let parts = words.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, Self.isAlias(String(parts[1])), !parts[2].contains(where: { ";\"<>".contains($0) }) else {
        throw error
      }
      declared.insert(String(parts[1]))
    } else if words.hasPrefix("class ") {
      let parts = words.split(separator: " ")
      guard parts.count == 3, declared.contains(String(parts[2])) else { throw error }
      let aliases = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard aliases.allSatisfy({ alias in states.contains { $0.alias == alias } }) else { throw error }
      classes[String(parts[2]), default: []] += aliases
    } else {
      guard let arrow = words.firstRange(of: " --> ") else { throw error }
      let from = String(words[..<arrow.lowerBound])
      let rest = words[arrow.upperBound...]
      let colon = rest.firstRange(of: ": ")
      let to = String(rest[..<(colon?.lowerBound ?? rest.endIndex)])
      guard [from, to].allSatisfy({ $0 == "[*]" || Self.isAlias($0) }) else { throw error }
      var label = ""
      if let colon { label = try MermaidSequence.plain(rest[colon.upperBound...], line) }
      transitions.append((from, to, label))
    }
  }

  /// Whether the text is an identifier and not a keyword, such as `end` or `note`.
  private static func isAlias(_ text: String) -> Bool {
    !["end", "state", "note", "direction", "class", "classDef"].contains(text)
      && text.first?.isLetter == true && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Parses a double-quoted YAML scalar on one line. It must not contain HTML characters, because pages embed it.
  private static func scalar(_ line: Substring) throws(MermaidSequence.ParseError) -> String {
    let error = MermaidSequence.ParseError(line: String(line), reason: "invalid title")
    guard line.hasPrefix("title: \""), line.hasSuffix("\""), line.count >= 9 else { throw error }
    var rest = line.dropFirst(8).dropLast()
    var text = ""
    while let character = rest.popFirst() {
      guard character == "\\" else {
        guard !"\"<>&".contains(character) else { throw error }
        text.append(character)
        continue
      }
      switch rest.popFirst() {
      case "\\"?: text.append("\\")
      case "\""?: text.append("\"")
      case "x"?:
        guard let number = UInt32(rest.prefix(2), radix: 16), let scalar = Unicode.Scalar(number) else { throw error }
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(2)
      default: throw error
      }
    }
    return text
  }
}
