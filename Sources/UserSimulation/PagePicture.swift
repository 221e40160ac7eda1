import Documents
import Effects
import OAuth
import OrderedCollections
import RunTrace

/// A page as the user left it, for the trace.
struct PagePicture {
  private let root: HTMLElement
  private let page: HTMLPage
  private let screen: ScreenKind?
  private let action: PageAction?
  /// The source of the page.
  private let source: [UInt8]

  /// - Parameter action: The user's action, or nil if the page ends the visit.
  init(_ root: HTMLElement, _ page: HTMLPage, _ screen: ScreenKind?, _ action: PageAction?, source: [UInt8]) {
    self.root = root
    self.source = source
    self.page = page
    self.screen = screen
    self.action = action
  }

  /// The characters that replace a secret, as in a password field.
  private static let dots = "••••••••"

  /// A field that the user filled in.
  private struct Entry {
    var name: String
    var label: String
    var value: String
    /// Nil if the value is not a secret.
    var secrecy: Secret.Kind?
  }

  private var entries: [Entry] {
    guard case .submit(let form, let entries, _, let hasSecret) = action else { return [] }
    return form.fields.compactMap { field in
      guard field.kind == .text || field.kind == .password, let value = entries[field.name], !value.isEmpty else {
        return nil
      }
      let isSecret = field.kind == .password || hasSecret && screen == .mfa
      return Entry(
        name: field.name, label: field.label.isEmpty ? field.name : field.label, value: value,
        secrecy: isSecret ? screen == .mfa ? .oneTimeCode : .password : nil)
    }
  }

  private var pressed: (control: (name: String, value: String)?, label: String)? {
    switch action {
    case .submit(_, _, let button?, _): ((button.name, button.value), button.label)
    case .follow(let url): (nil, page.links.first { $0.url == url }?.text ?? "")
    default: nil
    }
  }

  /// Returns the members of the `interaction` event for the page.
  /// - Parameters:
  ///   - purpose: The purpose of the visit.
  ///   - lastStyle: The style sheet of the previous page. A style sheet that has not changed is not recorded again.
  ///   - secrets: The secrets that the user may have typed.
  func traceMembers(
    purpose: String, lastStyle: inout String?, without secrets: [String]
  ) -> OrderedDictionary<String, TraceValue> {
    let entries = entries
    let pressed = pressed
    let shown = entries.map { ($0.name, $0.secrecy == nil ? $0.value : Self.dots) }
    let picture = RedactedPage.Picture(
      shown: Dictionary(shown) { first, _ in first }, pressed: pressed?.control)
    var members: OrderedDictionary<String, TraceValue> = [
      "phase": "page", "purpose": TraceValue(purpose), "screen": TraceValue(screen?.rawValue),
      "title": TraceValue(page.title), "url": TraceValue(page.url.withoutQuery),
      "markup": TraceValue(RedactedPage(root, picture: picture, without: secrets).text),
      "entered": .list(
        entries.map { entry in
          .fields([
            "label": TraceValue(entry.label),
            "value": entry.secrecy.map { .secret(Secret(entry.value, kind: $0)) } ?? TraceValue(entry.value),
          ])
        }),
      "pressed": TraceValue(pressed?.label),
    ]
    if let style, style != lastStyle {
      members["style"] = TraceValue(style)
      lastStyle = style
    }
    return members
  }

  /// The style sheet of an emulator page. Other providers' style sheets can contain anything.
  var style: String? {
    // The parser omits style sheets, so this property reads the source.
    guard page.metas["authflow-screen"] != nil, let start = source.firstRange(ofBytes: Array("<style>".utf8)),
      let end = source[start.upperBound...].firstRange(ofBytes: Array("</style>".utf8))
    else { return nil }
    return String(decoding: source[start.upperBound..<end.lowerBound], as: UTF8.self)
  }
}
