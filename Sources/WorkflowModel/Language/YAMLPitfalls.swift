import Diagnostics
import Documents

/// Explains YAML errors with common causes in workflows.
package enum YAMLPitfalls {
  /// Returns the YAML reader's diagnostics, rewritten to explain known pitfalls.
  package static func explained(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var reported: Set<Int> = []
    return diagnostics.compactMap { diagnostic in
      guard diagnostic.severity == .error, let span = diagnostic.place.span, !diagnostic.place.source.isBinary else {
        return diagnostic
      }
      let source = diagnostic.place.source
      let line = source.lineRange(at: span.start)
      if let pitfall = unquotedReference(in: source, line) ?? bareStepType(in: source, line) {
        // Later YAML errors near this line have the same cause.
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

  /// Detects a plain scalar in `{…}` or `[…]` that starts with `$` and contains a bracket or brace. YAML ends the
  /// scalar at this character.
  private static func unquotedReference(in source: SourceText, _ line: Range<Int>) -> Pitfall? {
    let bytes = source.bytes
    var depth = 0
    var index = line.lowerBound
    var startsValue = true
    while index < line.upperBound {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        index = bytes[(index + 1)..<line.upperBound].firstIndex(of: byte) ?? line.upperBound
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
        if let span = referenceSpan(bytes, from: index, to: line.upperBound) {
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

  /// Returns the span of a value such as `${…}` or `$.a[0].b`, or nil if the value does not contain a bracket or brace.
  private static func referenceSpan(_ bytes: [UInt8], from start: Int, to end: Int) -> SourceSpan? {
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

  /// Detects a line with a bare step type after `- id: x`. YAML joins the two lines into one scalar.
  private static func bareStepType(in source: SourceText, _ line: Range<Int>) -> Pitfall? {
    var current = line
    for _ in 0..<2 {
      let text = source.text(in: SourceSpan(start: current.lowerBound, end: current.upperBound))
      let keyword = text.split(separator: "#").first?.split(separator: " ").joined(separator: " ") ?? ""
      if StepKind.named(keyword) != nil, current.lowerBound > 1 {
        let previous = previousLine(source, before: current.lowerBound)
        let previousText = source.text(in: SourceSpan(start: previous.lowerBound, end: previous.upperBound))
        if previousText.contains("id:"), let index = text.firstIndex(where: { $0 != " " }) {
          let start = current.lowerBound + text.utf8.distance(from: text.startIndex, to: index)
          return Pitfall(
            message: "bare step type after another key", help: "write `\(keyword): {}`",
            span: SourceSpan(start: start, end: start + keyword.utf8.count))
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
}

extension DiagnosticCollector {
  /// Reports a value such as `{get: /me?$select=a,b}`, which YAML splits at the comma, if `key` is its second part.
  /// - Returns: Whether a problem was reported.
  mutating func reportSplitAtComma(_ key: Node, _ value: Node) -> Bool {
    guard key.document.syntax == .yaml, value.kind == .null, key.kind == .string || key.kind == .integer,
      value.span.end - value.span.start == 0,
      let comma = key.document.source.lastNonSpace(before: key.span.start),
      key.document.source.bytes[comma] == UInt8(ascii: ","),
      let start = key.document.source.startOfPlainScalar(endingAt: comma)
    else { return false }
    let span = SourceSpan(start: start, end: key.span.end)
    let text = key.document.source.text(in: span)
    add(
      Diagnostic(
        .error, rule: "split-at-comma",
        "value is split at the comma: `\(key.scalarText ?? "")` is read as a separate key",
        help: "quote the value: `'\(text)'`",
        at: FileSpan(key.document.source, span)))
    return true
  }
}

extension SourceText {
  /// Returns the offset of the last byte before `offset` that is not a space.
  fileprivate func lastNonSpace(before offset: Int) -> Int? {
    bytes[..<offset].lastIndex { $0 != UInt8(ascii: " ") }
  }

  /// Returns the start of the plain scalar that ends at the comma, or nil if the comma follows a quote or bracket.
  fileprivate func startOfPlainScalar(endingAt comma: Int) -> Int? {
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
