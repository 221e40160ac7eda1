import Diagnostics

/// A tree as pretty JSON text with sorted names.
struct JSONWriter {
  var text = JSONTextBuilder(pretty: true, sortedKeys: true)
  var refusals: [Diagnostic] = []

  mutating func write(_ node: Node) -> [UInt8] {
    add(node)
    return text.bytes + [UInt8(ascii: "\n")]
  }

  private mutating func add(_ node: Node) {
    switch node.kind {
    case .null: text.add("null")
    case .bool: text.add(node.bool == true ? "true" : "false")
    case .integer:
      // No more digits than the reader takes: a double ends at 309.
      if let digits = node.decimalText, digits.utf8.count <= 300 || Double(digits)?.isFinite == true {
        text.add(digits)
      } else {
        refuse(node)
      }
    case .real:
      if let number = node.number, number.isFinite {
        text.add(node.spelling(where: JSONReader.isNumber) ?? "\(number)")
      } else {
        refuse(node)
      }
    case .string: text.addString(node.string ?? "")
    case .data: text.addString(Base64Text.encode(node.data ?? []))
    case .date: text.addString(node.calendarTime.map(DateText.write) ?? "")
    case .uid:
      text.container("{", "}", [node.uid ?? 0]) { text, uid in
        text.addName("CF$UID")
        text.add(String(uid))
      }
    case .array: addAll("[", "]", Array(node.elements)) { writer, element in writer.add(element) }
    case .mapping:
      let entries = node.distinctEntries.sorted { JSONTextBuilder.precedes($0.key, $1.key) }
      addAll("{", "}", entries) { writer, entry in
        writer.text.addName(entry.key)
        writer.add(entry.value)
      }
    }
  }

  private mutating func refuse(_ node: Node) {
    let shown = (node.scalarText ?? "").prefix(40)
    refusals.append(
      DocumentWriter.refuse(node, "JSON cannot hold the number \(shown)", help: "Write null or a string instead."))
  }

  private mutating func addAll<Element>(
    _ open: String, _ close: String, _ elements: [Element], _ body: (inout Self, Element) -> Void
  ) {
    text.open(open)
    for (index, element) in elements.enumerated() {
      text.separate(isFirst: index == 0)
      body(&self, element)
    }
    text.close(close, isEmpty: elements.isEmpty)
  }
}
