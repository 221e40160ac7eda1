#if canImport(CLibYAML)
  import CLibYAML
  import Diagnostics

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  extension YAMLPass {
    /// Adds a scalar. A key is always a string. The type of a value comes from its tag, its quotes, or the core schema.
    mutating func scalar(_ event: UnsafeMutablePointer<yaml_event_t>, _ bytes: UnsafeBufferPointer<UInt8>) {
      var start = marks.offset(of: event.pointee.start_mark.index)
      var end = marks.offset(of: event.pointee.end_mark.index)
      let style = event.pointee.data.scalar.style
      let length = event.pointee.data.scalar.length
      let tag = event.pointee.data.scalar.tag
      let anchor = event.pointee.data.scalar.anchor
      guard let value = event.pointee.data.scalar.value else { return }
      if tag != nil || anchor != nil { start = Self.skipProperties(bytes, start, end) }
      let isBlock = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE
      if isBlock { while end > start, ByteClassification.isBlank(bytes[end - 1]) { end -= 1 } }
      lastEnd = max(lastEnd, end)
      let isPlain = style == YAML_PLAIN_SCALAR_STYLE
      let text = UnsafeBufferPointer(start: UnsafePointer(value), count: length)
      let isKey = builder.frames.last.map { $0.isMapping && $0.children.isMultiple(of: 2) } ?? false

      var kind = NodeRecord.Kind.string
      if !isKey {
        if let tag {
          kind = tagged(String(cString: tag), text, isPlain: isPlain, SourceSpan(start: start, end: end))
        } else if isPlain {
          kind = YAMLCoreSchema.kind(of: text)
        }
      }
      if let anchor {
        anchors[String(cString: anchor)] = Anchor(index: builder.records.count, size: (1, 0))
      }
      switch kind {
      case .null: builder.scalar(NodeRecord(.null, start: start, end: end))
      case .bool:
        builder.scalar(
          NodeRecord(.bool, start: start, end: end, first: length > 0 && value[0] | 0x20 == UInt8(ascii: "t") ? 1 : 0))
      default:
        let inset = isPlain ? 0 : 1
        if !isBlock, end - start - 2 * inset == length, let base = bytes.baseAddress,
          memcmp(base + start + inset, value, length) == 0
        {
          builder.scalar(
            NodeRecord(kind, start: start, end: end, first: start + inset, second: length))
        } else {
          builder.pooled(kind, start: start, end: end, text: text)
        }
      }
    }

    /// Returns the kind that a tag specifies. If the text does not match the tag, reports an error and returns the
    /// string kind.
    private mutating func tagged(
      _ tag: String, _ text: UnsafeBufferPointer<UInt8>, isPlain: Bool, _ span: SourceSpan
    ) -> NodeRecord.Kind {
      guard tag.hasPrefix(YAMLCoreSchema.tagPrefix) else {
        guard tag != "!" else { return .string }
        unknownTag(tag, span)
        return isPlain ? YAMLCoreSchema.kind(of: text) : .string
      }
      let name = tag.dropFirst(YAMLCoreSchema.tagPrefix.count)
      let natural = YAMLCoreSchema.kind(of: text)
      let matchingKind: NodeRecord.Kind? =
        switch name {
        case "str": .string
        case "null": natural == .null ? .null : nil
        case "bool": natural == .bool ? .bool : nil
        case "int": natural == .integer ? .integer : nil
        case "float": natural == .integer || natural == .real ? .real : nil
        case "binary": Base64.decodeLenient(text) != nil ? .data : nil
        case "timestamp": DateText.read(text) != nil ? .date : nil
        default: nil
        }
      if let matchingKind { return matchingKind }
      let isScalarTag = ["null", "bool", "int", "float", "binary", "timestamp"].contains(String(name))
      let excerpt = String(decoding: text.prefix(40), as: UTF8.self)
      builder.report(
        rule: "yaml-syntax",
        isScalarTag ? "`\(excerpt)` does not match the tag `!!\(name)`" : "tag `!!\(name)` on a scalar",
        help: "remove the tag, or use a value that matches it", at: span)
      return .string
    }

    /// Returns the offset of the scalar after its anchor and tag.
    private static func skipProperties(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int {
      var index = start
      while index < end {
        if ByteClassification.isBlank(bytes[index]) {
          index += 1
        } else if bytes[index] == UInt8(ascii: "&") || bytes[index] == UInt8(ascii: "!") {
          while index < end, !ByteClassification.isBlank(bytes[index]) { index += 1 }
        } else if bytes[index] == UInt8(ascii: "#") {
          while index < end, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        } else {
          return index
        }
      }
      return end
    }
  }
#endif
