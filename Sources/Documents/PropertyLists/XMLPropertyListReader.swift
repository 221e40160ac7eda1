import Diagnostics

/// A reader for XML property lists. libxml2 checks that they are well-formed, and this reader checks their content.
///
/// Nodes refer to the source text of scalars. Entity references are resolved when a value is accessed.
struct XMLPropertyListReader {
  enum Tag {
    case plist, dict, array, key, string, integer, real, date, data, bool(Bool), unknown
  }

  /// An open element that is not a container.
  struct OpenScalar {
    var tag: Tag
    var start: Int
    /// The offset of the `>` at the end of the start tag, or of the `/` before it.
    var tagEnd: Int
    /// The depth of invalid elements inside the scalar.
    var depth = 0
    var isBroken = false
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var builder: TreeBuilder
  var scalar: OpenScalar?
  var openPlists = 0
  var sawPlist = false
  /// The current depth inside a skipped element.
  var skipping = 0
  var rootIsRead = false
  var isStopRequested = false
  var errorOffsets: Set<Int> = []

  static func read(_ source: SourceText, limits: ReadingLimits) -> ReadResult {
    source.bytes.withUnsafeBufferPointer { bytes in
      var builder = TreeBuilder(source: source, limits: limits)
      builder.records.reserveCapacity(min(bytes.count / 16 + 16, 1 << 24))
      var reader = XMLPropertyListReader(bytes: bytes, builder: builder)
      if let tag = XMLTagLengths.firstOverlong(bytes) {
        reader.report(
          "tag longer than \(XMLTagLengths.limit) bytes",
          help: "remove attributes, which property lists do not use",
          from: tag, to: tag + 1)
      } else {
        XMLEvents.parse(bytes, into: &reader)
      }
      reader.finish()
      return reader.builder.finish(.xmlPropertyList)
    }
  }

  init(bytes: UnsafeBufferPointer<UInt8>, builder: consuming TreeBuilder) {
    self.bytes = bytes
    self.builder = builder
  }

  mutating func report(
    _ message: String, help: String? = nil, from start: Int, to end: Int, related: [Diagnostic.Related] = []
  ) {
    builder.report(
      rule: "plist-syntax", message, help: help, at: SourceSpan(start: start, end: end), related: related)
    if builder.isFull { isStopRequested = true }
  }

  // MARK: Elements

  mutating func startElement(_ name: UnsafeBufferPointer<UInt8>, hasAttributes: Bool, position: Int) {
    let start = opening(before: position)
    if skipping + (scalar?.depth ?? 0) > builder.limits.depth {
      builder.tooDeep(at: .at(start))
      isStopRequested = true
      return
    }
    if skipping > 0 {
      skipping += 1
      return
    }
    if scalar != nil {
      if scalar?.isBroken == false {
        report(
          "element inside a scalar", help: "close the scalar first: it can contain only text", from: start,
          to: position + 1)
      }
      scalar?.depth += 1
      scalar?.isBroken = true
      return
    }
    let tag = Self.tag(name)
    switch tag {
    case .plist: openPlist(start, position)
    case .dict: openContainer(.mapping, start)
    case .array: openContainer(.array, start)
    case .key:
      if builder.frames.last?.isMapping != true {
        report("`<key>` outside `<dict>`", help: "move it into a `<dict>`", from: start, to: position + 1)
        skipping = 1
      } else {
        if builder.awaitsValue { keyWithoutValue(at: start) }
        scalar = OpenScalar(tag: tag, start: start, tagEnd: position)
      }
    case .unknown:
      let word = String(decoding: name, as: UTF8.self)
      let knownElements = [
        "dict", "array", "key", "string", "integer", "real", "date", "data", "true", "false", "plist",
      ]
      report(
        "unknown element `<\(word)>`",
        help: Suggestion.nearest(to: word, among: knownElements).map { "did you mean `<\($0)>`?" }
          ?? "use `dict`, `array`, `string`, `integer`, `real`, `date`, `data`, `true`, or `false`", from: start,
        to: position + 1)
      if builder.awaitsValue { builder.scalar(NodeRecord(.null, start: start, end: position)) }
      skipping = 1
    default:
      // A value without a key is skipped, together with its content.
      guard expectsValue(at: start, tag: String(decoding: name, as: UTF8.self), to: position + 1) else {
        skipping = 1
        return
      }
      scalar = OpenScalar(tag: tag, start: start, tagEnd: position)
    }
  }

  private mutating func openPlist(_ start: Int, _ position: Int) {
    if sawPlist || !builder.records.isEmpty || !builder.frames.isEmpty {
      report("second `<plist>` element", help: "keep one property list in the file", from: start, to: position + 1)
      skipping = 1
      return
    }
    sawPlist = true
    openPlists = 1
  }

  private mutating func openContainer(_ kind: NodeRecord.Kind, _ start: Int) {
    guard expectsValue(at: start, tag: kind == .mapping ? "dict" : "array", to: start + 1) else {
      skipping = 1
      return
    }
    guard builder.open(kind, at: start) else {
      isStopRequested = true
      return
    }
  }

  /// Returns whether a value is allowed here. Reports an error if it is not.
  private mutating func expectsValue(at start: Int, tag: String, to end: Int) -> Bool {
    guard let frame = builder.frames.last else {
      guard rootIsRead else {
        rootIsRead = true
        return true
      }
      report(
        "second value `<\(tag)>` at the top level", help: "put several values into a `<dict>` or an `<array>`",
        from: start, to: end)
      return false
    }
    guard frame.isMapping, !builder.awaitsValue else { return true }
    report("value `<\(tag)>` without a key", help: "add `<key>…</key>` before it", from: start, to: end)
    return false
  }

  private mutating func keyWithoutValue(at offset: Int) {
    let key = builder.records.count - 1
    let span = builder.span(of: key)
    report(
      "missing value for the key `\(builder.keyText(key))`", help: "add a value after the key, or remove the key",
      from: span.start, to: span.end)
    builder.scalar(NodeRecord(.null, start: span.end, end: span.end))
  }

  mutating func endElement(position: Int) {
    if skipping > 0 {
      skipping -= 1
      return
    }
    if let open = scalar {
      if open.depth > 0 {
        scalar?.depth -= 1
      } else {
        scalar = nil
        close(open, end: position)
      }
      return
    }
    guard !builder.frames.isEmpty else {
      openPlists = 0
      return
    }
    if builder.awaitsValue { keyWithoutValue(at: position) }
    builder.close(end: position)
    foldUID()
  }

  /// Replaces `<dict><key>CF$UID</key><integer>3</integer></dict>`, the XML format of a UID, with a UID.
  private mutating func foldUID() {
    let count = builder.records.count
    guard count >= 3, builder.records[count - 3].kind == .mapping, builder.records[count - 3].first == 1,
      Int(builder.records[count - 3].second) == count
    else { return }
    let (dict, key, value) = (builder.records[count - 3], builder.records[count - 2], builder.records[count - 1])
    guard key.second == 6, value.kind == .integer, builder.keyText(count - 2) == "CF$UID",
      UInt64(builder.keyText(count - 1)) != nil
    else { return }
    builder.records.removeLast(3)
    builder.records.append(
      NodeRecord(
        .uid, start: Int(dict.start), end: Int(dict.end), first: Int(value.first), second: Int(value.second),
        form: value.form))
  }

  // MARK: Text

  mutating func text(_ text: UnsafeBufferPointer<UInt8>, position: () -> Int) {
    // Almost all text is inside a scalar or is whitespace between elements.
    guard scalar == nil, skipping == 0 else { return }
    guard let stray = text.firstIndex(where: { !ByteClassification.isBlank($0) }) else { return }
    let word = String(decoding: text[stray...].prefix { !ByteClassification.isBlank($0) }.prefix(40), as: UTF8.self)
    let start = place(of: text, stray: stray, position: position())
    report(
      "text `\(word)` between elements", help: "put it into `<string>…</string>`, or remove it",
      from: start, to: start + word.utf8.count)
  }

  mutating func entityReference(_ name: String, position: Int) {
    guard XMLMarkup.reference(name) == nil else { return }
    report(
      "unknown entity `&\(name);`",
      help: "use `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`, or a number such as `&#8364;`",
      from: max(0, position - name.utf8.count - 2), to: position)
  }

  mutating func entityDeclaration(position: Int) {
    var start = min(position, bytes.count)
    while start > 0,
      bytes[start] != UInt8(ascii: "<") || start + 1 >= bytes.count || bytes[start + 1] != UInt8(ascii: "!")
    {
      start -= 1
      if start == 0 { break }
    }
    report(
      "entity declaration",
      help: "remove the declaration: authflow does not expand entities",
      from: start, to: position)
    isStopRequested = true
  }

  // MARK: Offsets

  /// Returns the offset of the `<` of the tag whose name and attributes end here.
  func opening(before position: Int) -> Int { XMLSyntaxError.opening(before: position, in: bytes) }

  /// Returns the offset of a character in text that libxml2 reported. `position` is the parser's position, which can be
  /// before or after the text.
  private func place(of text: UnsafeBufferPointer<UInt8>, stray: Int, position: Int) -> Int {
    for start in [position, position - text.count] where start >= 0 && start + text.count <= bytes.count {
      if bytes[start..<start + text.count].elementsEqual(text) { return start + stray }
    }
    return XMLSyntaxError.reference(before: min(position, bytes.count), in: bytes)
  }

  private static func tag(_ name: UnsafeBufferPointer<UInt8>) -> Tag {
    func equals(_ word: StaticString) -> Bool {
      guard name.count == word.utf8CodeUnitCount else { return false }
      for index in 0..<name.count where name[index] != word.utf8Start[index] { return false }
      return true
    }
    guard let first = name.first else { return .unknown }
    switch first {
    case UInt8(ascii: "s"): return equals("string") ? .string : .unknown
    case UInt8(ascii: "k"): return equals("key") ? .key : .unknown
    case UInt8(ascii: "d"): return equals("dict") ? .dict : equals("data") ? .data : equals("date") ? .date : .unknown
    case UInt8(ascii: "a"): return equals("array") ? .array : .unknown
    case UInt8(ascii: "i"): return equals("integer") ? .integer : .unknown
    case UInt8(ascii: "r"): return equals("real") ? .real : .unknown
    case UInt8(ascii: "t"): return equals("true") ? .bool(true) : .unknown
    case UInt8(ascii: "f"): return equals("false") ? .bool(false) : .unknown
    case UInt8(ascii: "p"): return equals("plist") ? .plist : .unknown
    default: return .unknown
    }
  }
}
