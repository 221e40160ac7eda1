import AppRegistration
import Diagnostics
import Documents

extension TextEdits {
  /// Returns the edit that replaces the value of an XML attribute, or nil if XML cannot represent the text.
  /// - Parameter place: The location of the value without its quotes, from `XMLAttribute.valuePlace`.
  static func replaceAttribute(at place: FileSpan, with text: String) -> [Diagnostic.Edit]? {
    // In attributes, XML normalizes other whitespace to spaces. XML does not allow most control characters.
    guard let span = place.span, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { return nil }
    let escaped = ValueText.escapedXML(text).replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
    return [.init(span: span, replacement: escaped)]
  }
}

extension TextLines {
  /// Creates the lines of an XML document that is not a property list.
  init(xml source: SourceText) {
    bytes = source.bytes
    syntax = .xmlPropertyList
  }
}

extension ValidatedFile {
  /// Returns a fix that replaces a value in this file, or nil if the value cannot be replaced safely.
  func replacing(_ value: Positioned<String>, with text: String, _ description: String? = nil) -> Diagnostic.Fix? {
    edits(replacing: value, with: text).map { .init(description: description ?? "replace with `\(text)`", edits: $0) }
  }

  /// Returns a fix that replaces part of a value.
  func replacing(_ part: Substring, of value: Positioned<String>, with text: String, _ description: String? = nil)
    -> Diagnostic.Fix?
  {
    let newValue = value.value[..<part.startIndex] + text + value.value[part.endIndex...]
    return edits(replacing: value, with: String(newValue)).map {
      .init(description: description ?? "replace with `\(text)`", edits: $0)
    }
  }

  /// Returns a fix that replaces `http` with `https`.
  func overTLS(_ value: Positioned<String>) -> Diagnostic.Fix? {
    guard value.value.hasPrefix("http://") else { return nil }
    return replacing(value.value.prefix(4), of: value, with: "https")
  }

  private func edits(replacing value: Positioned<String>, with text: String) -> [Diagnostic.Edit]? {
    if kind == .androidManifest { return TextEdits.replaceAttribute(at: value.place, with: text) }
    // If references in the value were expanded, the file's text does not contain the value.
    guard let node = node(at: value.place), node.string == value.value else { return nil }
    return TextEdits.replaceValue(node, with: text)
  }
}
