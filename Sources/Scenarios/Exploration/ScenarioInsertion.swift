import Diagnostics
import Documents
import OrderedCollections

/// Inserts scenarios into a document without changing its other content.
struct ScenarioInsertion: Sendable {
  let document: Document
  let scenarios: [(name: String, scenario: JSON)]

  /// Returns the bytes of the document, with the new scenarios after the existing scenarios.
  /// - Throws: An error if the format cannot contain the scenarios, or if authflow cannot write it.
  func bytes() throws(DocumentWriteError) -> [UInt8] {
    let inserted: [UInt8]? =
      switch document.syntax {
      case .json: braced
      case .yaml: try blockOrBraced
      case .xmlPropertyList: try tagged
      case .binaryPropertyList: try binary
      case .openStepPropertyList: nil
      }
    if let inserted, isRight(inserted) { return inserted }
    // If the insertion fails, write the entire document again, with the keys in the original order.
    let reading = DocumentReader.read(Array(whole.text(pretty: true, sortedKeys: false).utf8), named: "whole.json")
    guard let anew = reading.document else { return document.source.bytes }
    return document.syntax == .json ? anew.source.bytes + [0x0A] : try DocumentWriter.write(anew, as: document.syntax)
  }

  static func names(in document: Document) -> Set<String> {
    var names: Set<String> = []
    for (key, _) in document.root["scenarios"]?.entries ?? document.root.entries { names.insert(key.string ?? "") }
    return names
  }

  /// The content of the document, including the new scenarios.
  private var whole: JSON {
    var root = document.root.json
    var all: JSON = root["scenarios"] ?? [:]
    if all == .null { all = [:] }
    for (name, scenario) in scenarios { all[name] = Self.ordered(scenario) }
    root["scenarios"] = all
    return root
  }

  private func isRight(_ bytes: [UInt8]) -> Bool {
    let reading = DocumentReader.read(bytes, named: document.source.name)
    guard let written = reading.document, !reading.diagnostics.hasErrors else { return false }
    return written.syntax == document.syntax && written.root.json == whole
  }

  // MARK: Members

  /// Returns the scenario with its keys in a readable order: preconditions, events, user, expectations.
  private static func ordered(_ scenario: JSON) -> JSON {
    var ordered: JSON = [:]
    for key in ["settings", "clients", "directory", "inputs", "given", "before", "user", "expect"] {
      if let value = scenario[key] { ordered[key] = value }
    }
    return ordered
  }

  /// Returns the scenarios by name, in a mapping under the `scenarios` key if the document does not have this key.
  private func members(within existing: Node?) -> JSON {
    var all: JSON = [:]
    for (name, scenario) in scenarios { all[name] = Self.ordered(scenario) }
    return existing == nil ? ["scenarios": all] : all
  }

  /// The node with the existing scenarios, or the root of the document.
  private var target: Node { document.root["scenarios"] ?? document.root }

  // MARK: JSON, and YAML in flow style

  private var braced: [UInt8]? {
    let members = members(within: document.root["scenarios"])
    let bytes = document.source.bytes
    let span = target.span
    guard target.kind == .mapping, span.end <= bytes.count, bytes[span.end - 1] == UInt8(ascii: "}") else { return nil }
    let layout = Layout(of: bytes, from: span.start, closedAt: span.end - 1)
    var text = ""
    for (number, (name, value)) in (members.object ?? [:]).elements.enumerated() {
      let key = JSON.string(name).text()
      guard layout.isSpread else {
        text += "\(number == 0 ? "" : ", ")\(key): \(value.text(sortedKeys: false))"
        continue
      }
      let lines = value.text(pretty: true, sortedKeys: false).split(separator: "\n", omittingEmptySubsequences: false)
      let rest = lines.dropFirst().map { line in
        let depth = line.prefix { $0 == " " }.count
        return "\n" + layout.margin + String(repeating: layout.unit, count: depth / 2) + line.dropFirst(depth)
      }
      text += "\(number == 0 ? "" : ",")\n\(layout.margin)\(key): \(lines[0])\(rest.joined())"
    }
    guard let last = Array(target.entries).last?.value else {
      let end = layout.isSpread ? "\n\(layout.closing)" : ""
      return bytes[..<(span.start + 1)] + Array("\(text)\(end)".utf8) + bytes[(span.end - 1)...]
    }
    // Insert the comma after the last value, before any comment on the same line.
    let comma = Array((layout.isSpread ? "," : ", ").utf8)
    return bytes[..<last.span.end] + comma + bytes[last.span.end..<layout.insertion] + Array(text.utf8)
      + bytes[layout.insertion...]
  }

  /// The layout of a container.
  private struct Layout {
    /// Whether the closing bracket is on a separate line.
    var isSpread: Bool
    /// The indentation of the members.
    var margin: String
    var closing: String
    /// The indentation of one level.
    var unit: String
    /// The offset at which new members are inserted.
    var insertion: Int

    init(of bytes: [UInt8], from start: Int, closedAt close: Int) {
      func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
      func margin(ofLineAt position: Int) -> String {
        let line = bytes[..<position].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return String(decoding: bytes[line...].prefix(while: isBlank), as: UTF8.self)
      }
      var before = close
      while before > start, isBlank(bytes[before - 1]) { before -= 1 }
      let isAlone = before > start && bytes[before - 1] == 0x0A
      let isEmpty = bytes[(start + 1)..<close].allSatisfy { isBlank($0) || $0 == 0x0A || $0 == 0x0D }
      isSpread = isAlone || isEmpty && bytes.dropLast().contains(0x0A)
      let outer = margin(ofLineAt: isAlone ? close : start)
      var inner = outer + "  "
      if isAlone, let line = bytes[start...].firstIndex(of: 0x0A) {
        let first = margin(ofLineAt: line + 1)
        if first.count > outer.count { inner = first }
      }
      closing = outer
      self.margin = inner
      unit = String(inner.dropFirst(outer.count))
      insertion = isAlone ? before - 1 : close
      if isAlone, insertion > start, bytes[insertion - 1] == 0x0D { insertion -= 1 }
    }
  }

  // MARK: YAML

  private var blockOrBraced: [UInt8]? {
    get throws(DocumentWriteError) {
      let bytes = document.source.bytes
      if document.root.span.start < bytes.count, bytes[document.root.span.start] == UInt8(ascii: "{") { return braced }
      return try block
    }
  }

  /// The document with the scenarios appended to a YAML block. Nil if the document is indented or the scenarios are in
  /// flow style.
  private var block: [UInt8]? {
    get throws(DocumentWriteError) {
      let root = document.root
      guard let firstKey = Array(root.entries).first?.key, firstKey.place.start.column == 1 else { return nil }
      var bytes = document.source.bytes
      if bytes.last != 0x0A { bytes.append(0x0A) }
      var text = ""
      var margin = 2
      var position = bytes.count
      if let entry = root.entry("scenarios") {
        if entry.value.kind == .mapping, entry.value.count > 0 {
          guard let first = Array(entry.value.entries).first?.key, first.place.start.column > 1,
            first.place.start.line > entry.key.place.start.line
          else { return braced }
          margin = first.place.start.column - 1
        } else {
          guard entry.value.kind == .null else { return braced }
        }
        if Array(root.entries).last?.key.string != "scenarios" {
          position = Self.endOfLine(bytes, after: Self.end(of: entry.value.kind == .null ? entry.key : entry.value))
        }
      } else {
        text = "\nscenarios:\n"
      }
      for (name, scenario) in scenarios {
        let entry: JSON = [name: Self.ordered(scenario)]
        let reading = DocumentReader.read(Array(entry.text(sortedKeys: false).utf8), named: "scenario.json")
        guard let node = reading.document else { return nil }
        let lines = String(decoding: try DocumentWriter.write(node, as: .yaml), as: UTF8.self)
        for line in lines.split(separator: "\n", omittingEmptySubsequences: true) {
          text += String(repeating: " ", count: margin) + line + "\n"
        }
      }
      return bytes[..<position] + Array(text.utf8) + bytes[position...]
    }
  }

  /// Returns the end of the last token in a block. The block's node is longer, because it extends to the next key.
  static func end(of node: Node) -> Int {
    if node.kind == .mapping, let last = Array(node.entries).last {
      return last.value.kind == .null ? last.key.span.end : end(of: last.value)
    }
    if node.kind == .array, let last = Array(node.elements).last { return end(of: last) }
    return node.span.end
  }

  static func endOfLine(_ bytes: [UInt8], after position: Int) -> Int {
    if position > 0, bytes[position - 1] == 0x0A { return position }
    return bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
  }

  // MARK: Property lists

  private var tagged: [UInt8]? {
    get throws(DocumentWriteError) {
      let json = members(within: document.root["scenarios"])
      let reading = DocumentReader.read(Array(json.text(sortedKeys: false).utf8), named: "scenarios.json")
      guard let node = reading.document else { return nil }
      let list = String(decoding: try DocumentWriter.write(node, as: .xmlPropertyList), as: UTF8.self)
      let lines = list.split(separator: "\n", omittingEmptySubsequences: false)
      // Give up on multiline strings, because indenting them would change their value.
      guard let open = lines.firstIndex(of: "<dict>"), let close = lines.lastIndex(of: "</dict>"),
        lines[(open + 1)..<close].allSatisfy({ $0.drop { $0 == "\t" }.hasPrefix("<") })
      else { return nil }
      let bytes = document.source.bytes
      let span = target.span
      let (tag, empty) = (Array("</dict>".utf8), Array("<dict/>".utf8))
      guard target.kind == .mapping, span.end <= bytes.count else { return nil }
      let isEmpty = bytes[span.start..<span.end].elementsEqual(empty)
      guard isEmpty || bytes[..<span.end].suffix(tag.count).elementsEqual(tag) else { return nil }
      let layout = Layout(of: bytes, from: span.start, closedAt: isEmpty ? span.end : span.end - tag.count)
      let isSpread = isEmpty ? bytes.contains(0x0A) : layout.isSpread
      let closing = layout.closing
      let margin = layout.unit == "  " && isEmpty ? closing + "\t" : layout.margin
      let unit = String(margin.dropFirst(closing.count))
      let text = lines[(open + 1)..<close].map { line in
        let depth = line.prefix { $0 == "\t" }.count
        return isSpread
          ? "\n" + margin + String(repeating: unit, count: max(0, depth - 1)) + line.dropFirst(depth)
          : String(line.dropFirst(depth))
      }.joined()
      if isEmpty {
        let whole = "<dict>\(text)\(isSpread ? "\n\(closing)" : "")</dict>"
        return bytes[..<span.start] + Array(whole.utf8) + bytes[span.end...]
      }
      return bytes[..<layout.insertion] + Array(text.utf8) + bytes[layout.insertion...]
    }
  }

  /// The document as a binary property list. The insertion uses its XML form, because XML text preserves values of all
  /// types.
  private var binary: [UInt8]? {
    get throws(DocumentWriteError) {
      let text = try DocumentWriter.write(document, as: .xmlPropertyList)
      guard let list = DocumentReader.read(text, named: document.source.name).document,
        let inserted = try ScenarioInsertion(document: list, scenarios: scenarios).tagged,
        let whole = DocumentReader.read(inserted, named: document.source.name).document
      else { return nil }
      return try DocumentWriter.write(whole, as: .binaryPropertyList)
    }
  }
}
