/// A writer that formats a tree as YAML 1.2 in block style. Parsing the result returns the same values.
struct YAMLWriter {
  private var text = ""

  mutating func write(_ node: Node) -> [UInt8] {
    add(node, indent: 0, startsLine: true, allowsBlock: false)
    return Array(text.utf8)
  }

  /// Appends a value to the current line and ends the line.
  ///
  /// - Parameters:
  ///   - indent: The column of the entries of a container.
  ///   - startsLine: Whether the first entry starts at the current position.
  private mutating func add(_ node: Node, indent: Int, startsLine: Bool, allowsBlock: Bool) {
    switch node.kind {
    case .mapping where node.count > 0:
      addEntries(node.distinctEntries.map { ($0.key, $0.value) }, indent: indent, startsLine: startsLine)
    case .array where node.count > 0:
      if !startsLine { text += "\n" }
      for (index, element) in node.elements.enumerated() {
        if index > 0 || !startsLine { text += String(repeating: " ", count: indent) }
        text += "- "
        add(element, indent: indent + 2, startsLine: true, allowsBlock: true)
      }
    case .uid: text += startsLine ? "CF$UID: \(node.uid ?? 0)\n" : " {CF$UID: \(node.uid ?? 0)}\n"
    default:
      if !startsLine { text += " " }
      text += scalar(node, indent: indent, allowsBlock: allowsBlock) + "\n"
    }
  }

  private mutating func addEntries(_ entries: [(String, Node)], indent: Int, startsLine: Bool) {
    if !startsLine { text += "\n" }
    let margin = String(repeating: " ", count: indent)
    for (index, (key, value)) in entries.enumerated() {
      if index > 0 || !startsLine { text += margin }
      let name = YAMLText.inline(key)
      // A key longer than 1024 characters requires an explicit key indicator (YAML 1.2.2 §7.4.3).
      text += name.unicodeScalars.count > 1000 ? "? \(name)\n\(margin):" : "\(name):"
      add(value, indent: indent + 2, startsLine: false, allowsBlock: true)
    }
  }

  private func scalar(_ node: Node, indent: Int, allowsBlock: Bool) -> String {
    switch node.kind {
    case .null: "null"
    case .bool: node.bool == true ? "true" : "false"
    case .integer: node.decimalText ?? "0"
    case .real: real(node)
    case .string: YAMLText.of(node.string ?? "", indent: allowsBlock ? indent : nil)
    case .data: "!!binary \"\(Base64.encode(node.data ?? []))\""
    case .date: "!!timestamp \(node.calendarTime.map(DateText.write) ?? "")"
    case .array: "[]"
    case .mapping: "{}"
    case .uid: "{CF$UID: \(node.uid ?? 0)}"
    }
  }

  private func real(_ node: Node) -> String {
    if let spelling = node.spelling(where: { YAMLCoreSchema.kind(of: $0) == .real }) { return spelling }
    let number = node.number ?? .nan
    if number.isNaN { return ".nan" }
    guard number.isFinite else { return number < 0 ? "-.inf" : ".inf" }
    return "\(number)"
  }
}
