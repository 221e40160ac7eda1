import WorkflowModel

/// HTML in which every text is escaped by construction.
///
/// Names of elements are literals of the program, values of attributes are escaped, and nothing turns a text into markup.
/// So whatever a token, a server or a file says stays a text on the page.
package struct Markup: Sendable, Equatable {
  /// The HTML source text.
  package private(set) var html: String

  /// Creates empty markup.
  package init() { html = "" }

  /// A text.
  package init(_ text: String) { html = Self.escaped(text) }

  private init(html: String) { self.html = html }

  /// An element with what is in it.
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

  /// Whether the next of its kind or the end of what holds it ends an element (HTML §13.1.2.4), so that its end need not be
  /// written: cells and rows are most of a page.
  private static func closesItself(_ name: String) -> Bool { name == "td" || name == "th" || name == "tr" }

  /// An element that has nothing in it: `meta`, `input`, `br`.
  static func void(_ name: StaticString, _ attributes: Attribute...) -> Markup {
    Markup(html: "<\(name)\(attributes.map(\.html).joined())>")
  }

  /// The style sheet or script of the page: a text of the program, which is not escaped, because its hash is what lets it in.
  static func asset(_ asset: PageAsset) -> Markup { Markup(html: "<\(asset.tag)>\(asset.text)</\(asset.tag)>") }

  /// A picture that another room drew, with its texts escaped.
  static func figure(_ figure: DiagramFigure) -> Markup { Markup(html: figure.svg) }

  static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }
  static func += (left: inout Markup, right: Markup) { left.html += right.html }

  var isEmpty: Bool { html.isEmpty }

  /// The whole document.
  var document: String { "<!DOCTYPE html>\n\(html)\n" }

  /// A text as character data and as a quoted value alike. What cannot be seen, and what turns the direction of writing
  /// around (CVE-2021-42574), is shown by its number.
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

  /// Whether a byte begins, or is, something that `escaped` may change.
  private static func isSuspicious(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x26, 0x3C, 0x3E, 0x22, 0x27, 0x60, 0..<0x09, 0x0B..<0x20, 0x7F: true
    // U+0080…, U+0600…, U+2000…, U+F000…, U+E0000….
    case 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }
}

/// Joins texts and elements, in order.
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

/// An element; its texts and elements stand in the closure.
package func tag(
  _ name: StaticString, _ attributes: Attribute..., @MarkupBuilder content: () -> Markup = { Markup() }
) -> Markup {
  Markup.element(name, attributes, content())
}
