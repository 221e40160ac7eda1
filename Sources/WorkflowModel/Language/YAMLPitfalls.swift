import Diagnostics
import Documents

/// Explains YAML errors with common causes in workflows.
package enum YAMLPitfalls {
  /// The diagnostics of the YAML reader, in which known pitfalls are explained.
  package static func explained(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var reported: Set<Int> = []
    return diagnostics.compactMap { diagnostic in
      guard diagnostic.severity == .error, let span = diagnostic.place.span, !diagnostic.place.source.isBinary else {
        return diagnostic
      }
      let source = diagnostic.place.source
      let line = source.lineRange(at: span.start)
      if let pitfall = unquoted(in: source, line) ?? bareKindUnderID(in: source, line) {
        // Further YAML errors around the line have the same cause.
        guard reported.insert(pitfall.span.start).inserted else { return nil }
        var explained = diagnostic
        explained.message = pitfall.message
        explained.help = pitfall.help
        explained.place = FileSpan(source, pitfall.span)
        explained.related = [.init("YAML error: \(diagnostic.message)", at: diagnostic.place)]
        return explained
      }
      return diagnostic
    }
  }

  private struct Pitfall {
    var message: String
    var help: String
    var span: SourceSpan
  }

  /// A plain scalar in `{…}` or `[…]` that starts with `$` and contains a bracket or brace, which ends the scalar
  /// early.
  private static func unquoted(in source: SourceText, _ line: Range<Int>) -> Pitfall? {
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
          return Pitfall(
            message: "missing quotes: in `{…}` and `[…]`, YAML ends `\(text)` at a bracket or brace",
            help: "quote the value: `'\(text)'`", span: span)
        }
        startsValue = false
      default:
        startsValue = false
      }
      index += 1
    }
    return nil
  }

  /// The extent of `${…}` or `$.a[0].b`, or nil if it does not contain a bracket or brace.
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

  /// Detects `- id: x`, a line with a bare step type, and more keys. YAML joins the first two lines into one scalar.
  private static func bareKindUnderID(in source: SourceText, _ line: Range<Int>) -> Pitfall? {
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
          return Pitfall(
            message: "bare step type after another key", help: "write `\(word): {}`",
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
  /// Whether the mapping or list is in YAML's flow style, `{…}` or `[…]`, in which a comma ends a plain scalar.
  var isYAMLFlow: Bool {
    guard document.syntax == .yaml, kind == .mapping || kind == .array, span.start < document.source.bytes.count else {
      return false
    }
    let first = document.source.bytes[span.start]
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

extension DiagnosticCollector {
  /// Reports `{get: /me?$select=a,b}`, which YAML reads as two keys, if `key` is the part after the comma.
  /// - Returns: Whether this is the case.
  mutating func reportSplitAtComma(_ key: Node, _ value: Node) -> Bool {
    guard key.document.syntax == .yaml, value.kind == .null, key.kind == .string || key.kind == .integer,
      value.span.end - value.span.start == 0,
      let comma = key.document.source.byte(before: key.span.start, skippingSpaces: true),
      comma.byte == UInt8(ascii: ","), let before = key.document.source.plainScalar(endingAt: comma.offset)
    else { return false }
    let text = key.document.source.text(in: SourceSpan(start: before, end: key.span.end))
    add(
      Diagnostic(
        .error, rule: "split-at-comma",
        "value is split at the comma: `\(key.scalarText ?? "")` is read as a separate key",
        help: "quote the value: `'\(text)'`",
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

  /// The start of the plain scalar that the comma ends, or nil if the comma follows a quote or bracket.
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
