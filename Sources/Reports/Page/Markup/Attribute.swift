/// An attribute of an element. No attribute can contain a script, a style, or the URL of another page.
package struct Attribute: Sendable {
  /// The source text with a leading space.
  let html: String

  /// Attributes with a value, which is escaped.
  package enum Name: String {
    case `class`, title, role, scope, lang, name, content, charset, type, placeholder, media
    case ariaLabel = "aria-label"
    case ariaLive = "aria-live"
    case ariaHidden = "aria-hidden"
    case ariaPressed = "aria-pressed"
    case ariaCurrent = "aria-current"
    case ariaKeyShortcuts = "aria-keyshortcuts"
    case httpEquiv = "http-equiv"
    // For the search, in addition to the text.
    case dataKind = "data-kind"
    case dataFilter = "data-filter"
    case dataPart = "data-part"
    case colspan, max, value
    // Of SVG elements.
    case viewBox, width, height, x, y, x1, x2, y1, y2, cx, cy, r, rx, d, points
    case textAnchor = "text-anchor"
    case markerEnd = "marker-end"
    case preserveAspectRatio
  }

  /// Boolean attributes.
  enum Flag: String {
    case hidden, open
  }

  private init(html: String) { self.html = html }

  init(_ name: Name, _ value: String) { html = " \(name.rawValue)=\"\(Markup.escaped(value))\"" }

  static func has(_ flag: Flag) -> Attribute { Attribute(html: " \(flag.rawValue)") }

  /// The class attribute, or nothing for an empty name.
  static func `class`(_ names: String) -> Attribute { names.isEmpty ? Attribute(html: "") : Attribute(.class, names) }
  static func label(_ text: String) -> Attribute { Attribute(.ariaLabel, text) }
  /// A tooltip.
  package static func title(_ text: String) -> Attribute { Attribute(.title, text) }
  static func role(_ role: String) -> Attribute { Attribute(.role, role) }

  /// The anchor of an element.
  static func id(_ anchor: PageAnchor) -> Attribute { Attribute(html: " id=\"\(anchor.id)\"") }
  /// A link within the page. There are no other links.
  package static func to(_ anchor: PageAnchor) -> Attribute { Attribute(html: " href=\"#\(anchor.id)\"") }
  static func labeledBy(_ anchor: PageAnchor) -> Attribute { Attribute(html: " aria-labelledby=\"\(anchor.id)\"") }
  static func describes(_ anchor: PageAnchor) -> Attribute { Attribute(html: " for=\"\(anchor.id)\"") }
  /// Elements that are highlighted together.
  static func highlightsWith(_ anchor: PageAnchor) -> Attribute { Attribute(html: " data-with=\"\(anchor.id)\"") }
  /// Makes an element, such as a scroll container, reachable with the keyboard.
  static let focusable = Attribute(html: " tabindex=\"0\"")

  /// A number with one decimal place, or 0 if it is not finite or too large.
  package static func number(_ name: Name, _ value: Double) -> Attribute {
    let tenths = (value * 10).rounded()
    guard tenths.isFinite, abs(tenths) < 1e12 else { return Attribute(name, "0") }
    let whole = Int(tenths)
    return Attribute(name, whole % 10 == 0 ? "\(whole / 10)" : "\(Double(whole) / 10)")
  }
}

/// An anchor of a page.
package struct PageAnchor: Sendable, Hashable {
  let id: String

  init(_ word: StaticString) { id = "\(word)" }
  /// The anchor `word-number`.
  package init(_ word: StaticString, _ number: Int) { id = "\(word)-\(number)" }

  /// A line of the workflow, or of a used workflow by number.
  static func line(_ number: Int, file: Int = 0) -> PageAnchor {
    file == 0 ? PageAnchor("L", number) : PageAnchor(id: "F\(file)-L-\(number)")
  }

  /// The heading of a section.
  var heading: PageAnchor { PageAnchor(id: "\(id)-heading") }

  private init(id: String) { self.id = id }
}
