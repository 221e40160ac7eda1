/// An HTML attribute. No attribute can contain a script, a style, or another page's URL.
package struct Attribute: Sendable {
  /// The HTML source text, with a leading space.
  let html: String

  /// The names of attributes that have a value. Values are escaped.
  package enum Name: String {
    case `class`, title, role, scope, lang, name, content, charset, type, placeholder, media
    case ariaLabel = "aria-label"
    case ariaLive = "aria-live"
    case ariaHidden = "aria-hidden"
    case ariaPressed = "aria-pressed"
    case ariaKeyShortcuts = "aria-keyshortcuts"
    case httpEquiv = "http-equiv"
    // The search uses this attribute in addition to the text.
    case dataKind = "data-kind"
    case dataFilter = "data-filter"
    case dataPart = "data-part"
    // The positions of the archived pages that a button opens.
    case dataRuns = "data-runs"
    case min, max, value, loading
    // Attributes for SVG elements.
    case viewBox, width, height, x, y, x1, x2, y1, y2, cx, cy, r, rx, d, points
    case textAnchor = "text-anchor"
  }

  /// Boolean attributes.
  enum Flag: String {
    case hidden, open
  }

  private init(html: String) { self.html = html }

  init(_ name: Name, _ value: String) { html = " \(name.rawValue)=\"\(Markup.escaped(value))\"" }

  static func has(_ flag: Flag) -> Attribute { Attribute(html: " \(flag.rawValue)") }

  /// Returns the class attribute, or nothing if the name is empty.
  static func `class`(_ names: String) -> Attribute { names.isEmpty ? Attribute(html: "") : Attribute(.class, names) }
  static func label(_ text: String) -> Attribute { Attribute(.ariaLabel, text) }
  /// Returns the attribute for a tooltip.
  package static func title(_ text: String) -> Attribute { Attribute(.title, text) }
  static func role(_ role: String) -> Attribute { Attribute(.role, role) }

  /// Returns the attribute for an element's anchor.
  static func id(_ anchor: PageAnchor) -> Attribute { Attribute(html: " id=\"\(anchor.id)\"") }
  /// Returns the attribute for a link within the page. A page does not contain any other links.
  package static func to(_ anchor: PageAnchor) -> Attribute { Attribute(html: " href=\"#\(anchor.id)\"") }
  static func labeledBy(_ anchor: PageAnchor) -> Attribute { Attribute(html: " aria-labelledby=\"\(anchor.id)\"") }
  static func describes(_ anchor: PageAnchor) -> Attribute { Attribute(html: " for=\"\(anchor.id)\"") }
  /// Returns an attribute that highlights both this element and the element at the anchor.
  static func highlightsWith(_ anchor: PageAnchor) -> Attribute { Attribute(html: " data-with=\"\(anchor.id)\"") }
  /// Returns an attribute with the sequence number of an element's event. Before that event, the replay dims the
  /// element.
  static func at(_ seq: Int) -> Attribute { Attribute(html: " data-at=\"\(seq)\"") }
  /// Returns an attribute with the sequence number of the event that hides the element in the replay, or nothing if the
  /// element stays visible.
  static func until(_ seq: Int?) -> Attribute { Attribute(html: seq.map { " data-until=\"\($0)\"" } ?? "") }
  /// Returns the attributes of a frame that shows a document without scripts, forms, or network access.
  static func sandboxed(_ document: PictureDocument) -> Attribute {
    Attribute(html: " sandbox srcdoc=\"\(Markup.escaped(document.text))\"")
  }
  /// An attribute that makes an element, such as a scroll container, accessible from the keyboard.
  static let focusable = Attribute(html: " tabindex=\"0\"")

  /// Returns an attribute whose value is a number with one decimal place. The value is 0 if the number is not finite or
  /// is too large.
  package static func number(_ name: Name, _ value: Double) -> Attribute {
    let tenths = (value * 10).rounded()
    guard tenths.isFinite, abs(tenths) < 1e12 else { return Attribute(name, "0") }
    let whole = Int(tenths)
    return Attribute(name, whole % 10 == 0 ? "\(whole / 10)" : "\(Double(whole) / 10)")
  }
}

/// An anchor on a page.
package struct PageAnchor: Sendable, Hashable {
  let id: String

  init(_ word: StaticString) { id = "\(word)" }
  /// Creates the anchor `word-number`.
  package init(_ word: StaticString, _ number: Int) { id = "\(word)-\(number)" }

  /// Returns the anchor for a line in the main workflow or in the nested workflow with the given file number.
  static func line(_ number: Int, file: Int = 0) -> PageAnchor {
    file == 0 ? PageAnchor("L", number) : PageAnchor(id: "F\(file)-L-\(number)")
  }

  /// The anchor for the heading of a section.
  var heading: PageAnchor { PageAnchor(id: "\(id)-heading") }

  private init(id: String) { self.id = id }
}
