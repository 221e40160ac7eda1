import AppRegistration
import Diagnostics
import Documents

/// Replaces secrets in a file's text with dots, for output that other users can see.
package enum RedactedText {
  /// Returns the redacted text, or nil if the text contains no secrets.
  /// - Parameter report: A report whose findings identify additional secrets.
  package static func text(of bytes: [UInt8], named name: String, _ report: FilteredReport) -> [UInt8]? {
    let classification = FileClassification(NamedFile(name: name, bytes: bytes))
    let source = SourceText(name: name, bytes: classification.text ?? bytes)
    var spans: [SourceSpan] = []
    if let root = classification.root { collect(root, holder: nil, &spans) }
    for finding in report.diagnostics + report.suppressed.map(\.diagnostic)
    where finding.pointsAtSecret && finding.place.source.name == name && finding.place.source.bytes == source.bytes {
      if let span = finding.place.span { spans.append(span) }
    }
    let masked = SourceText(name: name, bytes: masking(spans, in: source))
    let redacted = masked.redacted
    return redacted.hasSecrets || !spans.isEmpty ? Array(redacted.text.utf8) : nil
  }

  /// Collects values whose key or format indicates a secret, including placeholders.
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
    guard let text = value.string, !text.isEmpty, !Definitions.containsReference(text) else { return }
    if SecretKey.isSecret(key, in: holder) || SecretText.kind(of: text) != nil || SecretText.keyInQuery(of: text) != nil
    {
      spans.append(value.innerSpan)
    }
  }

  private static func masking(_ spans: [SourceSpan], in source: SourceText) -> [UInt8] {
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
