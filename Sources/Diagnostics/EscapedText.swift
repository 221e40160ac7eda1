extension Diagnostic {
  /// Returns the first line of the location's text, with secrets masked and control characters escaped, so that any
  /// output can show it. The result has at most `limit` characters.
  package func redactedLine(limit: Int = 200) -> String? {
    place.result(wholeLine: true, masksRange: pointsAtSecret, limit)
  }

  /// Returns the location's text in a form that any output can show, or nil if it is not text or spans several lines.
  package func redactedRange(limit: Int = 200) -> String? {
    place.result(wholeLine: false, masksRange: pointsAtSecret, limit)
  }
}

extension FileSpan {
  fileprivate func result(wholeLine: Bool, masksRange: Bool, _ limit: Int) -> String? {
    guard let span, !source.isBinary, span.start <= source.bytes.count else { return nil }
    let line = source.lineRange(at: span.start, reach: limit * 8)
    var redaction = SecretRedaction(source, line: line)
    if masksRange { redaction.mask(from: max(span.start, line.lowerBound)) }
    guard wholeLine || span.end <= line.upperBound else { return nil }
    let text =
      wholeLine
      ? redaction.text(line.lowerBound, line.upperBound)
      : redaction.text(max(span.start, line.lowerBound), min(span.end, line.upperBound))
    let result = CaretFrame.visible(text, keepingTabs: true)
    return result.count > limit ? result.prefix(limit - 1) + "…" : result
  }
}

extension SourceText {
  /// The text with all secrets masked, and whether it contained any secrets.
  package var redacted: (text: String, hasSecrets: Bool) {
    var result = ""
    var hasSecrets = false
    var position = 0
    while position < bytes.count {
      let line = lineRange(at: position)
      var next = line.upperBound
      while next < bytes.count, bytes[next] == 0x0A || bytes[next] == 0x0D {
        next += 1
        if bytes[next - 1] == 0x0A || next < bytes.count && bytes[next] != 0x0A { break }
      }
      let text = SecretRedaction(self, line: line).text(line.lowerBound, line.upperBound)
      if text != self.text(in: SourceSpan(start: line.lowerBound, end: line.upperBound)) { hasSecrets = true }
      result += text + self.text(in: SourceSpan(start: line.upperBound, end: next))
      position = max(next, position + 1)
    }
    return (result, hasSecrets)
  }
}
