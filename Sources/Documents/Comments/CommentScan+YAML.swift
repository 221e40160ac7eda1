import CLibYAML
import Diagnostics

extension CommentScan {
  /// What quotes and blocks hold is no comment; where they are, libyaml's tokens tell.
  mutating func yaml() {
    let (scalars, readUpTo) = yamlScalars()
    var next = 0
    while position < bytes.count {
      if position >= readUpTo { return brokenYAML() }
      if next < scalars.count, position >= scalars[next].lowerBound {
        position = max(position, scalars[next].upperBound)
        next += 1
      } else if bytes[position] == UInt8(ascii: "#"), beginsYAMLComment {
        addYAMLComment()
      } else {
        position += 1
      }
    }
  }

  private var beginsYAMLComment: Bool {
    position == 0 || ByteClassification.isBlank(bytes[position - 1])
  }

  private mutating func addYAMLComment() {
    let start = position
    skipToLineEnd()
    add(from: start, opening: 1)
  }

  /// Behind a mistake nobody knows what is quoted: quotes are taken to end with their line.
  private mutating func brokenYAML() {
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
      } else if byte == UInt8(ascii: "#"), beginsYAMLComment {
        addYAMLComment()
        continue
      }
      position += 1
    }
  }

  /// The ranges of quoted scalars and of the lines of block scalars, and how far the text could be understood.
  private func yamlScalars() -> (ranges: [Range<Int>], readUpTo: Int) {
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
      // Tokens that libyaml puts in afterwards, such as the start of a mapping, stand before those already seen.
      guard token.pointee.type == YAML_SCALAR_TOKEN else { continue }
      var start = marks.offset(of: token.pointee.start_mark.index)
      let end = marks.offset(of: token.pointee.end_mark.index)
      let style = token.pointee.data.scalar.style
      lastEnd = max(lastEnd, end)
      guard style != YAML_PLAIN_SCALAR_STYLE else { continue }
      if style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE {
        // A comment may stand behind the mark of the block.
        while start < end, !isLineEnd(bytes[start]) { start += 1 }
      }
      if start < end { ranges.append(start..<end) }
    }
    return (ranges, lastEnd)
  }
}
