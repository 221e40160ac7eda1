import AppRegistration
import Diagnostics
import Documents

extension TextEdits {
  /// Another value for an attribute of an XML document.
  /// - Parameter place: the value without its quotes, as `XMLAttribute.valuePlace` has it.
  static func replaceAttribute(at place: FileSpan, with text: String) -> [Diagnostic.Edit]? {
    // White space other than a blank would be read as one, and what lies below it is in no XML.
    guard let span = place.span, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { return nil }
    let escaped = ValueText.escapedXML(text).replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
    return [.init(span: span, replacement: escaped)]
  }
}

extension TextLines {
  /// The lines of an XML document that is no tree of keys and values.
  init(xml source: SourceText) {
    bytes = source.bytes
    syntax = .xmlPropertyList
  }
}

extension ValidatedFile {
  /// The fix that writes another text in place of a value of this file; nil where that cannot be done with certainty.
  func replacing(_ value: Positioned<String>, with text: String, _ description: String? = nil) -> Diagnostic.Fix? {
    edits(replacing: value, with: text).map { .init(description: description ?? "write \(text)", edits: $0) }
  }

  /// The same for a part of the value.
  func replacing(_ part: Substring, of value: Positioned<String>, with text: String, _ description: String? = nil)
    -> Diagnostic.Fix?
  {
    let whole = value.value[..<part.startIndex] + text + value.value[part.endIndex...]
    return edits(replacing: value, with: String(whole)).map {
      .init(description: description ?? "write \(text)", edits: $0)
    }
  }

  /// The fix that writes `https` in place of `http`.
  func overTLS(_ value: Positioned<String>) -> Diagnostic.Fix? {
    guard value.value.hasPrefix("http://") else { return nil }
    return replacing(value.value.prefix(4), of: value, with: "https")
  }

  private func edits(replacing value: Positioned<String>, with text: String) -> [Diagnostic.Edit]? {
    if kind == .androidManifest { return TextEdits.replaceAttribute(at: value.place, with: text) }
    // A value that a reference was filled into does not stand in the text.
    guard let node = node(at: value.place), node.string == value.value else { return nil }
    return TextEdits.replaceValue(node, with: text)
  }
}
