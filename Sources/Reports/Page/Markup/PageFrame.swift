/// The parts that run and suite pages share: the head, policy, top bar, navigation, and sections.
package struct PageFrame {
  /// A section of the page with an entry in the navigation.
  struct Part {
    var anchor: PageAnchor
    var title: String
    var count: Int?
    var content: Markup

    init(_ anchor: PageAnchor, _ title: String, count: Int? = nil, @MarkupBuilder content: () -> Markup) {
      self.anchor = anchor
      self.title = title
      self.count = count
      self.content = content()
    }
  }

  var title: String
  var heading: Markup
  var parts: [Part]
  /// A description of the searchable content.
  var searched: String
  var footer: Markup
  /// The replay controls, if any.
  var player = Markup()
  /// The style sheets of the documents in frames.
  var frameStyles: [PageAsset] = []
  /// The pages that this page can open, if any.
  var archive: PageArchive?

  /// The style sheet for all pages.
  package static let style = PageAsset(kind: .style, text: EmbeddedData.text("page.css") ?? "")
  /// The script for all pages.
  package static let script = PageAsset(kind: .script, text: EmbeddedData.text("page.js") ?? "")

  /// The content security policy. The policy blocks all requests and all scripts except the page's own script.
  package static let policy = policy(allowing: [])

  /// - Parameters:
  ///   - styles: The style sheets that the page allows in addition to its own.
  ///   - hasArchive: Whether to allow the style sheet and the script of the archive.
  private static func policy(allowing styles: [PageAsset], hasArchive: Bool = false) -> String {
    let styles = [style] + (hasArchive ? [PageArchive.style] : []) + styles
    let scripts = [script] + (hasArchive ? [PageArchive.script] : [])
    func sources(_ assets: [PageAsset]) -> String { assets.map(\.source).joined(separator: " ") }
    return
      "default-src 'none'; style-src \(sources(styles)); script-src \(sources(scripts)); img-src data:; base-uri 'none'; form-action 'none'"
  }

  private var policy: String {
    Self.policy(allowing: frameStyles + (archive?.frameStyles ?? []), hasArchive: archive != nil)
  }

  func html() -> String {
    tag("html", Attribute(.lang, "en")) {
      head
      tag("body") {
        tag("a", .class("skip"), .to(PageAnchor("main"))) { "Skip to content" }
        tag("header", .class("top")) {
          tag("div", .class("bar")) {
            tag("span", .class("brand")) { "authflow" }
            tools
          }
          heading
        }
        navigation
        tag("main", .id(PageAnchor("main"))) {
          for part in parts {
            tag("section", .id(part.anchor), .labeledBy(part.anchor.heading)) {
              tag("h2", .id(part.anchor.heading)) {
                part.title
                if let count = part.count { tag("span", .class("count")) { "\(count)" } }
              }
              part.content
            }
          }
        }
        tag("footer") { footer }
        player
        if let archive { archive.markup }
        Markup.asset(Self.script)
        if archive != nil { Markup.asset(PageArchive.script) }
      }
    }.document
  }

  private var head: Markup {
    tag("head") {
      Markup.void("meta", Attribute(.charset, "utf-8"))
      Markup.void(
        "meta", Attribute(.httpEquiv, "Content-Security-Policy"),
        Attribute(.content, policy))
      Markup.void(
        "meta", Attribute(.name, "viewport"), Attribute(.content, "width=device-width, initial-scale=1"))
      Markup.void("meta", Attribute(.name, "color-scheme"), Attribute(.content, "light dark"))
      Markup.void("meta", Attribute(.name, "referrer"), Attribute(.content, "no-referrer"))
      tag("title") { title }
      Markup.asset(Self.style)
      if archive != nil { Markup.asset(PageArchive.style) }
    }
  }

  /// The search and filter tools. They depend on the script, so they are hidden until the script runs.
  private var tools: Markup {
    tag("div", .class("tools"), .id(PageAnchor("tools")), .has(.hidden)) {
      tag("label", .class("unseen"), .describes(PageAnchor("search"))) { "Search \(searched)" }
      Markup.void(
        "input", .id(PageAnchor("search")), Attribute(.type, "search"), Attribute(.placeholder, "Search"),
        Attribute(.ariaKeyShortcuts, "/"))
      tag("span", .id(PageAnchor("found")), .role("status"), Attribute(.ariaLive, "polite")) {}
      tag("span", .id(PageAnchor("hits")), .class("hits"), .has(.hidden)) {
        tag("button", .id(PageAnchor("previous")), Attribute(.type, "button"), .label("Previous match")) { "↑" }
        tag("button", .id(PageAnchor("next")), Attribute(.type, "button"), .label("Next match")) { "↓" }
      }
      tag("button", .id(PageAnchor("unfold")), Attribute(.type, "button"), Attribute(.ariaPressed, "false")) {
        "Open all"
      }
      tag("button", .id(PageAnchor("theme")), Attribute(.type, "button")) { "Theme: system" }
    }
  }

  private var navigation: Markup {
    tag("nav", .class("parts"), .label("Sections")) {
      tag("ul") {
        for part in parts {
          tag("li") {
            tag("a", .to(part.anchor)) {
              part.title
              if let count = part.count { tag("span", .class("count")) { "\(count)" } }
            }
          }
        }
      }
    }
  }

  /// Returns filter buttons, which the script makes visible.
  static func filters(_ label: String, _ choices: [(name: String, kind: String)]) -> Markup {
    tag("div", .class("filters"), .role("group"), .label(label), .has(.hidden)) {
      for (position, choice) in choices.enumerated() {
        tag(
          "button", Attribute(.type, "button"), Attribute(.dataFilter, choice.kind),
          Attribute(.ariaPressed, position == 0 ? "true" : "false")
        ) { choice.name }
      }
    }
  }
}
