import Diagnostics

#if canImport(CLibYAML)
  import CLibYAML
#endif

extension CommentScan {
  /// Finds comments outside quoted and block scalars, based on the ranges of libyaml's tokens.
  mutating func yaml() {
    let (scalars, validEnd) = yamlScalars()
    var next = 0
    while position < bytes.count {
      if position >= validEnd { return scanInvalidYAML() }
      if next < scalars.count, position >= scalars[next].lowerBound {
        position = max(position, scalars[next].upperBound)
        next += 1
      } else if bytes[position] == UInt8(ascii: "#"), startsYAMLComment {
        addYAMLComment()
      } else {
        position += 1
      }
    }
  }

  private var startsYAMLComment: Bool {
    position == 0 || ByteClassification.isBlank(bytes[position - 1])
  }

  private mutating func addYAMLComment() {
    let start = position
    skipToLineEnd()
    add(from: start, opening: 1)
  }

  /// Scans the text after a syntax error, where the ranges of quoted scalars are unknown. Assumes that every quoted
  /// scalar ends on the line where it starts.
  private mutating func scanInvalidYAML() {
    var quote: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      if isLineEnd(byte) {
        quote = 0
      } else if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
        position == 0
          || !(ByteClassification.isLetter(bytes[position - 1]) || ByteClassification.isDigit(bytes[position - 1]))
      {
        quote = byte
      } else if byte == UInt8(ascii: "#"), startsYAMLComment {
        addYAMLComment()
        continue
      }
      position += 1
    }
  }
}

extension CommentScan {
  #if canImport(CLibYAML)
    /// Returns the ranges of quoted scalars and block scalar lines, and the offset at which the valid text ends.
    private func yamlScalars() -> (ranges: [Range<Int>], validEnd: Int) {
      let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
      let token = UnsafeMutablePointer<yaml_token_t>.allocate(capacity: 1)
      defer {
        parser.deallocate()
        token.deallocate()
      }
      guard yaml_parser_initialize(parser) == 1 else { return ([], 0) }
      defer { yaml_parser_delete(parser) }
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      var marks = YAMLPositions(bytes: bytes)
      var ranges: [Range<Int>] = []
      var lastEnd = 0
      while yaml_parser_scan(parser, token) == 1 {
        defer { yaml_token_delete(token) }
        if token.pointee.type == YAML_STREAM_END_TOKEN { return (ranges, bytes.count) }
        // libyaml inserts some tokens late, such as the start of a mapping. Their positions precede those of tokens
        // that it has already returned.
        guard token.pointee.type == YAML_SCALAR_TOKEN else { continue }
        var start = marks.offset(of: token.pointee.start_mark.index)
        let end = marks.offset(of: token.pointee.end_mark.index)
        let style = token.pointee.data.scalar.style
        lastEnd = max(lastEnd, end)
        guard style != YAML_PLAIN_SCALAR_STYLE else { continue }
        if style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE {
          // A comment may follow the header of a block scalar.
          while start < end, !isLineEnd(bytes[start]) { start += 1 }
        }
        if start < end { ranges.append(start..<end) }
      }
      return (ranges, lastEnd)
    }
  #else
    /// Returns an empty result. Without libyaml, it is unknown whether any part of the text is valid.
    private func yamlScalars() -> (ranges: [Range<Int>], validEnd: Int) { ([], 0) }
  #endif
}
