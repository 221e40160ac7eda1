import Diagnostics
import Documents

/// A comment that suppresses findings: `authflow:ignore rule-id, rule-id: reason`.
///
/// A dash can replace the colon. The separator ` -- ` is not supported in XML, because XML comments cannot contain
/// `--`.
struct SuppressionComment: Sendable {
  static let mark = "authflow:ignore"

  /// A rule ID and its location.
  struct Name: Sendable {
    var id: String
    var span: SourceSpan
  }

  var names: [Name]
  /// The reason, or nil if the comment does not contain one.
  var reason: String?
  /// Whether the comment applies to the entire file.
  var isWholeFile: Bool
  /// The one-based numbers of the lines to which the comment applies. A comment that follows other text on a line
  /// applies only to the lines that it occupies. A comment that is alone on its lines also applies to the next entry.
  var lines: ClosedRange<Int>
  var span: SourceSpan
  /// The keyword at the start of the comment.
  var mark: String { isWholeFile ? "\(Self.mark)-file" : Self.mark }

  /// Parses a comment. Returns nil if it does not start with `authflow:ignore`.
  /// - Parameter extent: A function that returns the last line of the entry that starts on a given line.
  init?(_ comment: Comment, in source: SourceText, extent: (Int) -> Int) {
    let bytes = source.bytes
    let isXML = Self.starts("<!--", bytes, comment.span.start, bytes.count)
    let end = Self.end(of: comment, isXML, bytes)
    var position = comment.span.start
    // Skip the comment delimiter and spaces.
    while position < end, !Self.starts(Self.mark, bytes, position, end) {
      guard Self.isBlank(bytes[position]) || "#/*<!-".utf8.contains(bytes[position]) else { return nil }
      position += 1
    }
    guard position < end else { return nil }
    position += Self.mark.utf8.count
    isWholeFile = Self.starts("-file", bytes, position, end)
    if isWholeFile { position += 5 }
    guard position >= end || !Self.isNamePart(bytes[position]) else { return nil }
    names = []
    while position < end {
      if Self.isNamePart(bytes[position]), !Self.isDash(bytes, position, end) {
        let start = position
        while position < end, Self.isNamePart(bytes[position]), !Self.starts("--", bytes, position, end) {
          position += 1
        }
        let span = SourceSpan(start: start, end: position)
        names.append(Name(id: source.text(in: span), span: span))
      } else if Self.isBlank(bytes[position]) || bytes[position] == UInt8(ascii: ",") {
        position += 1
      } else {
        break
      }
    }
    let separator = ([":", "\u{2014}"] + (isXML ? [] : ["--"])).first { Self.starts($0, bytes, position, end) }
    let reasonText = separator.map { Self.normalizedText(source, position + $0.utf8.count, end) } ?? ""
    reason = reasonText.isEmpty ? nil : reasonText
    span = comment.span
    let first = source.location(of: comment.span.start).line
    let last = source.location(of: comment.span.end).line
    lines = comment.standsAlone ? last...max(last + 1, extent(last + 1)) : first...last
  }

  /// Returns the end of the comment's text, before the closing delimiter.
  private static func end(of comment: Comment, _ isXML: Bool, _ bytes: [UInt8]) -> Int {
    var end = min(comment.span.end, bytes.count)
    while end > comment.span.start, isBlank(bytes[end - 1]) { end -= 1 }
    let close = isXML ? "-->" : starts("/*", bytes, comment.span.start, end) ? "*/" : ""
    if !close.isEmpty, end - comment.span.start > close.utf8.count,
      starts(close, bytes, end - close.utf8.count, end)
    {
      end -= close.utf8.count
    }
    return end
  }

  private static func normalizedText(_ source: SourceText, _ start: Int, _ end: Int) -> String {
    source.text(in: SourceSpan(start: start, end: end)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns whether a `--` separator, or a dash that is not part of a rule ID, is at the position.
  private static func isDash(_ bytes: [UInt8], _ position: Int, _ end: Int) -> Bool {
    guard bytes[position] == UInt8(ascii: "-") else { return false }
    return starts("--", bytes, position, end) || position + 1 >= end || isBlank(bytes[position + 1])
  }

  private static func starts(_ text: String, _ bytes: [UInt8], _ position: Int, _ end: Int) -> Bool {
    position + text.utf8.count <= end && bytes[position..<position + text.utf8.count].elementsEqual(text.utf8)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }
}
