import Documents

/// Serializes values in a given syntax and style.
struct ValueText {
  enum Quotes { case asNeeded, single, double }

  let style: TextStyle
  let syntax: DocumentSyntax
  /// Whether the value is inside brackets, where YAML reserves more characters.
  let isFlow: Bool
  /// Whether lists and mappings span several lines.
  let isMultiline: Bool
  let quotes: Quotes

  /// Returns the value's text, or nil if the syntax cannot represent the value. The first line has no indentation, and
  /// all other lines start with the margin.
  func text(_ value: JSON, margin: String) -> String? {
    switch syntax {
    case .json: json(value, margin)
    case .yaml: isFlow ? flow(value) : block(value, margin)
    case .xmlPropertyList: xml(value, margin)
    case .openStepPropertyList: openStep(value, margin)
    case .binaryPropertyList: nil
    }
  }

  /// Returns a key without the separator that follows it.
  func key(_ name: String) -> String {
    switch syntax {
    case .json: JSON.string(name).text()
    case .yaml: yaml(name, .asNeeded)
    case .xmlPropertyList: "<key>\(Self.escapedXML(name))</key>"
    case .openStepPropertyList, .binaryPropertyList: Self.openStepWord(name)
    }
  }

  /// Returns the text that follows a key's colon in a YAML block.
  func blockValue(_ value: JSON, margin: String) -> String? {
    switch value {
    case .object where value != [:]:
      block(value, margin + style.unit).map { style.newline + margin + style.unit + $0 }
    case .array(let elements) where !elements.isEmpty:
      block(value, margin + (style.indentsLists ? style.unit : "")).map {
        style.newline + margin + (style.indentsLists ? style.unit : "") + $0
      }
    default: block(value, margin).map { " " + $0 }
    }
  }

  // MARK: Syntaxes

  private func json(_ value: JSON, _ margin: String) -> String? {
    switch value {
    case .array(let elements):
      bracketed("[", "]", elements.map { json($0, margin + style.unit) }, ",", margin)
    case .object(let members):
      bracketed(
        "{", "}", members.map { (name, value) in json(value, margin + style.unit).map { "\(key(name)): \($0)" } }, ",",
        margin)
    default: value.text()
    }
  }

  private func flow(_ value: JSON) -> String? {
    switch value {
    case .array(let elements): "[" + elements.compactMap(flow).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.compactMap { (name, value) in flow(value).map { "\(key(name)): \($0)" } }.joined(separator: ", ")
        + "}"
    case .string(let text): yaml(text, quotes)
    default: value.text()
    }
  }

  private func block(_ value: JSON, _ margin: String) -> String? {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      elements.compactMap { block($0, margin + "  ").map { "- " + $0 } }.joined(separator: style.newline + margin)
    case .object(let members) where value != [:]:
      members.compactMap { (name, value) in blockValue(value, margin: margin).map { "\(key(name)):\($0)" } }
        .joined(separator: style.newline + margin)
    default: flow(value)
    }
  }

  private func xml(_ value: JSON, _ margin: String) -> String? {
    func element(_ name: String, _ children: [String?]) -> String? {
      let known = children.compactMap(\.self)
      guard known.count == children.count else { return nil }
      if known.isEmpty { return "<\(name)/>" }
      guard isMultiline else { return "<\(name)>\(known.joined())</\(name)>" }
      let inner = style.newline + margin + style.unit
      return "<\(name)>" + known.map { inner + $0 }.joined() + style.newline + margin + "</\(name)>"
    }
    switch value {
    case .null: return nil
    case .bool(let value): return value ? "<true/>" : "<false/>"
    case .integer(let value): return "<integer>\(value)</integer>"
    case .real(let value): return "<real>\(value)</real>"
    case .string(let text): return "<string>\(Self.escapedXML(text))</string>"
    case .array(let elements): return element("array", elements.map { xml($0, margin + style.unit) })
    case .object(let members):
      return element("dict", members.flatMap { (name, value) in [key(name), xml(value, margin + style.unit)] })
    }
  }

  private func openStep(_ value: JSON, _ margin: String) -> String? {
    switch value {
    case .null: return nil
    case .bool(let value): return value ? "YES" : "NO"
    case .integer(let value): return "\(value)"
    case .real(let value): return Self.openStepWord("\(value)")
    case .string(let text): return quotes == .double ? Self.quotedOpenStep(text) : Self.openStepWord(text)
    case .array(let elements):
      return bracketed("(", ")", elements.map { openStep($0, margin + style.unit) }, ",", margin, isTrailing: true)
    case .object(let members):
      let entries = members.map { (name, value) in
        openStep(value, margin + style.unit).map { "\(key(name)) = \($0)" }
      }
      return bracketed("{", "}", entries, ";", margin, isTrailing: true)
    }
  }

  /// - Parameter isTrailing: Whether the last element also has a separator.
  private func bracketed(
    _ open: String, _ close: String, _ texts: [String?], _ separator: String, _ margin: String, isTrailing: Bool = false
  ) -> String? {
    let known = texts.compactMap(\.self)
    guard known.count == texts.count else { return nil }
    guard !known.isEmpty else { return open + close }
    let last = isTrailing && (isMultiline || separator == ";") ? separator : ""
    guard isMultiline else { return open + known.joined(separator: separator + " ") + last + close }
    let inner = style.newline + margin + style.unit
    return open + inner + known.joined(separator: separator + inner) + last + style.newline + margin + close
  }

  // MARK: Strings

  /// Returns a YAML string on one line.
  func yaml(_ text: String, _ quotes: Quotes) -> String {
    switch quotes {
    case .double: return JSON.string(text).text()
    case .single: return Self.singleQuotedYAML(text) ?? JSON.string(text).text()
    case .asNeeded: return Self.plainYAML(text, isFlow: isFlow) ?? JSON.string(text).text()
    }
  }

  /// Returns the text without quotes if YAML reads it as the same string, or nil if the text needs quotes.
  static func plainYAML(_ text: String, isFlow: Bool) -> String? {
    guard !text.isEmpty, !text.contains(where: \.isNewline),
      !isFlow || !text.contains(where: { ",[]{}".contains($0) }),
      let serialized = try? DocumentWriter.write(Document.of(.string(text), name: ""), as: .yaml),
      String(decoding: serialized, as: UTF8.self) == text + "\n"
    else { return nil }
    return text
  }

  static func singleQuotedYAML(_ text: String) -> String? {
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value < 0x2028 })
    else { return nil }
    return "'" + text.replacing("'", with: "''") + "'"
  }

  /// Escapes text for XML elements and attributes in double quotes.
  static func escapedXML(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // XML parsers would read an unescaped carriage return as a line feed.
      case "\r": result += "&#13;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the text, in quotes if Xcode would quote it.
  static func openStepWord(_ text: String) -> String { isBareOpenStep(text) ? text : quotedOpenStep(text) }

  static func isBareOpenStep(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("//") && !text.contains("___")
      && text.utf8.allSatisfy { byte in
        byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || "_$/:.".utf8.contains(byte)
      }
  }

  static func quotedOpenStep(_ text: String) -> String { "\"" + escapedOpenStep(text, quote: "\"") + "\"" }

  static func escapedOpenStep(_ text: String, quote: Unicode.Scalar) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case quote, "\\":
        result += "\\"
        result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
