extension Diagnostic {
  /// The first line of the place as any output may show it: no secrets, nothing that moves a cursor, at most `limit` characters.
  package func shownLine(limit: Int = 200) -> String? {
    place.shown(wholeLine: true, hidesRange: pointsAtSecret, limit)
  }

  /// The text of the place as any output may show it; nil where it is no text or goes beyond one line.
  package func shownRange(limit: Int = 200) -> String? {
    place.shown(wholeLine: false, hidesRange: pointsAtSecret, limit)
  }
}

extension FileSpan {
  fileprivate func shown(wholeLine: Bool, hidesRange: Bool, _ limit: Int) -> String? {
    guard let span, !source.isBinary, span.start <= source.bytes.count else { return nil }
    let line = source.lineRange(at: span.start, reach: limit * 8)
    var hiding = SecretRedaction(source, line: line)
    if hidesRange { hiding.hide(from: max(span.start, line.lowerBound)) }
    guard wholeLine || span.end <= line.upperBound else { return nil }
    let text =
      wholeLine
      ? hiding.text(line.lowerBound, line.upperBound)
      : hiding.text(max(span.start, line.lowerBound), min(span.end, line.upperBound))
    let shown = CaretFrame.visible(text, keepingTabs: true)
    return shown.count > limit ? shown.prefix(limit - 1) + "…" : shown
  }
}

extension SourceText {
  /// The text with every secret shown as dots, line by line, and whether there was one.
  package var hidingSecrets: (text: String, hidSome: Bool) {
    var shown = ""
    var hidSome = false
    var position = 0
    while position < bytes.count {
      let line = lineRange(at: position)
      var next = line.upperBound
      while next < bytes.count, bytes[next] == 0x0A || bytes[next] == 0x0D {
        next += 1
        if bytes[next - 1] == 0x0A || next < bytes.count && bytes[next] != 0x0A { break }
      }
      let text = SecretRedaction(self, line: line).text(line.lowerBound, line.upperBound)
      if text != self.text(in: SourceSpan(start: line.lowerBound, end: line.upperBound)) { hidSome = true }
      shown += text + self.text(in: SourceSpan(start: line.upperBound, end: next))
      position = max(next, position + 1)
    }
    return (shown, hidSome)
  }
}
