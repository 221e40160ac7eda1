/// A page that the user saw, as a document for a sandboxed frame.
///
/// The markup comes from a trace and is untrusted. The frame has no permissions (HTML §4.8.5, `sandbox`), and the content
/// security policy of the report, which the frame inherits, blocks scripts, resources, and navigation.
struct PictureDocument {
  /// The styles that pages need in addition to their own style sheet.
  static let style = PageAsset(
    kind: .style,
    text: "[data-pressed]{outline:3px solid #7a3ff2;outline-offset:2px}html{color-scheme:light dark}")
  /// The style of pages whose own style sheet is not recorded.
  static let plainStyle = PageAsset(
    kind: .style,
    text:
      "body{font:16px/1.5 system-ui,sans-serif;margin:1.5rem}input,button,select{font:inherit;margin:.2rem}img,svg{display:none}"
  )

  let text: String

  /// - Parameter style: The page's own style sheet, or nil if it is not recorded or not allowed by the report's policy.
  init(_ page: TracedPage, style: PageAsset?) {
    text = """
      <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>\(Markup.escaped(page.title))</title>\
      \(Markup.asset(style ?? Self.plainStyle).html)\(Markup.asset(Self.style).html)\(page.markup)</html>
      """
  }
}
