import Diagnostics
import Documents
import OrderedCollections

/// Replaces members of a scenario in its file. The rest of the file, such as comments and layout, is unchanged.
package struct ScenarioReplacement: Sendable {
  /// The reason why the file cannot be changed.
  package struct Failure: Error, Sendable, Equatable {
    package var message: String
  }

  private let document: Document
  private let name: String
  private let scenario: Node
  private let changed: JSON

  /// - Parameter members: The new values of `given`, `before`, and other keys. A nil value removes the key.
  /// - Throws: An error if the document does not contain the scenario.
  package init(of name: String, in document: Document, members: [(key: String, value: JSON?)]) throws(Failure) {
    guard let scenario = document.scenario(named: name) else {
      throw Failure(message: "`\(document.source.name)` does not contain the scenario `\(name.prefix(100))`")
    }
    self.document = document
    self.name = name
    self.scenario = scenario
    var changed = scenario.json.object ?? [:]
    for (key, value) in members { changed[key] = value.map { Self.keepingSingleEvents($0, of: changed[key]) } }
    self.changed = .object(changed)
  }

  /// Returns the new value. If the old value is a single event and the new value is a list of only this event, returns
  /// the event itself.
  private static func keepingSingleEvents(_ new: JSON, of old: JSON?) -> JSON {
    guard let old else { return new }
    if let list = new.array, list.count == 1, list[0] == old { return old }
    guard let members = new.object, old.object != nil else { return new }
    return .object(
      OrderedDictionary(uniqueKeysWithValues: members.map { ($0.key, keepingSingleEvents($0.value, of: old[$0.key])) }))
  }

  /// Returns the edits to the file. The list is empty if the scenario already has the values.
  /// - Throws: An error if the scenario cannot be edited without changing other text.
  package func edits() throws(Failure) -> [Diagnostic.Edit] {
    guard document.syntax == .yaml || document.syntax == .json else {
      throw Failure(message: "only scenarios in YAML and JSON files can be replaced; save a new scenario instead")
    }
    var edits = NodeEdits(document: document)
    edits.update(scenario, to: changed)
    guard isRight(edits.edits) else {
      throw Failure(
        message:
          "the layout of `\(document.source.name)` does not allow this change; save a new scenario, or edit the file"
      )
    }
    return edits.edits
  }

  /// Whether the edits change only the members, and change them to the new values.
  private func isRight(_ edits: [Diagnostic.Edit]) -> Bool {
    guard let bytes = try? SpanEdits.apply(edits, to: document.source) else { return false }
    let reading = DocumentReader.read(bytes, named: document.source.name)
    guard let written = reading.document, !reading.diagnostics.hasErrors, written.syntax == document.syntax else {
      return false
    }
    var whole = document.root.json
    if document.root["scenarios"] != nil {
      var scenarios = whole["scenarios"] ?? [:]
      scenarios[name] = changed
      whole["scenarios"] = scenarios
    } else {
      whole[name] = changed
    }
    return written.root.json.text() == whole.text()
  }
}

extension Document {
  /// Returns the scenario in a workflow or in a file that contains only scenarios, or nil if there is none.
  package func scenario(named name: String) -> Node? { (root["scenarios"] ?? root)[name] }
}

/// The edits that change a node to a different value, with as few changes to the text as possible.
private struct NodeEdits {
  let document: Document
  var edits: [Diagnostic.Edit] = []

  /// The order of a scenario's keys. Other keys come last.
  private static let order = ["settings", "clients", "directory", "inputs", "given", "before", "user", "expect"]

  private var bytes: [UInt8] { document.source.bytes }

  mutating func update(_ node: Node, to value: JSON) {
    guard node.json != value else { return }
    let isBlock = !isFlow(node)
    if node.kind == .mapping, let object = value.object, !object.isEmpty {
      if isBlock { return updateBlock(node, to: object) }
      let keys = node.entries.compactMap(\.key.string)
      if Set(keys).isSubset(of: object.keys) { return updateFlow(node, to: object) }
    }
    if node.kind == .array, isBlock, let list = value.array, !list.isEmpty { return updateBlock(node, to: list) }
    replace(node.span.start, ScenarioInsertion.end(of: node), with: flow(value))
  }

  private func isFlow(_ node: Node) -> Bool {
    guard node.kind == .mapping || node.kind == .array, node.span.start < bytes.count else { return true }
    return bytes[node.span.start] == UInt8(ascii: "{") || bytes[node.span.start] == UInt8(ascii: "[")
  }

  private mutating func replace(_ start: Int, _ end: Int, with text: String) {
    edits.append(Diagnostic.Edit(span: SourceSpan(start: start, end: end), replacement: text))
  }

  // MARK: Mappings

  private mutating func updateBlock(_ node: Node, to object: OrderedDictionary<String, JSON>) {
    let entries = Array(node.entries)
    var kept: [(key: String, end: Int)] = []
    for (key, value) in entries {
      let end = ScenarioInsertion.end(of: value.kind == .null ? key : value)
      if let name = key.string, let new = object[name], value.kind != .null || new == .null {
        update(value, to: new)
        kept.append((name, end))
      } else {
        replace(startOfLine(key.span.start), ScenarioInsertion.endOfLine(bytes, after: end), with: "")
      }
    }
    let names = Set(kept.map(\.key))
    guard let first = entries.first?.key else { return }
    for (key, value) in object where !names.contains(key) {
      let previous = kept.last { Self.rank($0.key) <= Self.rank(key) }
      let position = previous.map { ScenarioInsertion.endOfLine(bytes, after: $0.end) } ?? startOfLine(first.span.start)
      insert(block([key: value], margin: first.place.start.column - 1), at: position)
    }
  }

  private static func rank(_ key: String) -> Int { order.firstIndex(of: key) ?? order.count }

  private mutating func updateFlow(_ node: Node, to object: OrderedDictionary<String, JSON>) {
    for (key, value) in node.entries {
      if let name = key.string, let new = object[name] { update(value, to: new) }
    }
    let existing = Set(node.entries.compactMap(\.key.string))
    let added = object.filter { !existing.contains($0.key) }.map { "\(flow(.string($0.key))): \(flow($0.value))" }
    guard !added.isEmpty else { return }
    // In `{ key: value }` and in a mapping that spans several lines, the whitespace after the bracket separates the new
    // members from the existing members.
    let start = node.span.start + 1
    let isSpaced = start < bytes.count && bytes[start] == 0x20
    let comma = existing.isEmpty ? "" : isSpaced || bytes[start] == 0x0A ? "," : ", "
    replace(start, start, with: (isSpaced ? " " : "") + added.joined(separator: ", ") + comma)
  }

  // MARK: Lists

  private mutating func updateBlock(_ node: Node, to list: [JSON]) {
    let old = Array(node.elements)
    let shorter = min(old.count, list.count)
    let start = (0..<shorter).first { old[$0].json != list[$0] } ?? shorter
    let same = (0..<(shorter - start)).first { old[old.count - 1 - $0].json != list[list.count - 1 - $0] }
    let end = same ?? shorter - start
    let margin = node.place.start.column - 1
    let removed = old[start..<(old.count - end)]
    var added = list[start..<(list.count - end)]
    var last = start > 0 ? old[start - 1] : nil
    for element in removed {
      let elementEnd = ScenarioInsertion.end(of: element)
      // A replacement on the same line preserves a comment at the end of the line.
      if let new = added.popFirst() {
        replace(element.span.start, elementEnd, with: line(new))
        last = element
      } else {
        replace(startOfLine(element.span.start), ScenarioInsertion.endOfLine(bytes, after: elementEnd), with: "")
      }
    }
    guard !added.isEmpty else { return }
    let position =
      last.map { ScenarioInsertion.endOfLine(bytes, after: ScenarioInsertion.end(of: $0)) }
      ?? startOfLine(node.span.start)
    insert(block(.array(Array(added)), margin: margin), at: position)
  }

  // MARK: Text

  private mutating func insert(_ lines: String, at position: Int) {
    let endsLine = position == 0 || bytes[position - 1] == 0x0A
    replace(position, position, with: endsLine ? lines : "\n" + lines.dropLast())
  }

  private func startOfLine(_ position: Int) -> Int { bytes[..<position].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 }

  /// Returns lines in YAML's block style, with each list element on one line.
  private func block(_ value: JSON, margin: Int) -> String {
    let space = String(repeating: " ", count: margin)
    if let list = value.array { return list.map { "\(space)- \(line($0))\n" }.joined() }
    return (value.object ?? [:]).map { key, value in
      let isNested = value.object?.isEmpty == false || value.array?.isEmpty == false
      let text = isNested ? "\n" + block(value, margin: margin + 2) : " \(flow(value))\n"
      return "\(space)\(flow(.string(key))):\(text)"
    }.joined()
  }

  /// Returns a list element on one line. A mapping with one key is written as `key: value` without braces.
  private func line(_ element: JSON) -> String {
    guard let object = element.object, object.count == 1, let entry = object.elements.first else {
      return flow(element)
    }
    return "\(flow(.string(entry.key))): \(flow(entry.value))"
  }

  /// Returns the value in YAML's flow style, or as JSON.
  private func flow(_ value: JSON) -> String {
    guard document.syntax == .yaml else { return value.text(sortedKeys: false) }
    if let list = value.array { return "[\(list.map(flow).joined(separator: ", "))]" }
    if let object = value.object {
      guard !object.isEmpty else { return "{}" }
      return "{ \(object.map { "\(flow(.string($0.key))): \(flow($0.value))" }.joined(separator: ", ")) }"
    }
    guard let text = value.string, Self.isPlain(text) else { return value.text() }
    return text
  }

  /// Whether a string is a duration such as `2h` or `1h30m`, which YAML does not read as a number.
  private static func isDuration(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, (0x30...0x39).contains(first) else { return false }
    return "smhd".utf8.contains(last)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || "smhd".utf8.contains($0) }
  }

  /// Whether a string needs no quotes in YAML's flow style.
  private static func isPlain(_ text: String) -> Bool {
    if isDuration(text) { return true }
    let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    guard let first = text.utf8.first, !words.contains(text.lowercased()) else { return false }
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    return isLetter
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte)
          || "_./@-".utf8.contains(byte)
      }
  }
}
