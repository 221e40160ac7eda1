import CLibXML2
import Diagnostics

extension XMLPropertyListReader {
  /// What libxml2 says about the XML itself, in plain words; one message for each place.
  mutating func mistake(_ code: Int32, _ message: String, position: Int) {
    let offset = min(max(position, 0), bytes.count)
    guard !wantsToStop, mistakeOffsets.insert(offset).inserted else { return }
    let code = UInt32(bitPattern: code)
    var place = offset
    let words: (message: String, help: String)
    switch code {
    case XML_ERR_TAG_NAME_MISMATCH.rawValue:
      place = opening(before: offset)
      let names = message.split(separator: " ")
      let opened = names.count > 5 ? "</\(names[5])>" : "another tag"
      let found = TagName(bytes, at: place).text
      words = ("</\(found)> stands where \(opened) is wanted", "Close what was opened last first.")
    case XML_ERR_TAG_NOT_FINISHED.rawValue, XML_ERR_DOCUMENT_END.rawValue, XML_ERR_DOCUMENT_EMPTY.rawValue:
      if code == XML_ERR_DOCUMENT_END.rawValue, offset < bytes.count {
        words = ("something follows the document", "Remove what stands behind </plist>.")
      } else {
        words = ("the document ends before its closing tags", "Check whether the file was cut off.")
      }
    case XML_ERR_UNDECLARED_ENTITY.rawValue, XML_WAR_UNDECLARED_ENTITY.rawValue:
      place = reference(before: offset)
      let name = String(decoding: bytes[place..<offset], as: UTF8.self)
      words = (
        "the entity \(name) is not known", "Only &amp; &lt; &gt; &quot; &apos; and numbers such as &#8364; are."
      )
    case XML_ERR_NAME_REQUIRED.rawValue where offset > 0 && bytes[offset - 1] == UInt8(ascii: "&"):
      place = offset - 1
      words = ("‘&’ stands alone", "Write &amp; for the character itself.")
    case XML_ERR_ENTITYREF_SEMICOL_MISSING.rawValue:
      place = reference(before: offset)
      words = ("‘&’ begins a reference that has no ‘;’", "Write &amp; for the character itself.")
    case XML_ERR_ENTITYREF_NO_NAME.rawValue, XML_ERR_NAME_REQUIRED.rawValue:
      words = ("a name is missing here", "Write &lt; and &amp; for the characters < and & themselves.")
    case XML_ERR_INVALID_CHAR.rawValue, XML_ERR_INVALID_CHARREF.rawValue:
      words = ("a control character stands in the text, which XML forbids", "Remove it, or use <data>.")
    case XML_ERR_COMMENT_NOT_FINISHED.rawValue: words = ("a comment has no end", "Close it with -->.")
    case XML_ERR_HYPHEN_IN_COMMENT.rawValue:
      words = ("‘--’ stands inside a comment, which XML forbids", "Remove one hyphen.")
    case XML_ERR_CDATA_NOT_FINISHED.rawValue: words = ("a CDATA section has no end", "Close it with ]]>.")
    case XML_ERR_LTSLASH_REQUIRED.rawValue, XML_ERR_GT_REQUIRED.rawValue:
      words = ("a tag is not complete here", "Check its ‘<’, ‘/’ and ‘>’.")
    case XML_ERR_RESERVED_XML_NAME.rawValue:
      words = ("the XML declaration does not stand at the very beginning", "Remove what stands before <?xml.")
    case XML_WAR_NS_URI.rawValue, XML_WAR_NS_URI_RELATIVE.rawValue, XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue: return
    default:
      let said = String(message.prefix { $0 != "\n" })
      words = (
        said.isEmpty ? "this is no well-formed XML" : "the XML is broken: \(said)", "Check the tags around this place."
      )
    }
    report(words.message, help: words.help, from: place, to: max(place, min(offset, bytes.count)))
  }

  /// The `&` before a place.
  func reference(before offset: Int) -> Int {
    var index = offset
    while index > 0, offset - index < 256 {
      index -= 1
      if bytes[index] == UInt8(ascii: "&") { return index }
    }
    return offset
  }

  /// After the last event: what is missing altogether.
  mutating func finish() {
    guard !wantsToStop else { return }
    if let open = scalar {
      scalar = nil
      close(open, end: bytes.count)
    }
    if builder.records.isEmpty, builder.diagnostics.isEmpty {
      builder.report(
        rule: "empty-document", "the property list holds no value", help: "Put a <dict>…</dict> into it.",
        at: .at(bytes.count))
    }
  }

  private struct TagName {
    var text: String

    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
      let name = bytes[min(offset, bytes.count)...].dropFirst().drop { $0 == UInt8(ascii: "/") }
      text = String(
        decoding: name.prefix { !TextBytes.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }.prefix(
          40),
        as: UTF8.self)
    }
  }
}
