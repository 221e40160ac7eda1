import WorkflowModel

/// HTML in which all text is escaped.
///
/// Element names are string literals, attribute values are escaped, and no API converts text to markup. Therefore,
/// content from tokens, servers, and files always remains text.
package struct Markup: Sendable, Equatable {
  /// The HTML source text.
  package private(set) var html: String

  /// Creates empty markup.
  package init() { html = "" }

  /// Creates markup from text by escaping it.
  package init(_ text: String) { html = Self.escaped(text) }

  private init(html: String) { self.html = html }

  /// Returns an element with content.
  static func element(_ name: StaticString, _ attributes: [Attribute], _ content: Markup) -> Markup {
    var html = ""
    html.reserveCapacity(content.html.utf8.count + 64)
    html += "<\(name)"
    for attribute in attributes { html += attribute.html }
    html += ">"
    html += content.html
    if !closesItself("\(name)") { html += "</\(name)>" }
    return Markup(html: html)
  }

  /// Returns whether the end tag can be omitted (HTML §13.1.2.4). Omitting these tags saves space, because most of a
  /// page consists of cells and rows.
  private static func closesItself(_ name: String) -> Bool { name == "td" || name == "th" || name == "tr" }

  /// Returns an element without content, such as `meta`, `input`, or `br`.
  static func void(_ name: StaticString, _ attributes: Attribute...) -> Markup {
    Markup(html: "<\(name)\(attributes.map(\.html).joined())>")
  }

  /// Returns the page's style sheet or script. The text is not escaped, because the content security policy contains
  /// its hash.
  static func asset(_ asset: PageAsset) -> Markup { Markup(html: "<\(asset.tag)>\(asset.text)</\(asset.tag)>") }

  /// Returns JSON that a script reads. A script element ends at `</script`, so the data must not contain `<`.
  static func data(_ anchor: PageAnchor, _ json: String) -> Markup {
    Markup(
      html: "<script type=\"application/json\" id=\"\(anchor.id)\">\(json.replacing("<", with: #"\u003c"#))</script>")
  }

  /// Returns a diagram. The text in the diagram is already escaped.
  static func figure(_ figure: DiagramFigure) -> Markup { Markup(html: figure.svg) }

  static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }
  static func += (left: inout Markup, right: Markup) { left.html += right.html }

  var isEmpty: Bool { html.isEmpty }

  /// The complete document.
  var document: String { "<!DOCTYPE html>\n\(html)\n" }

  /// Escapes text for content and attribute values. Invisible and directional characters (CVE-2021-42574) become
  /// visible numbers.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { isSuspicious($0) }) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 32)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22: result += "&quot;"
      case 0x27: result += "&#39;"
      case 0x60: result += "&#96;"
      case 0x09, 0x0A: result.unicodeScalars.append(scalar)
      case 0..<0x20: result.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFF,
        0xE0000...0xE007F:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns whether a byte can start a character that `escaped(_:)` changes.
  private static func isSuspicious(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x26, 0x3C, 0x3E, 0x22, 0x27, 0x60, 0..<0x09, 0x0B..<0x20, 0x7F: true
    // The first UTF-8 bytes of the blocks at U+0080, U+0600, U+2000, U+F000, and U+E0000.
    case 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }
}

/// Joins text and elements in order.
@resultBuilder package enum MarkupBuilder {
  /// Creates markup from text by escaping it.
  package static func buildExpression(_ text: String) -> Markup { Markup(text) }
  /// Returns the markup unchanged.
  package static func buildExpression(_ markup: Markup) -> Markup { markup }
  /// Joins the parts of a closure.
  package static func buildBlock(_ parts: Markup...) -> Markup {
    var all = Markup()
    for part in parts { all += part }
    return all
  }
  static func buildOptional(_ part: Markup?) -> Markup { part ?? Markup() }
  static func buildEither(first: Markup) -> Markup { first }
  static func buildEither(second: Markup) -> Markup { second }
  static func buildArray(_ parts: [Markup]) -> Markup {
    var all = Markup()
    for part in parts { all += part }
    return all
  }
}

/// Returns an element with the content that the closure returns.
package func tag(
  _ name: StaticString, _ attributes: Attribute..., @MarkupBuilder content: () -> Markup = { Markup() }
) -> Markup {
  Markup.element(name, attributes, content())
}
