import CLibXML2
import Effects

/// An element of a page, as libxml2's tolerant parser understood it. Names are in lower case.
struct HTMLElement: Sendable {
  enum Child: Sendable {
    case element(HTMLElement)
    case text(String)
  }

  var name: String
  /// In the order of the page; of equal names the first.
  var attributes: [(name: String, value: String)]
  var children: [Child]

  /// An attribute's value; an empty one for an attribute without a value (`checked`).
  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// This element and all below it, parents first.
  func forEach(_ body: (HTMLElement) -> Void) {
    body(self)
    for case .element(let child) in children { child.forEach(body) }
  }

  /// The text that a reader sees, blanks made single, cut after `limit` characters or a little more.
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

  /// The words of a text, blanks made single.
  static func words(of text: String) -> String {
    var words: [Substring] = []
    var room = Int.max
    collectWords(of: text, &words, &room)
    return words.joined(separator: " ")
  }

  /// Only a text with more than ASCII is looked at character by character, which takes many times as long.
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

  /// All text below, scripts included.
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
  /// Reads a page, however broken; nil where there is no element in it, or where it is made to exhaust the parser.
  /// - Parameter encoding: what the `Content-Type` says; otherwise UTF-8 where the bytes are, else what the page says.
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

  /// Copies a node of libxml2's tree; the parser bounds its depth.
  private init(_ node: xmlNodePtr) {
    name = Self.string(node.pointee.name).lowercased()
    attributes = []
    var attribute = node.pointee.properties
    while let current = attribute {
      let key = Self.string(current.pointee.name).lowercased()
      if !attributes.contains(where: { $0.name == key }) {
        // References were resolved while parsing, so a value is nothing but text.
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
