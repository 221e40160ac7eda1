import CLibYAML
import Diagnostics

/// What libyaml stopped at, in bytes and in plain words.
struct YAMLSyntaxError {
  var problem: String
  var contextWords: String
  /// Where it is.
  var offset: Int
  /// Where the thing began that it stands in.
  var context: Int?
  var byte: UInt8

  init(_ parser: yaml_parser_t, _ bytes: UnsafeBufferPointer<UInt8>, _ marks: inout YAMLPositions) {
    problem = parser.problem.map { String(cString: $0) } ?? "the text cannot be read"
    contextWords = parser.context.map { String(cString: $0) } ?? ""
    if parser.error == YAML_READER_ERROR {
      offset = min(Int(parser.problem_offset), bytes.count)
    } else {
      offset = marks.offset(of: Int(parser.problem_mark.index))
      if parser.context != nil { context = marks.offset(of: Int(parser.context_mark.index)) }
    }
    if problem == "found unexpected end of stream", let context { offset = context }
    byte = offset < bytes.count ? bytes[offset] : 0
  }

  /// Something was opened and not closed: then the line to doubt is the one where it was opened.
  var beginsEarlier: Bool {
    problem.contains("unexpected end of stream") || problem.contains("document indicator")
      || contextWords.contains("flow")
  }

  func diagnostic(_ source: SourceText) -> Diagnostic {
    let (message, help) = words
    var related: [Diagnostic.Related] = []
    if let context, context != offset, source.lineRange(at: context) != source.lineRange(at: offset) {
      let what =
        if contextWords.hasPrefix("while parsing a ") || contextWords.hasPrefix("while scanning a ") {
          "the \(contextWords.split(separator: " ").dropFirst(3).joined(separator: " ")) begins here"
        } else {
          "it begins here"
        }
      related.append(Diagnostic.Related(what, at: FileSpan(source, .at(context))))
    }
    return Diagnostic(
      .error, rule: "yaml-syntax", message, help: help,
      at: FileSpan(source, SourceSpan(start: offset, end: offset + 1).held(in: source.bytes)), related: related)
  }

  private var words: (message: String, help: String) {
    if byte == 0x09 {
      return ("a tab stands in the indentation", "YAML is indented with spaces only: replace the tab by two spaces.")
    }
    switch problem {
    case "mapping values are not allowed in this context":
      return (
        "a ‘:’ is not possible here", "Indent the line like its neighbors, or put a value that holds ‘: ’ in quotes."
      )
    case "could not find expected ':'":
      return (
        "this line has no ‘:’ after its key", "Write key: value, or check the indentation and the quotes before it."
      )
    case "did not find expected key":
      return (
        "no key where one is wanted", "Check the indentation of this line, and the quotes and brackets before it."
      )
    case "did not find expected '-' indicator":
      return (
        "this line does not begin with ‘-’ like the list it is in",
        "Indent it like its neighbors, or begin it with ‘- ’."
      )
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      let bracket = problem.hasSuffix("']'") ? "]" : "}"
      return ("a comma or ‘\(bracket)’ is missing", "Close the bracket, or separate the elements with commas.")
    case "found unexpected end of stream":
      return ("a quoted string has no closing quote", "Close it with the quote that it began with.")
    case "found unexpected document indicator":
      return ("a quoted string runs into ‘---’ or ‘...’", "Close it with the quote that it began with.")
    case "found character that cannot start any token":
      return ("no value can begin with this character", "Put the value in quotes.")
    case "block sequence entries are not allowed in this context":
      return ("a list cannot begin here", "Put the ‘-’ on a line of its own below the key.")
    case "found unknown escape character":
      return ("there is no such escape", "Write a backslash as \\\\, or use single quotes.")
    case "control characters are not allowed":
      return ("a control character stands in the text", "Remove it, or write it as \\x.. in double quotes.")
    case "did not find expected <document start>":
      return ("something follows the document", "Indent it into the document, or begin a new file.")
    case "found undefined tag handle":
      return ("the tag's prefix is not defined", "Remove the tag.")
    case "found incompatible YAML document":
      return ("this version of YAML is not read", "Write %YAML 1.2, or leave the line out.")
    default:
      return (
        problem + (contextWords.isEmpty ? "" : " \(contextWords)"),
        "Check the indentation, quotes and brackets of this line."
      )
    }
  }
}
