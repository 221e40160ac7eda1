/// One node in a document's flat array. The array is in document order, and each record takes 20 bytes because it
/// contains offsets instead of pointers.
///
/// The descendants of a container directly follow it. `second` is the index after them, so a subtree can be skipped in
/// one step.
struct NodeRecord {
  enum Kind: UInt8 {
    case null, bool, integer, real, string, data, date, uid, array, mapping
    /// A YAML alias, or a shared object in a binary property list. `first` is the index of the content.
    case alias
  }

  /// The location of a scalar's text and its encoding.
  enum Form: UInt8 {
    /// The source contains the text.
    case verbatim
    /// The document's pool contains the decoded text.
    case pooled
    /// JSON string content with escapes.
    case jsonEscapes
    /// XML content with references, comments, CDATA sections, or carriage returns.
    case xmlMarkup
    /// Hexadecimal digits with whitespace (OpenStep data).
    case hexDigits
    /// The big-endian bytes of a number, date, or UID, or the bytes of data, in a binary property list.
    case bigEndian
    /// UTF-16 text in a binary property list.
    case bigEndianUTF16
  }

  /// The start of the node's range in the source.
  var start: UInt32
  var end: UInt32
  /// For a scalar, the offset of the text. For a container, the number of elements or entries. For an alias, the index
  /// of the content. For a boolean, 0 or 1.
  var first: UInt32
  /// For a scalar, the length of the text in bytes. For a container, the index after the last descendant.
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
