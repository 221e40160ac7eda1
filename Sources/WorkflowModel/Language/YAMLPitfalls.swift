import Diagnostics
import Documents

/// What YAML makes easy to get wrong, told in its own words.
package enum YAMLPitfalls {
  /// The diagnostics of the YAML reader, with the cause named where it is one of the language's known traps.
  package static func explained(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var said: Set<Int> = []
    return diagnostics.compactMap { diagnostic in
      guard diagnostic.severity == .error, let span = diagnostic.place.span, !diagnostic.place.source.isBinary else {
        return diagnostic
      }
      let source = diagnostic.place.source
      let line = source.lineRange(at: span.start)
      if let trap = unquoted(in: source, line) ?? bareKindUnderID(in: source, line) {
        // What YAML says about the lines around it has the same cause.
        guard said.insert(trap.span.start).inserted else { return nil }
        var explained = diagnostic
        explained.message = trap.message
        explained.help = trap.help
        explained.place = FileSpan(source, trap.span)
        explained.related = [.init("YAML's own words: \(diagnostic.message)", at: diagnostic.place)]
        return explained
      }
      return diagnostic
    }
  }

  private struct Trap {
    var message: String
    var help: String
    var span: SourceSpan
  }

  /// A plain scalar in `{…}` or `[…]` that begins with `$` and holds a bracket or brace, which ends it too early.
  private static func unquoted(in source: SourceText, _ line: Range<Int>) -> Trap? {
    let bytes = source.bytes
    var depth = 0
    var index = line.lowerBound
    var startsValue = true
    while index < line.upperBound {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        let close = bytes[(index + 1)..<line.upperBound].firstIndex(of: byte) ?? line.upperBound
        index = close
        startsValue = false
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        startsValue = true
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        startsValue = false
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        startsValue = true
      case UInt8(ascii: " "):
        break
      case UInt8(ascii: "#") where index == line.lowerBound || bytes[index - 1] == UInt8(ascii: " "):
        return nil
      case UInt8(ascii: "$") where depth > 0 && startsValue:
        if let span = dollarValue(bytes, from: index, to: line.upperBound) {
          let text = source.text(in: span)
          return Trap(
            message: "\(text) must be quoted here: inside {…} and […] YAML reads its brackets as its own",
            help: "quote this: '\(text)'", span: span)
        }
        startsValue = false
      default:
        startsValue = false
      }
      index += 1
    }
    return nil
  }

  /// The extent of `${…}` or `$.a[0].b`; nil where there is no bracket in it.
  private static func dollarValue(_ bytes: [UInt8], from start: Int, to end: Int) -> SourceSpan? {
    var index = start
    var depth = 0
    var hasBrackets = false
    scan: while index < end {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        hasBrackets = true
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { break scan }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: break scan
      case UInt8(ascii: ":") where index + 1 < end && bytes[index + 1] == UInt8(ascii: " "): break scan
      default: break
      }
      index += 1
    }
    while index > start, bytes[index - 1] == UInt8(ascii: " ") { index -= 1 }
    return hasBrackets ? SourceSpan(start: start, end: index) : nil
  }

  /// `- id: x`, then a line with a bare kind, then more keys: YAML joins the first two lines into one scalar.
  private static func bareKindUnderID(in source: SourceText, _ line: Range<Int>) -> Trap? {
    var current = line
    for _ in 0..<2 {
      let text = source.text(in: SourceSpan(start: current.lowerBound, end: current.upperBound))
      let word = text.split(separator: "#").first?.split(separator: " ").joined(separator: " ") ?? ""
      if StepKind.named(word) != nil, current.lowerBound > 1 {
        let above = previousLine(source, before: current.lowerBound)
        let previous = source.text(in: SourceSpan(start: above.lowerBound, end: above.upperBound))
        if previous.contains("id:"), let start = text.firstIndex(where: { $0 != " " }) {
          let offset = text.utf8.distance(from: text.startIndex, to: start)
          let from = current.lowerBound + offset
          return Trap(
            message: "a bare kind cannot stand under another key", help: "write `\(word): {}`",
            span: SourceSpan(start: from, end: from + word.utf8.count))
        }
      }
      guard current.lowerBound > 1 else { return nil }
      current = previousLine(source, before: current.lowerBound)
    }
    return nil
  }

  private static func previousLine(_ source: SourceText, before start: Int) -> Range<Int> {
    var end = start - 1
    if end > 0, source.bytes[end] == UInt8(ascii: "\n"), source.bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return source.lineRange(at: max(0, end))
  }
}

extension Node {
  /// Whether the mapping or list is written in YAML's `{…}` or `[…]`, where a comma ends a plain scalar.
  var isYAMLFlow: Bool {
    guard document.syntax == .yaml, kind == .mapping || kind == .array, span.start < document.source.bytes.count else {
      return false
    }
    let first = document.source.bytes[span.start]
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

extension DiagnosticCollector {
  /// `{get: /me?$select=a,b}` is two keys to YAML: says so where `key` is the piece behind the comma.
  /// - Returns: whether that is what happened; it was told then.
  mutating func tellSplitAtComma(_ key: Node, _ value: Node) -> Bool {
    guard key.document.syntax == .yaml, value.kind == .null, key.kind == .string || key.kind == .integer,
      value.span.end - value.span.start == 0,
      let comma = key.document.source.byte(before: key.span.start, skippingSpaces: true),
      comma.byte == UInt8(ascii: ","), let before = key.document.source.plainScalar(endingAt: comma.offset)
    else { return false }
    let text = key.document.source.text(in: SourceSpan(start: before, end: key.span.end))
    add(
      Diagnostic(
        .error, rule: "split-at-comma",
        "inside {…} the comma ends the value, so \"\(key.scalarText ?? "")\" is read as a key of its own",
        help: "quote the value: '\(text)'",
        at: FileSpan(key.document.source, SourceSpan(start: before, end: key.span.end))
      ))
    return true
  }
}

extension SourceText {
  fileprivate func byte(before offset: Int, skippingSpaces: Bool) -> (byte: UInt8, offset: Int)? {
    var index = offset - 1
    while index >= 0, skippingSpaces, bytes[index] == UInt8(ascii: " ") { index -= 1 }
    return index >= 0 ? (bytes[index], index) : nil
  }

  /// Where the plain scalar begins that a comma ends; nil where a quote or bracket stands before the comma.
  fileprivate func plainScalar(endingAt comma: Int) -> Int? {
    guard comma > 0, !Array("\"'}] ".utf8).contains(bytes[comma - 1]) else { return nil }
    var index = comma
    while index > 0 {
      let byte = bytes[index - 1]
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: ",") { break }
      if byte == UInt8(ascii: " "), index >= 2, bytes[index - 2] == UInt8(ascii: ":") { break }
      index -= 1
    }
    while index < comma, bytes[index] == UInt8(ascii: " ") { index += 1 }
    return index < comma ? index : nil
  }
}
