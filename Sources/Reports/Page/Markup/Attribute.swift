/// An attribute of an element. There is none that could hold a program, a style or an address of another page.
package struct Attribute: Sendable {
  /// With a space before it.
  let html: String

  /// Those with a value, which is escaped.
  package enum Name: String {
    case `class`, title, role, scope, lang, name, content, charset, type, placeholder, media
    case ariaLabel = "aria-label"
    case ariaLive = "aria-live"
    case ariaHidden = "aria-hidden"
    case ariaPressed = "aria-pressed"
    case ariaCurrent = "aria-current"
    case ariaKeyShortcuts = "aria-keyshortcuts"
    case httpEquiv = "http-equiv"
    /// What a search looks through beside the text.
    case dataKind = "data-kind"
    case dataFilter = "data-filter"
    case dataPart = "data-part"
    case colspan, max, value
    // Of pictures.
    case viewBox, width, height, x, y, x1, x2, y1, y2, cx, cy, r, rx, d, points
    case textAnchor = "text-anchor"
    case markerEnd = "marker-end"
    case preserveAspectRatio
  }

  /// Those that are there or not.
  enum Flag: String {
    case hidden, open
  }

  private init(html: String) { self.html = html }

  init(_ name: Name, _ value: String) { html = " \(name.rawValue)=\"\(Markup.escaped(value))\"" }

  static func has(_ flag: Flag) -> Attribute { Attribute(html: " \(flag.rawValue)") }

  /// Nothing without a name.
  static func `class`(_ names: String) -> Attribute { names.isEmpty ? Attribute(html: "") : Attribute(.class, names) }
  static func label(_ text: String) -> Attribute { Attribute(.ariaLabel, text) }
  /// A tooltip.
  package static func title(_ text: String) -> Attribute { Attribute(.title, text) }
  static func role(_ role: String) -> Attribute { Attribute(.role, role) }

  /// What other places of the page lead to.
  static func id(_ anchor: PageAnchor) -> Attribute { Attribute(html: " id=\"\(anchor.id)\"") }
  /// A link within the page; there are no others.
  package static func to(_ anchor: PageAnchor) -> Attribute { Attribute(html: " href=\"#\(anchor.id)\"") }
  static func labeledBy(_ anchor: PageAnchor) -> Attribute { Attribute(html: " aria-labelledby=\"\(anchor.id)\"") }
  static func describes(_ anchor: PageAnchor) -> Attribute { Attribute(html: " for=\"\(anchor.id)\"") }
  /// What lights up together with it.
  static func goesWith(_ anchor: PageAnchor) -> Attribute { Attribute(html: " data-with=\"\(anchor.id)\"") }
  /// A place that the keyboard reaches: what scrolls, for one.
  static let focusable = Attribute(html: " tabindex=\"0\"")

  /// A number, rounded to one decimal place; 0 if it is not finite or too large.
  package static func number(_ name: Name, _ value: Double) -> Attribute {
    let tenths = (value * 10).rounded()
    guard tenths.isFinite, abs(tenths) < 1e12 else { return Attribute(name, "0") }
    let whole = Int(tenths)
    return Attribute(name, whole % 10 == 0 ? "\(whole / 10)" : "\(Double(whole) / 10)")
  }
}

/// A place of a page: a word of the program, and a number.
package struct PageAnchor: Sendable, Hashable {
  let id: String

  init(_ word: StaticString) { id = "\(word)" }
  /// The anchor `word-number`.
  package init(_ word: StaticString, _ number: Int) { id = "\(word)-\(number)" }

  /// A line of the workflow's source, or of the `file`-th workflow that it uses.
  static func line(_ number: Int, file: Int = 0) -> PageAnchor {
    file == 0 ? PageAnchor("L", number) : PageAnchor(id: "F\(file)-L-\(number)")
  }

  /// The heading of a part.
  var heading: PageAnchor { PageAnchor(id: "\(id)-heading") }

  private init(id: String) { self.id = id }
}
