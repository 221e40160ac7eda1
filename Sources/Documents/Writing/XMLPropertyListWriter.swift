import Diagnostics
import Effects

/// A writer that formats a tree as an XML property list in the layout of Apple's tools.
struct XMLPropertyListWriter {
  private var text = ""
  var errors: [Diagnostic] = []

  mutating func write(_ node: Node) -> [UInt8] {
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    add(node, depth: 0)
    text += "</plist>\n"
    return Array(text.utf8)
  }

  private mutating func line(_ depth: Int, _ content: String) {
    text += String(repeating: "\t", count: depth) + content + "\n"
  }

  private mutating func add(_ node: Node, depth: Int) {
    switch node.kind {
    case .null:
      errors.append(
        DocumentWriter.error(node, DocumentWriter.nullMessage, help: "remove the key, or set a value"))
    case .bool: line(depth, node.bool == true ? "<true/>" : "<false/>")
    case .integer:
      if let number = node.exactInteger {
        line(depth, "<integer>\(number)</integer>")
      } else {
        errors.append(
          DocumentWriter.error(
            node, "integer `\(node.scalarText ?? "")` is too large for a property list", help: "use a string"
          ))
      }
    case .real: line(depth, "<real>\(real(node.number ?? .nan))</real>")
    case .string: line(depth, "<string>\(escaped(node.string ?? "", at: node))</string>")
    case .data: data(node.data ?? [], depth: depth)
    case .date:
      var time = node.calendarTime
      time?.nanosecond = 0
      line(depth, "<date>\(time.map(DateText.write) ?? "")</date>")
    case .uid:
      line(depth, "<dict>")
      line(depth + 1, "<key>CF$UID</key>")
      line(depth + 1, "<integer>\(node.uid ?? 0)</integer>")
      line(depth, "</dict>")
    case .array:
      guard node.count > 0 else { return line(depth, "<array/>") }
      line(depth, "<array>")
      for element in node.elements { add(element, depth: depth + 1) }
      line(depth, "</array>")
    case .mapping:
      guard node.count > 0 else { return line(depth, "<dict/>") }
      line(depth, "<dict>")
      for (key, value, keyNode) in node.distinctEntries {
        line(depth + 1, "<key>\(escaped(key, at: keyNode))</key>")
        add(value, depth: depth + 1)
      }
      line(depth, "</dict>")
    }
  }

  private func real(_ number: Double) -> String {
    if number.isNaN { return "nan" }
    return number.isFinite ? "\(number)" : number < 0 ? "-infinity" : "+infinity"
  }

  /// Writes data in lines of at most 76 columns, as Apple's tools do. The width includes the indentation, with eight
  /// columns per tab.
  private mutating func data(_ bytes: [UInt8], depth: Int) {
    line(depth, "<data>")
    let width = max(4, (76 - 8 * min(depth, 8)) / 4 * 4)
    var rest = Base64.encode(bytes)[...]
    while !rest.isEmpty {
      line(depth, String(rest.prefix(width)))
      rest = rest.dropFirst(width)
    }
    line(depth, "</data>")
  }

  private mutating func escaped(_ content: String, at node: Node) -> String {
    var result = ""
    for scalar in content.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // A parser would read a bare carriage return as a line feed.
      case "\r": result += "&#13;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      default:
        if scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          errors.append(
            DocumentWriter.error(
              node, "XML cannot contain the character U+\(String(repeating: "0", count: 4 - digits.count))\(digits)",
              help: "remove it, or use a binary property list"))
          return ""
        }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
