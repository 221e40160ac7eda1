/// One node as it lies in the flat array: 20 bytes, offsets instead of pointers, in document order.
///
/// A container is followed by its descendants; `second` says where they end, so a whole subtree is skipped in one step.
struct NodeRecord {
  enum Kind: UInt8 {
    case null, bool, integer, real, string, data, date, uid, array, mapping
    /// A YAML alias or a shared object of a binary property list: the content stands at `first`.
    case alias
  }

  /// Where the text of a scalar lies and what must be done to it before it is the value's text.
  enum Form: UInt8 {
    /// The bytes in the source are the text.
    case verbatim
    /// The text is in the document's pool, already decoded.
    case pooled
    /// JSON string content with escapes.
    case jsonEscapes
    /// XML content with references, comments, CDATA sections or carriage returns.
    case xmlMarkup
    /// Hexadecimal digits with white space between them (OpenStep data).
    case hexDigits
    /// The big-endian bytes of a binary property list's number, date, UID, or the bytes of its data.
    case bigEndian
    /// UTF-16 text of a binary property list.
    case bigEndianUTF16
  }

  /// Where the node's token or container begins and ends in the source.
  var start: UInt32
  var end: UInt32
  /// Scalars: offset of the text. Containers: number of elements or entries. Alias: index of the content. Bool: 0 or 1.
  var first: UInt32
  /// Scalars: length of the text in bytes. Containers: index behind the last descendant.
  var second: UInt32
  var kind: Kind
  var form: Form

  init(_ kind: Kind, start: Int, end: Int, first: Int = 0, second: Int = 0, form: Form = .verbatim) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.first = UInt32(truncatingIfNeeded: first)
    self.second = UInt32(truncatingIfNeeded: second)
    self.kind = kind
    self.form = form
  }

  var isContainer: Bool { kind == .array || kind == .mapping }
  var textRange: Range<Int> { Int(first)..<Int(first) + Int(second) }
}
