import CLibXML2
import Effects

/// An HTML element, as parsed by libxml2's tolerant parser. Element and attribute names are in lowercase.
struct HTMLElement: Sendable {
  enum Child: Sendable {
    case element(HTMLElement)
    case text(String)
  }

  var name: String
  /// The attributes in source order, without duplicates.
  var attributes: [(name: String, value: String)]
  var children: [Child]

  /// The value of an attribute, or nil if the attribute is missing. For an attribute without a value, such as
  /// `checked`, the value is empty.
  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// Calls `body` for this element and all descendants. Parents come before their children.
  func forEach(_ body: (HTMLElement) -> Void) {
    body(self)
    for case .element(let child) in children { child.forEach(body) }
  }

  /// Returns the visible text with normalized spaces, truncated after about `limit` characters.
  func visibleText(limit: Int = .max) -> String {
    var words: [Substring] = []
    var room = limit
    collectWords(&words, &room)
    return words.joined(separator: " ")
  }

  private static let invisible: Set<String> = ["script", "style", "template", "head", "title", "noframes", "svg"]

  private func collectWords(_ words: inout [Substring], _ room: inout Int) {
    for child in children where room > 0 {
      switch child {
      case .text(let text):
        Self.collectWords(of: text, &words, &room)
      case .element(let element):
        if !Self.invisible.contains(element.name) { element.collectWords(&words, &room) }
      }
    }
  }

  /// Returns the text with normalized spaces.
  static func words(of text: String) -> String {
    var words: [Substring] = []
    var room = Int.max
    collectWords(of: text, &words, &room)
    return words.joined(separator: " ")
  }

  /// Processes characters only if the text is not ASCII, because processing characters is many times slower than
  /// processing bytes.
  private static func collectWords(of text: String, _ words: inout [Substring], _ room: inout Int) {
    if !text.hasByte(where: { $0 >= 0x80 }) {
      for word in text.utf8.split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) }) where room > 0 {
        words.append(Substring(word))
        room -= word.count + 1
      }
    } else {
      for word in text.split(whereSeparator: \.isWhitespace) where room > 0 {
        words.append(word)
        room -= word.count + 1
      }
    }
  }

  /// The text of all descendants, including scripts.
  var rawText: String {
    children.reduce(into: "") { text, child in
      switch child {
      case .text(let part): text += part
      case .element(let element): text += element.rawText
      }
    }
  }
}

extension HTMLElement {
  /// Parses a page. Returns nil if the page contains no elements or would exhaust the parser.
  /// - Parameter encoding: The encoding in the `Content-Type` field. If it is nil, valid UTF-8 is
  ///   parsed as UTF-8, and other bytes with the encoding that the page declares.
  init?(parsing bytes: [UInt8], encoding: String?) {
    guard let bytes = MarkupLimits.admitted(bytes) else { return nil }
    let encoding = encoding ?? (String(validating: bytes, as: UTF8.self) == nil ? nil : "UTF-8")
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue
    let document = bytes.withUnsafeBytes { buffer -> htmlDocPtr? in
      let characters = buffer.bindMemory(to: CChar.self)
      return htmlReadMemory(characters.baseAddress, CInt(clamping: characters.count), nil, encoding, CInt(options))
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return nil }
    self.init(root)
  }

  /// Copies a node of libxml2's tree. The parser limits the depth of the tree.
  private init(_ node: xmlNodePtr) {
    name = Self.string(node.pointee.name).lowercased()
    attributes = []
    var attribute = node.pointee.properties
    while let current = attribute {
      let key = Self.string(current.pointee.name).lowercased()
      if !attributes.contains(where: { $0.name == key }) {
        // The parser has already resolved references, so the value contains only text.
        var value = ""
        var part = current.pointee.children
        while let text = part {
          value += Self.string(text.pointee.content)
          part = text.pointee.next
        }
        attributes.append((key, value))
      }
      attribute = current.pointee.next
    }
    children = []
    var child = node.pointee.children
    while let current = child {
      switch current.pointee.type {
      case XML_ELEMENT_NODE: children.append(.element(HTMLElement(current)))
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: children.append(.text(Self.string(current.pointee.content)))
      default: break
      }
      child = current.pointee.next
    }
  }

  private static func string(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}
