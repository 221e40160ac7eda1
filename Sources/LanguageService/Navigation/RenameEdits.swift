import Diagnostics
import Documents
import Validation

extension NamePlace {
  /// The name as written in the document.
  var text: String {
    let bytes = Array((node.scalarText ?? "").utf8)
    guard range.upperBound <= bytes.count else { return "" }
    return String(decoding: bytes[range], as: UTF8.self)
  }
}

/// The edits for a rename in one file.
struct RenameEdits {
  let newName: String

  init(_ newName: String) { self.newName = newName }

  func edits(of occurrences: [SymbolOccurrence]) throws(RenameError) -> [Diagnostic.Edit] {
    var edits: [Diagnostic.Edit] = []
    var done: Set<SourceSpan> = []
    for occurrence in occurrences {
      let node = occurrence.place.node
      // The text of an alias changes with its anchor.
      if occurrence.place.isAlias || !done.insert(node.span).inserted { continue }
      if occurrence.role == .implicitDeclaration {
        edits += try idInsertion(occurrence)
      } else {
        let places = occurrences.filter { $0.place.node.span == node.span && $0.role != .implicitDeclaration }
        edits += try replacement(places.map(\.place))
      }
    }
    return edits
  }

  /// Returns the edits for all names in one scalar.
  private func replacement(_ places: [NamePlace]) throws(RenameError) -> [Diagnostic.Edit] {
    guard let first = places.first else { return [] }
    if !first.isWhole, places.allSatisfy(\.isExact), isPlain {
      return places.map { Diagnostic.Edit(span: $0.span, replacement: newName) }
    }
    var text = Array((first.node.scalarText ?? "").utf8)
    for place in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound })
    where place.range.upperBound <= text.count {
      text.replaceSubrange(place.range, with: newName.utf8)
    }
    let result = String(decoding: text, as: UTF8.self)
    let edits =
      first.isKey
      ? TextEdits.replaceKey(first.node, with: result) : TextEdits.replaceValue(first.node, with: result)
    guard let edits else { throw unchangeable(first) }
    return edits
  }

  /// Whether the name can be part of a scalar in every syntax without requiring quotes or escapes.
  private var isPlain: Bool {
    newName.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.@+".unicodeScalars.contains($0)
    }
  }

  private func unchangeable(_ place: NamePlace) -> RenameError {
    let start = FileSpan(place.node.document.source, place.span).start
    return RenameError("cannot change the text in `\(place.node.document.source.name)`, line \(start.line)")
  }

  // MARK: Steps without an ID

  /// Returns the edits that add an `id` key to a step.
  private func idInsertion(_ occurrence: SymbolOccurrence) throws(RenameError) -> [Diagnostic.Edit] {
    let key = occurrence.place.node
    guard occurrence.place.isKey else {
      if key.document.syntax == .yaml {
        return [Diagnostic.Edit(span: key.span, replacement: "{ id: \(yamlName), \(occurrence.place.text): {} }")]
      }
      let step: JSON = ["id": .string(newName), occurrence.place.text: [:]]
      guard let edits = TextEdits.replaceValue(key, with: step) else { throw unchangeable(occurrence.place) }
      return edits
    }
    let source = key.document.source
    guard let first = Self.firstKey(in: occurrence.extent, of: key.document.root) else {
      throw unchangeable(occurrence.place)
    }
    let start = first.span.start
    let line = source.lineRange(at: start).lowerBound
    let before = source.bytes[line..<start]
    let margin = String(decoding: before.map { $0 == 0x09 ? 0x09 : 0x20 }, as: UTF8.self)
    let isFirstOnLine = before.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "-") }
    let isFlow = source.bytes[occurrence.extent.start] == UInt8(ascii: "{")
    let text: String
    switch key.document.syntax {
    case .json: text = "\"id\": \(JSON.string(newName).text())," + (isFirstOnLine ? "\n" + margin : " ")
    case .yaml:
      text = "id: \(yamlName)" + (isFlow ? ", " : "\n" + margin)
    case .xmlPropertyList:
      let indentation = String(decoding: before.prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
      text = "<key>id</key> <string>\(newName)</string>" + (isFirstOnLine ? "\n" + indentation : "")
    case .openStepPropertyList, .binaryPropertyList: throw unchangeable(occurrence.place)
    }
    return [Diagnostic.Edit(span: .at(start), replacement: text)]
  }

  /// The name as YAML, in quotes if necessary.
  private var yamlName: String { isSafeYAML ? newName : JSON.string(newName).text() }

  /// Whether YAML reads the name as a string.
  private var isSafeYAML: Bool {
    guard let first = newName.unicodeScalars.first, first.properties.isAlphabetic else { return false }
    return !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(newName.lowercased())
  }

  /// Returns the first key of the mapping at a span.
  private static func firstKey(in span: SourceSpan, of root: Node) -> Node? {
    var node = root
    while true {
      if node.kind == .mapping, node.span == span { return node.entries.first { _ in true }?.key }
      let children = node.kind == .mapping ? node.entries.map(\.value) : Array(node.elements)
      guard let child = children.first(where: { $0.span.start <= span.start && span.end <= $0.span.end }) else {
        return nil
      }
      node = child
    }
  }
}
