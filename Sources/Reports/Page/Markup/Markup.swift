import WorkflowModel

/// HTML whose texts are always escaped.
///
/// Element names are string literals, attribute values are escaped, and no API converts text to markup. So content of tokens,
/// servers, and files is always text.
package struct Markup: Sendable, Equatable {
  /// The HTML source text.
  package private(set) var html: String

  /// Creates empty markup.
  package init() { html = "" }

  /// Escapes a text.
  package init(_ text: String) { html = Self.escaped(text) }

  private init(html: String) { self.html = html }

  /// An element with content.
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

  /// Whether the end tag can be omitted (HTML §13.1.2.4). Cells and rows are most of a page.
  private static func closesItself(_ name: String) -> Bool { name == "td" || name == "th" || name == "tr" }

  /// An element without content: `meta`, `input`, `br`.
  static func void(_ name: StaticString, _ attributes: Attribute...) -> Markup {
    Markup(html: "<\(name)\(attributes.map(\.html).joined())>")
  }

  /// The style sheet or script of the page, without escapes, because the content security policy contains its hash.
  static func asset(_ asset: PageAsset) -> Markup { Markup(html: "<\(asset.tag)>\(asset.text)</\(asset.tag)>") }

  /// A diagram, whose texts are escaped.
  static func figure(_ figure: DiagramFigure) -> Markup { Markup(html: figure.svg) }

  static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }
  static func += (left: inout Markup, right: Markup) { left.html += right.html }

  var isEmpty: Bool { html.isEmpty }

  /// The complete document.
  var document: String { "<!DOCTYPE html>\n\(html)\n" }

  /// Escapes text for content and attribute values. Invisible and directional characters (CVE-2021-42574) become numbers.
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

  /// Whether a byte can start a character that `escaped` changes.
  private static func isSuspicious(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x26, 0x3C, 0x3E, 0x22, 0x27, 0x60, 0..<0x09, 0x0B..<0x20, 0x7F: true
    // U+0080…, U+0600…, U+2000…, U+F000…, U+E0000….
    case 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }
}

/// Joins texts and elements in order.
@resultBuilder package enum MarkupBuilder {
  /// Escapes a text.
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

/// An element with the content of the closure.
package func tag(
  _ name: StaticString, _ attributes: Attribute..., @MarkupBuilder content: () -> Markup = { Markup() }
) -> Markup {
  Markup.element(name, attributes, content())
}
