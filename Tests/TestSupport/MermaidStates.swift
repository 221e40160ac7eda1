/// Reads the part of Mermaid's state diagrams (`stateDiagram-v2`) that authflow writes, and nothing beyond it.
///
/// A state has an alias and a quoted description; transitions go between aliases, `[*]` is beginning and end; a text ends
/// with its line; classes are declared before they are given.
package struct MermaidStates {
  package private(set) var title: String
  /// Alias and description, in the order of the text.
  package private(set) var states: [(alias: String, description: String)] = []
  package private(set) var transitions: [(from: String, to: String, label: String)] = []
  /// Class → aliases.
  package private(set) var classes: [String: [String]] = [:]
  private var declared: Set<String> = []

  package init(_ text: String) throws(MermaidReading.Mistake) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    func mistake(_ reason: String) -> MermaidReading.Mistake {
      MermaidReading.Mistake(line: String(lines.first ?? ""), reason: reason)
    }
    guard lines.popLast() == "" else { throw mistake("the last line has no end") }
    guard lines.popFirst() == "---", let title = lines.popFirst(), lines.popFirst() == "---" else {
      throw mistake("no front matter")
    }
    self.title = try Self.scalar(title)
    guard lines.popFirst() == "stateDiagram-v2" else { throw mistake("no header") }
    while let line = lines.first {
      guard line.hasPrefix("  "), !line.hasPrefix("   ") else { throw mistake("not indented by two") }
      try take(line.dropFirst(2), line)
      lines.removeFirst()
    }
    for (from, to, _) in transitions {
      for alias in [from, to] where alias != "[*]" && !states.contains(where: { $0.alias == alias }) {
        throw MermaidReading.Mistake(line: "\(from) --> \(to)", reason: "no state \(alias)")
      }
    }
  }

  private mutating func take(_ words: Substring, _ line: Substring) throws(MermaidReading.Mistake) {
    let mistake = MermaidReading.Mistake(line: String(line), reason: "no statement")
    if words.hasPrefix("state \"") {
      let rest = words.dropFirst(7)
      guard let end = rest.firstRange(of: "\" as ") else { throw mistake }
      let alias = String(rest[end.upperBound...])
      guard Self.isAlias(alias), !states.contains(where: { $0.alias == alias }) else { throw mistake }
      states.append((alias, try MermaidReading.plain(rest[..<end.lowerBound], line)))
    } else if words.hasPrefix("classDef ") {
      let parts = words.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, Self.isAlias(String(parts[1])), !parts[2].contains(where: { ";\"<>".contains($0) }) else {
        throw mistake
      }
      declared.insert(String(parts[1]))
    } else if words.hasPrefix("class ") {
      let parts = words.split(separator: " ")
      guard parts.count == 3, declared.contains(String(parts[2])) else { throw mistake }
      let aliases = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard aliases.allSatisfy({ alias in states.contains { $0.alias == alias } }) else { throw mistake }
      classes[String(parts[2]), default: []] += aliases
    } else {
      guard let arrow = words.firstRange(of: " --> ") else { throw mistake }
      let from = String(words[..<arrow.lowerBound])
      let rest = words[arrow.upperBound...]
      let colon = rest.firstRange(of: ": ")
      let to = String(rest[..<(colon?.lowerBound ?? rest.endIndex)])
      guard [from, to].allSatisfy({ $0 == "[*]" || Self.isAlias($0) }) else { throw mistake }
      var label = ""
      if let colon { label = try MermaidReading.plain(rest[colon.upperBound...], line) }
      transitions.append((from, to, label))
    }
  }

  /// No word of the language: `end`, `state`, `note` and `direction` begin other statements.
  private static func isAlias(_ text: String) -> Bool {
    !["end", "state", "note", "direction", "class", "classDef"].contains(text)
      && text.first?.isLetter == true && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// A double-quoted scalar of YAML on one line, which must be safe within a web page too.
  private static func scalar(_ line: Substring) throws(MermaidReading.Mistake) -> String {
    let mistake = MermaidReading.Mistake(line: String(line), reason: "no title")
    guard line.hasPrefix("title: \""), line.hasSuffix("\""), line.count >= 9 else { throw mistake }
    var rest = line.dropFirst(8).dropLast()
    var text = ""
    while let character = rest.popFirst() {
      guard character == "\\" else {
        guard !"\"<>&".contains(character) else { throw mistake }
        text.append(character)
        continue
      }
      switch rest.popFirst() {
      case "\\"?: text.append("\\")
      case "\""?: text.append("\"")
      case "x"?:
        guard let number = UInt32(rest.prefix(2), radix: 16), let scalar = Unicode.Scalar(number) else { throw mistake }
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(2)
      default: throw mistake
      }
    }
    return text
  }
}
