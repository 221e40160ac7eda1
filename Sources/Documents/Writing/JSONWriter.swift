import Diagnostics

/// A writer that formats a tree as pretty-printed JSON with sorted names.
struct JSONWriter {
  var text = JSONTextBuilder(pretty: true, sortedKeys: true)
  var errors: [Diagnostic] = []

  mutating func write(_ node: Node) -> [UInt8] {
    add(node)
    return text.bytes + [UInt8(ascii: "\n")]
  }

  private mutating func add(_ node: Node) {
    switch node.kind {
    case .null: text.add("null")
    case .bool: text.add(node.bool == true ? "true" : "false")
    case .integer:
      // The reader accepts at most 309 digits, enough for the range of a double.
      if let digits = node.decimalText, digits.utf8.count <= 300 || Double(digits)?.isFinite == true {
        text.add(digits)
      } else {
        reportUnrepresentable(node)
      }
    case .real:
      if let number = node.number, number.isFinite {
        text.add(node.spelling(where: JSONReader.isNumber) ?? "\(number)")
      } else {
        reportUnrepresentable(node)
      }
    case .string: text.addString(node.string ?? "")
    case .data: text.addString(Base64.encode(node.data ?? []))
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

  private mutating func reportUnrepresentable(_ node: Node) {
    let text = (node.scalarText ?? "").prefix(40)
    errors.append(
      DocumentWriter.error(node, "JSON cannot represent the number `\(text)`", help: "use `null` or a string"))
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
