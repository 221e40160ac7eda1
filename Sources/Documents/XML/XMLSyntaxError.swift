import CLibXML2

/// What libxml2 says about text that is no well-formed XML, in plain words.
struct XMLSyntaxError {
  var place: Int
  var message: String
  var help: String

  /// Nil for what is no mistake to people. `root` is the name of the outermost element, where it is known.
  init?(_ code: Int32, _ said: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>, root: String?) {
    place = offset
    let code = UInt32(bitPattern: code)
    let words: (message: String, help: String)
    switch code {
    case XML_ERR_TAG_NAME_MISMATCH.rawValue:
      place = Self.opening(before: offset, in: bytes)
      let names = said.split(separator: " ")
      let opened = names.count > 5 ? "</\(names[5])>" : "another tag"
      let found = Self.tagName(bytes, at: place)
      words = ("</\(found)> stands where \(opened) is wanted", "Close what was opened last first.")
    case XML_ERR_TAG_NOT_FINISHED.rawValue, XML_ERR_DOCUMENT_END.rawValue, XML_ERR_DOCUMENT_EMPTY.rawValue:
      if code == XML_ERR_DOCUMENT_END.rawValue, offset < bytes.count {
        words = (
          "something follows the document",
          root.map { "Remove what stands behind </\($0)>." } ?? "Remove what stands behind the last closing tag."
        )
      } else {
        words = ("the document ends before its closing tags", "Check whether the file was cut off.")
      }
    case XML_ERR_UNDECLARED_ENTITY.rawValue, XML_WAR_UNDECLARED_ENTITY.rawValue:
      place = Self.reference(before: offset, in: bytes)
      let name = String(decoding: bytes[place..<offset], as: UTF8.self)
      words = (
        "the entity \(name) is not known", "Only &amp; &lt; &gt; &quot; &apos; and numbers such as &#8364; are."
      )
    case XML_ERR_NAME_REQUIRED.rawValue where offset > 0 && bytes[offset - 1] == UInt8(ascii: "&"):
      place = offset - 1
      words = ("‘&’ stands alone", "Write &amp; for the character itself.")
    case XML_ERR_ENTITYREF_SEMICOL_MISSING.rawValue:
      place = Self.reference(before: offset, in: bytes)
      words = ("‘&’ begins a reference that has no ‘;’", "Write &amp; for the character itself.")
    case XML_ERR_ENTITYREF_NO_NAME.rawValue, XML_ERR_NAME_REQUIRED.rawValue:
      words = ("a name is missing here", "Write &lt; and &amp; for the characters < and & themselves.")
    case XML_ERR_INVALID_CHAR.rawValue, XML_ERR_INVALID_CHARREF.rawValue:
      words = (
        "a control character stands in the text, which XML forbids",
        root == "plist" ? "Remove it, or use <data>." : "Remove it."
      )
    case XML_WAR_NS_URI.rawValue, XML_WAR_NS_URI_RELATIVE.rawValue, XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue: return nil
    default:
      let said = String(said.prefix { $0 != "\n" })
      words =
        Self.words[code] ?? (
          said.isEmpty ? "this is no well-formed XML" : "the XML is broken: \(said)",
          "Check the tags around this place."
        )
    }
    message = words.message
    help = words.help
  }

  /// The errors whose words depend on nothing else.
  private static let words: [UInt32: (message: String, help: String)] = [
    XML_ERR_COMMENT_NOT_FINISHED.rawValue: ("a comment has no end", "Close it with -->."),
    XML_ERR_HYPHEN_IN_COMMENT.rawValue: ("‘--’ stands inside a comment, which XML forbids", "Remove one hyphen."),
    XML_ERR_CDATA_NOT_FINISHED.rawValue: ("a CDATA section has no end", "Close it with ]]>."),
    XML_ERR_LTSLASH_REQUIRED.rawValue: ("a tag is not complete here", "Check its ‘<’, ‘/’ and ‘>’."),
    XML_ERR_GT_REQUIRED.rawValue: ("a tag is not complete here", "Check its ‘<’, ‘/’ and ‘>’."),
    XML_ERR_ATTRIBUTE_WITHOUT_VALUE.rawValue: ("an attribute has no value", "Write name=\"value\"."),
    XML_ERR_ATTRIBUTE_NOT_STARTED.rawValue: ("the value of an attribute stands in no quotes", "Write name=\"value\"."),
    XML_ERR_ATTRIBUTE_NOT_FINISHED.rawValue: (
      "the value of an attribute has no closing quote", "Close it with the quote that it began with."
    ),
    XML_ERR_LT_IN_ATTRIBUTE.rawValue: (
      "‘<’ stands in the value of an attribute", "Write &lt;, or close the value with its quote before."
    ),
    XML_ERR_RESERVED_XML_NAME.rawValue: (
      "the XML declaration does not stand at the very beginning", "Remove what stands before <?xml."
    ),
  ]

  /// The `<` of the tag whose name and attributes end here.
  static func opening(before position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = min(position, bytes.count) - 1
    while index > 0, bytes[index] != UInt8(ascii: "<") { index -= 1 }
    return max(index, 0)
  }

  /// The `&` before a place.
  static func reference(before offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = offset
    while index > 0, offset - index < 256 {
      index -= 1
      if bytes[index] == UInt8(ascii: "&") { return index }
    }
    return offset
  }

  private static func tagName(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
    let name = bytes[min(offset, bytes.count)...].dropFirst().drop { $0 == UInt8(ascii: "/") }
    return String(
      decoding: name.prefix { !ByteClassification.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        .prefix(40),
      as: UTF8.self)
  }
}
