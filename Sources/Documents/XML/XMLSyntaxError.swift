import CLibXML2

/// An error from libxml2 with a better message and a help text.
struct XMLSyntaxError {
  var place: Int
  var message: String
  var help: String

  /// Creates the error, or returns nil for an error that is not reported. `root` is the name of the root element if it
  /// is known.
  init?(_ code: Int32, _ libxmlMessage: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>, root: String?) {
    place = offset
    let code = UInt32(bitPattern: code)
    let text: (message: String, help: String)
    switch code {
    case XML_ERR_TAG_NAME_MISMATCH.rawValue:
      place = Self.opening(before: offset, in: bytes)
      let names = libxmlMessage.split(separator: " ")
      let opened = names.count > 5 ? "</\(names[5])>" : "another closing tag"
      let foundTag = Self.tagName(bytes, at: place)
      text = ("expected `\(opened)`, found `</\(foundTag)>`", "close the innermost element first")
    case XML_ERR_TAG_NOT_FINISHED.rawValue, XML_ERR_DOCUMENT_END.rawValue, XML_ERR_DOCUMENT_EMPTY.rawValue:
      if code == XML_ERR_DOCUMENT_END.rawValue, offset < bytes.count {
        text = (
          "unexpected text after the document",
          root.map { "remove everything after `</\($0)>`" } ?? "remove everything after the last closing tag"
        )
      } else {
        text = ("missing closing tags at the end of the document", "check whether the file is truncated")
      }
    case XML_ERR_UNDECLARED_ENTITY.rawValue, XML_WAR_UNDECLARED_ENTITY.rawValue:
      place = Self.reference(before: offset, in: bytes)
      let name = String(decoding: bytes[place..<offset], as: UTF8.self)
      text = (
        "unknown entity `\(name)`", "use `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`, or a number such as `&#8364;`"
      )
    case XML_ERR_NAME_REQUIRED.rawValue where offset > 0 && bytes[offset - 1] == UInt8(ascii: "&"):
      place = offset - 1
      text = ("unescaped `&`", "write `&amp;`")
    case XML_ERR_ENTITYREF_SEMICOL_MISSING.rawValue:
      place = Self.reference(before: offset, in: bytes)
      text = ("entity reference without `;`", "write `&amp;` for a literal `&`")
    case XML_ERR_ENTITYREF_NO_NAME.rawValue, XML_ERR_NAME_REQUIRED.rawValue:
      text = ("missing name", "write `&lt;` for a literal `<` and `&amp;` for a literal `&`")
    case XML_ERR_INVALID_CHAR.rawValue, XML_ERR_INVALID_CHARREF.rawValue:
      text = (
        "control character, which XML does not allow",
        root == "plist" ? "remove it, or use `<data>`" : "remove it"
      )
    case XML_WAR_NS_URI.rawValue, XML_WAR_NS_URI_RELATIVE.rawValue, XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue: return nil
    default:
      let libxmlMessage = String(libxmlMessage.prefix { $0 != "\n" })
      text =
        Self.text[code] ?? (
          libxmlMessage.isEmpty ? "malformed XML" : "malformed XML: \(libxmlMessage)",
          "check the tags around this position"
        )
    }
    message = text.message
    help = text.help
  }

  /// Messages that depend only on the error code.
  private static let text: [UInt32: (message: String, help: String)] = [
    XML_ERR_COMMENT_NOT_FINISHED.rawValue: ("unclosed comment", "add `-->`"),
    XML_ERR_HYPHEN_IN_COMMENT.rawValue: ("`--` inside a comment", "remove one hyphen"),
    XML_ERR_CDATA_NOT_FINISHED.rawValue: ("unclosed CDATA section", "add `]]>`"),
    XML_ERR_LTSLASH_REQUIRED.rawValue: ("incomplete tag", "check `<`, `/`, and `>`"),
    XML_ERR_GT_REQUIRED.rawValue: ("incomplete tag", "check `<`, `/`, and `>`"),
    XML_ERR_ATTRIBUTE_WITHOUT_VALUE.rawValue: ("attribute without a value", "write `name=\"value\"`"),
    XML_ERR_ATTRIBUTE_NOT_STARTED.rawValue: ("attribute value without quotes", "write `name=\"value\"`"),
    XML_ERR_ATTRIBUTE_NOT_FINISHED.rawValue: (
      "unclosed attribute value", "add the closing quote"
    ),
    XML_ERR_LT_IN_ATTRIBUTE.rawValue: (
      "`<` in an attribute value", "write `&lt;`, or add the closing quote"
    ),
    XML_ERR_RESERVED_XML_NAME.rawValue: (
      "XML declaration is not at the start of the file", "remove everything before `<?xml`"
    ),
  ]

  /// Returns the offset of the `<` of the tag whose name and attributes end here.
  static func opening(before position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = min(position, bytes.count) - 1
    while index > 0, bytes[index] != UInt8(ascii: "<") { index -= 1 }
    return max(index, 0)
  }

  /// Returns the offset of the last `&` before the given offset.
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
