import Documents
import OAuth

/// A real user who completes the pages of a visit in place of the simulated user.
package protocol PagePerson: Sendable {
  /// Returns the user's action. The visit is suspended until the method returns.
  func answer(_ page: InteractivePage) async -> PersonAction
}

/// A real user's action on a page.
package enum PersonAction: Sendable, Hashable {
  /// Submits a form with the entries that the user's browser sent.
  case submit(Parameters)
  /// Follows a link, by its number.
  case follow(Int)
  case close
  /// Lets the simulated user complete this page.
  case delegate
}

/// A page that is embedded in another document, so that a real user can complete it.
///
/// The markup has no scripts, hidden fields, or URLs. Each control's name is its position on the page, so that
/// submitted entries can be mapped to the controls. The document that contains the markup provides the URL to which
/// forms are submitted.
package struct InteractivePage: Sendable {
  package let title: String
  /// The page's URL without its query.
  package let url: String
  /// The kind of page, such as `password`, or nil if it is unknown.
  package let screen: String?
  /// The content of the `body` element.
  package let markup: String
  /// The style sheet of an emulator page, or nil.
  package let style: String?

  /// The parameter that contains the number of a link.
  package static let linkParameter = "link"

  init(_ root: HTMLElement, _ page: HTMLPage, _ screen: ScreenKind?, style: String?) {
    title = page.title
    url = page.url.withoutQuery
    self.screen = screen?.rawValue
    self.style = style
    var body = root
    root.forEach { if $0.name == "body" { body = $0 } }
    var writer = Writer(page)
    writer.write(body)
    markup = writer.text
  }
}

/// Writes the markup of a page. It visits controls and links in the same order as `HTMLPage`.
private struct Writer {
  private let page: HTMLPage
  private(set) var text = ""
  private var control = 0
  private var link = 0
  /// The number of the first radio button of each group, by form and name.
  private var groups: [String: Int] = [:]

  init(_ page: HTMLPage) { self.page = page }

  mutating func write(_ element: HTMLElement) {
    if element.name == "svg" || element.name == "template" { return }
    if RedactedPage.withoutPicture.contains(element.name) { return skip(element) }
    guard let name = RedactedPage.plain(element.name) else { return }
    var attributes: [(String, String)] = element.attributes.filter { Self.isKept($0.name) }.map { ($0.name, $0.value) }
    switch name {
    case "form": attributes.append(("method", "post"))
    case "a":
      if element["href"] != nil {
        attributes.append(("href", "?\(InteractivePage.linkParameter)=\(link)"))
        link += 1
      }
    case "input", "button", "select", "textarea":
      defer { control += 1 }
      guard let owner = page.control(control), owner.kind != .hidden else { return }
      attributes += named(owner)
      if name == "input", owner.isButton || owner.kind == .text, !owner.value.isEmpty {
        attributes.append(("value", owner.value))
      }
    case "option": if let value = element["value"] { attributes.append(("value", value)) }
    default: break
    }
    text += "<\(name)" + attributes.map { " \($0.0)=\"\($0.1.escapedForMarkup)\"" }.joined() + ">"
    if RedactedPage.void.contains(name) { return }
    for child in element.children {
      switch child {
      case .element(let inner): write(inner)
      case .text(let words): text += words.escapedForMarkup
      }
    }
    text += "</\(name)>"
  }

  /// Counts the controls and links in an element that is not shown.
  private mutating func skip(_ element: HTMLElement) {
    element.forEach { inner in
      if ["input", "button", "select", "textarea"].contains(inner.name) { control += 1 }
      if inner.name == "a", inner["href"] != nil { link += 1 }
    }
  }

  private mutating func named(_ owner: HTMLControl) -> [(String, String)] {
    guard owner.kind == .radio else {
      let name = [("name", "c\(control)")]
      return owner.kind == .checkbox ? name + [("value", "on")] : name
    }
    let group = "\(page.owner(of: control)?.form ?? -1) \(owner.name)"
    let first = groups[group] ?? control
    groups[group] = first
    return [("name", "c\(first)"), ("value", "c\(control)")]
  }

  /// Attributes that describe the appearance or function of an element and do not load resources.
  private static let kept: Set<String> = [
    "alt", "autocomplete", "checked", "class", "disabled", "for", "hidden", "id", "inputmode", "lang",
    "maxlength", "multiple", "placeholder", "required", "role", "selected", "title", "type",
  ]

  private static func isKept(_ name: String) -> Bool { kept.contains(name) || name.hasPrefix("aria-") }
}

extension PersonAction {
  /// Returns the page action, or nil if the entries do not match the page.
  func action(on page: HTMLPage) -> PageAction? {
    switch self {
    case .delegate: return nil
    case .close: return .close("the user closed the window")
    case .follow(let number):
      return page.links.indices.contains(number) ? .follow(page.links[number].url) : nil
    case .submit(let entries): return page.submission(of: entries)
    }
  }
}

extension HTMLPage {
  /// Returns the submission of a form, given the entries of an ``InteractivePage``.
  fileprivate func submission(of entries: Parameters) -> PageAction? {
    var values: [Int: String] = [:]
    for entry in entries.entries {
      // The entry of a selected radio button has the number of its group as the name and its own number as the value.
      guard let number = Self.number(entry.name) else { continue }
      values[control(number)?.kind == .radio ? Self.number(entry.value) ?? number : number] = entry.value
    }
    let pressed = values.keys.first { control($0)?.isButton == true }
    guard let form = (pressed ?? values.keys.min()).flatMap({ owner(of: $0)?.form }) ?? forms.indices.first else {
      return nil
    }
    var typed: [Int: String] = [:]
    var ticked: [Int: Bool] = [:]
    for (number, owner) in controlOwners.enumerated() {
      guard let owner, owner.form == form else { continue }
      switch control(number)?.kind {
      case .text, .password, .select: if let value = values[number] { typed[owner.position] = value }
      case .checkbox, .radio: ticked[owner.position] = values[number] != nil
      default: break
      }
    }
    let button = pressed.flatMap { control($0) } ?? forms[form].buttons.first
    return .submit(
      forms[form], forms[form].entries(typed: typed, ticked: ticked, button: button), button: button,
      hasSecret: forms[form].fields.contains { $0.kind == .password && typed[$0.position] != nil })
  }

  private static func number(_ name: String) -> Int? { name.hasPrefix("c") ? Int(name.dropFirst()) : nil }
}
