/// Who told what to whom, from top to bottom, as a picture whose arrows lead to the exchanges.
struct SequenceDrawing {
  /// More rows than these no one reads; the exchanges are all in their own part.
  private static let mostRows = 600
  private static let width = 980.0
  private static let rowHeight = 27.0
  private static let top = 44.0

  private let items: [SequenceItem]
  private let isCut: Bool

  init(_ page: RunPage) {
    let items = SequenceItem.items(page)
    isCut = items.count > Self.mostRows
    self.items = Array(items.prefix(Self.mostRows))
  }

  var markup: Markup {
    guard !items.isEmpty else { return tag("p", .class("dim")) { "Nothing was told to anybody." } }
    return tag("figure", .class("drawing")) {
      tag("div", .class("scroll"), .role("group"), .label("Sequence diagram"), .focusable) { picture }
      tag("figcaption") {
        "Numbers are those of the HTTP exchanges; arrows lead to them. Dashed arrows are answers. authflow stands for MSAL inside the app."
        if isCut { " Only the first \(Self.mostRows) rows are drawn." }
      }
    }
  }

  private var height: Double { Self.top + Double(items.count) * Self.rowHeight + 24 }

  private var picture: Markup {
    tag(
      "svg", .class("sequence"), Attribute(.viewBox, "0 0 \(Int(Self.width)) \(Int(height))"),
      .number(.width, Self.width), .role("group"), .labelledBy(PageAnchor("sequence-title"))
    ) {
      tag("title", .id(PageAnchor("sequence-title"))) {
        "Messages between the app, authflow, the browser, the identity platform and the API, in order"
      }
      tag("g", .class("lives")) {
        for actor in Participant.allCases { life(actor) }
      }
      for (index, item) in items.enumerated() { row(item, Self.top + 18 + Double(index) * Self.rowHeight) }
    }
  }

  private func x(_ actor: Participant) -> Double {
    switch actor {
    case .app: 60
    case .authflow: 250
    case .browser: 440
    case .platform: 700
    case .api: 900
    }
  }

  private func life(_ actor: Participant) -> Markup {
    tag("g") {
      tag(
        "line", .number(.x1, x(actor)), .number(.x2, x(actor)), .number(.y1, 34), .number(.y2, height - 8))
      tag(
        "rect", .number(.x, x(actor) - 62), .number(.y, 6), .number(.width, 124), .number(.height, 28), .number(.rx, 6))
      tag("text", .number(.x, x(actor)), .number(.y, 25), Attribute(.textAnchor, "middle")) { actor.name }
    }
  }

  private func row(_ item: SequenceItem, _ y: Double) -> Markup {
    let drawn = draw(item, y)
    guard let anchor = item.anchor else { return drawn }
    return tag("a", .to(anchor)) { drawn }
  }

  private func draw(_ item: SequenceItem, _ y: Double) -> Markup {
    switch item.kind {
    case .step:
      return tag("g", .class("step")) {
        tag("line", .number(.x1, 0), .number(.x2, Self.width), .number(.y1, y - 16), .number(.y2, y - 16))
        tag("text", .number(.x, x(.app) + 8), .number(.y, y + 1)) { item.text }
        arrow(from: x(.app), to: x(.authflow), y + 6, isAnswer: false)
      }
    case .repeated:
      return tag("text", .class("repeated"), .number(.x, (x(.authflow) + x(.platform)) / 2), .number(.y, y)) {
        item.text
      }
    case .message(let from, let to, _) where from == to:
      return tag("g", .class("note")) {
        tag("rect", .number(.x, x(from) - 5), .number(.y, y - 8), .number(.width, 10), .number(.height, 14))
        tag("text", .number(.x, x(to) + 12), .number(.y, y + 3)) { item.text }
      }
    case .message(let from, let to, let isAnswer):
      let left = min(x(from), x(to))
      return tag("g", .class("\(isAnswer ? "answer" : "ask") \(item.tone)")) {
        tag("text", .number(.x, left + 8), .number(.y, y + 1)) {
          if let number = item.number { tag("tspan", .class("number")) { "\(number) " } }
          cut(item.text, from, to)
        }
        arrow(from: x(from), to: x(to), y + 6, isAnswer: isAnswer)
      }
    }
  }

  /// As much as there is room for between the two.
  private func cut(_ text: String, _ from: Participant, _ to: Participant) -> String {
    let room = Int((abs(x(from) - x(to)) - 30) / 6.6)
    return text.count > room ? "\(text.prefix(max(1, room - 1)))…" : text
  }

  private func arrow(from: Double, to: Double, _ y: Double, isAnswer: Bool) -> Markup {
    let back = to < from ? 7.0 : -7.0
    return tag("g") {
      tag(
        "line", .class(isAnswer ? "shaft dashed" : "shaft"), .number(.x1, from), .number(.x2, to), .number(.y1, y),
        .number(.y2, y))
      tag(
        "path", .class("tip"),
        Attribute(.d, "M\(Int(to)) \(Int(y))L\(Int(to + back)) \(Int(y) - 4)L\(Int(to + back)) \(Int(y) + 4)z"))
    }
  }
}
