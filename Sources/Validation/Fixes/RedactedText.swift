import AppRegistration
import Diagnostics
import Documents

/// A file's text with its secrets as dots, for output that other people may see.
package enum RedactedText {
  /// Nil where there is nothing to hide.
  /// - Parameter report: where findings point at secrets, these are hidden too.
  package static func text(of bytes: [UInt8], named name: String, _ report: FilteredReport) -> [UInt8]? {
    let form = FileClassification(NamedFile(name: name, bytes: bytes))
    let source = SourceText(name: name, bytes: form.text ?? bytes)
    var spans: [SourceSpan] = []
    if let root = form.root { collect(root, holder: nil, &spans) }
    for finding in report.diagnostics + report.suppressed.map(\.diagnostic)
    where finding.pointsAtSecret && finding.place.source.name == name && finding.place.source.bytes == source.bytes {
      if let span = finding.place.span { spans.append(span) }
    }
    let hidden = SourceText(name: name, bytes: dots(source, spans))
    let shown = hidden.hidingSecrets
    return shown.hidSome || !spans.isEmpty ? Array(shown.text.utf8) : nil
  }

  /// The values that a name or a form gives away: what looks like a placeholder is hidden too, to be sure.
  private static func collect(_ node: Node, holder: String?, _ spans: inout [SourceSpan]) {
    for element in node.elements {
      add(element, key: "", holder: holder, &spans)
      collect(element, holder: holder, &spans)
    }
    for (key, value) in node.entries {
      add(value, key: key.string ?? "", holder: holder, &spans)
      collect(value, holder: key.string, &spans)
    }
  }

  private static func add(_ value: Node, key: String, holder: String?, _ spans: inout [SourceSpan]) {
    guard let text = value.string, !text.isEmpty, !Definitions.holdsReference(text) else { return }
    if SecretKey.names(key, in: holder) || SecretText.kind(of: text) != nil || SecretText.keyInQuery(of: text) != nil {
      spans.append(value.innerSpan)
    }
  }

  private static func dots(_ source: SourceText, _ spans: [SourceSpan]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for span in spans.sorted(by: { $0.start < $1.start }) {
      let start = max(span.start, position)
      guard start < span.end, span.end <= source.bytes.count else { continue }
      result += source.bytes[position..<start]
      let text = source.text(in: SourceSpan(start: start, end: span.end))
      result += String(text.map { $0.isWhitespace ? $0 : "•" }).utf8
      position = span.end
    }
    return result + source.bytes[position...]
  }
}
