#if canImport(CLibYAML)
  import CLibYAML
  import Diagnostics

  /// An error from libyaml with byte offsets, a better message, and a help text.
  struct YAMLSyntaxError {
    var problem: String
    var contextText: String
    /// The offset of the error.
    var offset: Int
    /// The offset of the construct that contains the error.
    var context: Int?
    var byte: UInt8

    init(_ parser: yaml_parser_t, _ bytes: UnsafeBufferPointer<UInt8>, _ marks: inout YAMLPositions) {
      problem = parser.problem.map { String(cString: $0) } ?? "invalid YAML"
      contextText = parser.context.map { String(cString: $0) } ?? ""
      if parser.error == YAML_READER_ERROR {
        offset = min(Int(parser.problem_offset), bytes.count)
      } else {
        offset = marks.offset(of: Int(parser.problem_mark.index))
        if parser.context != nil { context = marks.offset(of: Int(parser.context_mark.index)) }
      }
      if problem == "found unexpected end of stream", let context { offset = context }
      byte = offset < bytes.count ? bytes[offset] : 0
    }

    /// Whether the cause is an unclosed construct. If so, the mistake may be on the line where the construct starts.
    var isUnclosedConstruct: Bool {
      problem.contains("unexpected end of stream") || problem.contains("document indicator")
        || contextText.contains("flow")
    }

    func diagnostic(_ source: SourceText) -> Diagnostic {
      let (message, help) = messageAndHelp
      var related: [Diagnostic.Related] = []
      if let context, context != offset, source.lineRange(at: context) != source.lineRange(at: offset) {
        let what =
          if contextText.hasPrefix("while parsing a ") || contextText.hasPrefix("while scanning a ") {
            "the \(contextText.split(separator: " ").dropFirst(3).joined(separator: " ")) starts here"
          } else {
            "starts here"
          }
        related.append(Diagnostic.Related(what, at: FileSpan(source, .at(context))))
      }
      return Diagnostic(
        .error, rule: "yaml-syntax", message, help: help,
        at: FileSpan(source, SourceSpan(start: offset, end: offset + 1).clamped(in: source.bytes)), related: related)
    }

    private var messageAndHelp: (message: String, help: String) {
      if byte == 0x09 {
        return ("tab in the indentation", "replace the tab with spaces")
      }
      switch problem {
      case "mapping values are not allowed in this context":
        return (
          "unexpected `:`", "indent the line like its neighbors, or put a value that contains `: ` in quotes"
        )
      case "could not find expected ':'":
        return (
          "missing `:` after the key", "write `key: value`, and check indentation and quotes in previous lines"
        )
      case "did not find expected key":
        return (
          "expected a key", "check the indentation of this line, and quotes and brackets in previous lines"
        )
      case "did not find expected '-' indicator":
        return (
          "expected `-` for the next list item",
          "indent the line like its neighbors, or start it with `- `"
        )
      case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
        let bracket = problem.hasSuffix("']'") ? "]" : "}"
        return ("missing comma or `\(bracket)`", "close the bracket, or separate the elements with commas")
      case "found unexpected end of stream":
        return ("unclosed string", "add the closing quote")
      case "found unexpected document indicator":
        return ("unclosed string before `---` or `...`", "add the closing quote")
      case "found character that cannot start any token":
        return ("value starts with a reserved character", "put the value in quotes")
      case "block sequence entries are not allowed in this context":
        return ("list is not allowed here", "start the list on the line after the key")
      case "found unknown escape character":
        return ("unknown escape", "write a backslash as `\\\\`, or use single quotes")
      case "control characters are not allowed":
        return ("control character", "remove it, or write it as `\\x…` in double quotes")
      case "did not find expected <document start>":
        return ("unexpected text after the document", "indent it, or move it to a new file")
      case "found undefined tag handle":
        return ("undefined tag prefix", "remove the tag")
      case "found incompatible YAML document":
        return ("unsupported YAML version", "write `%YAML 1.2`, or remove the line")
      default:
        return (
          problem + (contextText.isEmpty ? "" : " \(contextText)"),
          "check indentation, quotes, and brackets"
        )
      }
    }
  }
#endif
