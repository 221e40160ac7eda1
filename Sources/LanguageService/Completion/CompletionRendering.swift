import Diagnostics
import Documents

/// A renderer that writes candidates in a document's notation.
struct CompletionRendering: Sendable {
  let context: CursorContext

  /// - Parameter candidates: The candidates for the location. Keys are omitted where only a value is possible.
  func items(_ candidates: [Candidate]) -> [CompletionItem] {
    var labels: Set<String> = []
    return candidates.compactMap { candidate in
      guard labels.insert(candidate.text).inserted else { return nil }
      return item(candidate)
    }
  }

  private func item(_ candidate: Candidate) -> CompletionItem? {
    switch candidate.form {
    case .key(let types): return key(candidate, types)
    case .text: return value(candidate, scalar(candidate.text))
    case .literal(let json): return value(candidate, literal(json))
    case .part(let start, let suffix): return part(candidate, from: start, suffix)
    }
  }

  private func make(
    _ candidate: Candidate, _ text: String, snippet: String? = nil, span: SourceSpan? = nil, filter: String? = nil
  ) -> CompletionItem {
    CompletionItem(
      label: candidate.text, kind: candidate.kind, detail: candidate.detail, documentation: candidate.documentation,
      span: span ?? context.span, newText: text, snippet: snippet, filterText: filter ?? candidate.text,
      rank: candidate.rank, continues: candidate.continues)
  }

  // MARK: Keys

  private func key(_ candidate: Candidate, _ types: [String]) -> CompletionItem? {
    switch context.syntax {
    case .json:
      let quoted = JSON.string(candidate.text).text()
      guard !context.hasSeparator else { return make(candidate, quoted, filter: quoted) }
      let value = types.first == "object" ? "{$0}" : types.first == "array" ? "[$0]" : "$0"
      return make(
        candidate, "\(quoted): ", snippet: Self.escaped("\(quoted): ") + value,
        filter: context.isQuoted ? quoted : candidate.text)
    case .yaml:
      let name = context.isQuoted ? JSON.string(candidate.text).text() : Self.yamlKey(candidate.text)
      guard !context.hasSeparator else { return make(candidate, name, filter: filter(candidate.text)) }
      let space = context.needsSpace ? " " : ""
      return make(candidate, "\(space)\(name): ", filter: filter(candidate.text))
    case .propertyList: return propertyListKey(candidate, types)
    }
  }

  private func propertyListKey(_ candidate: Candidate, _ types: [String]) -> CompletionItem {
    let name = candidate.text.escapedForMarkup
    guard context.style == .missingElement else { return make(candidate, name) }
    let (value, snippet) =
      switch types.first {
      case "boolean": ("<true/>", "<true/>")
      case "integer": ("<integer></integer>", "<integer>$0</integer>")
      case "array": ("<array></array>", "<array>$0</array>")
      case "object": ("<dict></dict>", "<dict>$0</dict>")
      default: ("<string></string>", "<string>$0</string>")
      }
    let key = "<key>\(name)</key>"
    let filter = context.text.hasPrefix("<") ? key : candidate.text
    return make(candidate, "\(key)\(value)", snippet: Self.escaped(key) + snippet, filter: filter)
  }

  /// Returns a YAML key, in quotes if the plain form would have a different meaning.
  private static func yamlKey(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "_") || $0 >= UInt8(ascii: "A") } ?? false
      && !text.contains(": ") && !text.contains(" #") && !text.utf8.contains { ",[]{}".utf8.contains($0) }
      && !["on", "off", "yes", "no", "true", "false", "null", "y", "n"].contains(text.lowercased())
    // authflow's keys include `on`, which authflow accepts without quotes.
    return isPlain || text == "on" ? text : JSON.string(text).text()
  }

  // MARK: Values

  private func value(_ candidate: Candidate, _ text: String) -> CompletionItem {
    if context.role == .key {
      // In YAML, the text at the cursor is an unfinished key, so write the candidate as a key if possible.
      return key(candidate, ["string"]) ?? make(candidate, text)
    }
    return make(
      candidate, (context.needsSpace ? " " : "") + text, span: context.style.isElement ? context.innerSpan : nil,
      filter: filter(candidate.text))
  }

  /// Returns the text that clients compare with the text in the span.
  private func filter(_ text: String) -> String {
    switch context.style {
    case .doubleQuoted: "\"\(text)\""
    case .singleQuoted: "'\(text)'"
    case .missingElement where context.text.hasPrefix("<"): "<\(text)"
    default: text
    }
  }

  /// Returns a string in the notation of the document, with quotes if necessary.
  private func scalar(_ text: String) -> String {
    switch context.syntax {
    case .json: return JSON.string(text).text()
    case .propertyList:
      return context.style == .missingElement ? "<string>\(text.escapedForMarkup)</string>" : text.escapedForMarkup
    case .yaml:
      switch context.style {
      case .singleQuoted: return "'\(text.replacing("'", with: "''"))'"
      case .doubleQuoted: return JSON.string(text).text()
      default: return isPlain(text) ? text : JSON.string(text).text()
      }
    }
  }

  private func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, !"-?:,[]{}#&*!|>'\"%@` ".utf8.contains(first), !text.contains(": "),
      !text.contains(" #"), text.utf8.last != UInt8(ascii: ":")
    else { return text == "..." }
    if context.isFlow, text.utf8.contains(where: { ",[]{}".utf8.contains($0) }) { return false }
    return !["true", "false", "null", "yes", "no", "on", "off", "~"].contains(text.lowercased())
      && Double(text) == nil
  }

  private func literal(_ json: JSON) -> String {
    guard context.syntax == .propertyList else { return json.text() }
    guard context.style == .missingElement else { return json.text().escapedForMarkup }
    switch json {
    case .bool(let flag): return flag ? "<true/>" : "<false/>"
    case .integer(let number): return "<integer>\(number)</integer>"
    default: return "<string>\(json.text().escapedForMarkup)</string>"
    }
  }

  /// Replaces a part of a string, such as the name in `${name}`.
  private func part(_ candidate: Candidate, from start: Int, _ suffix: String) -> CompletionItem {
    let span = context.innerSpan
    let first = min(span.start + start, span.end)
    let cursor = min(span.start + context.prefix.utf8.count, span.end)
    var text = candidate.text
    switch (context.syntax, context.style) {
    case (.propertyList, _): text = text.escapedForMarkup
    case (_, .doubleQuoted): text = String(JSON.string(text).text().dropFirst().dropLast())
    case (_, .singleQuoted): text = text.replacing("'", with: "''")
    default: break
    }
    // Do not add the closing brace if it already follows the name.
    let rest = String(context.text.utf8.dropFirst(context.prefix.utf8.count)) ?? ""
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    let hasSuffix = !suffix.isEmpty && rest.dropFirst(name.count).hasPrefix(suffix)
    let end = suffix.isEmpty ? cursor : min(cursor + name.utf8.count, span.end)
    return make(
      candidate, text + (hasSuffix ? "" : suffix), span: SourceSpan(start: first, end: max(first, end)),
      filter: candidate.text)
  }

  /// Escapes text for LSP's snippet syntax.
  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("$", with: "\\$").replacing("}", with: "\\}")
  }
}

extension OutlineNode.Style {
  var isElement: Bool {
    if case .element = self { true } else { false }
  }
}
