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
    case .integer: text.add(node.decimalText ?? "0")
    case .real:
      if let spelling = node.spelling(where: JSONReader.isNumber) {
        text.add(spelling)
      } else if let number = node.number, number.isFinite {
        text.add("\(number)")
      } else {
        refusals.append(
          DocumentWriter.refuse(
            node, "JSON cannot hold the number \(node.scalarText ?? "")", help: "Write null or a string instead."))
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
