/// The messages in a run as a sequence diagram. The arrows link to the exchanges.
struct SequenceDrawing {
  /// The maximum number of rows. A separate section contains all exchanges.
  private static let mostRows = 600
  private static let width = 1120.0
  private static let rowHeight = 27.0
  private static let top = 44.0

  private let page: RunPage
  private let diagram: SequenceDiagram
  private let lines: ArraySlice<SequenceDiagram.Line>

  init(_ page: RunPage) {
    self.page = page
    diagram = SequenceDiagram(page.tracedRun)
    lines = diagram.lines.prefix(Self.mostRows)
  }

  var markup: Markup {
    guard !lines.isEmpty else { return tag("p", .class("dim")) { "No messages exchanged" } }
    return tag("figure", .class("drawing")) {
      tag("div", .class("scroll whole"), .role("group"), .label("Sequence diagram"), .focusable) { picture }
      tag("figcaption") {
        "The numbers and links refer to the HTTP exchanges. Dashed arrows are responses. The participant authflow represents MSAL in the app."
        if lines.count < diagram.lines.count { " Only the first \(Self.mostRows) rows are drawn." }
      }
    }
  }

  private var height: Double { Self.top + Double(lines.count) * Self.rowHeight + 24 }

  private var picture: Markup {
    tag(
      "svg", .class("sequence"), Attribute(.viewBox, "0 0 \(Int(Self.width)) \(Int(height))"),
      .number(.width, Self.width), .role("group"), .labeledBy(PageAnchor("sequence-title"))
    ) {
      tag("title", .id(PageAnchor("sequence-title"))) {
        "Messages between the app, authflow, the browser, the identity platform, and APIs, in order"
      }
      tag("g", .class("lives")) {
        for actor in diagram.participants { life(actor) }
      }
      for (index, line) in lines.enumerated() { row(line, Self.top + 18 + Double(index) * Self.rowHeight) }
    }
  }

  /// Returns the horizontal position of a participant's lifeline. The lifelines are evenly spaced, with space for a
  /// name to the right of the last lifeline.
  private func x(_ actor: SequenceDiagram.Participant) -> Double {
    let position = Double(diagram.participants.firstIndex(of: actor) ?? 0)
    return 66 + position * (Self.width - 132) / Double(max(1, diagram.participants.count - 1))
  }

  private func life(_ actor: SequenceDiagram.Participant) -> Markup {
    tag("g") {
      tag(
        "line", .number(.x1, x(actor)), .number(.x2, x(actor)), .number(.y1, 34), .number(.y2, height - 8))
      tag(
        "rect", .number(.x, x(actor) - 62), .number(.y, 6), .number(.width, 124), .number(.height, 28), .number(.rx, 6))
      tag("text", .number(.x, x(actor)), .number(.y, 25), Attribute(.textAnchor, "middle")) { cut(actor.title, 122) }
    }
  }

  private func row(_ line: SequenceDiagram.Line, _ y: Double) -> Markup {
    let drawn = draw(line, y)
    switch line.subject {
    case .step(let position): return tag("a", .to(RunPage.step(position)), .at(line.seq)) { drawn }
    case .exchange(let position): return tag("a", .to(RunPage.exchange(position)), .at(line.seq)) { drawn }
    case .write(let position): return tag("a", .to(RunPage.write(position)), .at(line.seq)) { drawn }
    case nil: return tag("g", .at(line.seq)) { drawn }
    }
  }

  private func draw(_ line: SequenceDiagram.Line, _ y: Double) -> Markup {
    switch line.kind {
    case .heading:
      return tag("text", .class("heading"), .number(.x, Self.width / 2), .number(.y, y)) { line.text }
    case .note(let over):
      return tag("g", .class("note")) {
        tag("rect", .number(.x, x(over) - 5), .number(.y, y - 8), .number(.width, 10), .number(.height, 14))
        tag("text", .number(.x, x(over) + 12), .number(.y, y + 3)) { cut(line.text, Self.width - x(over) - 12) }
      }
    case .message(let from, let to, let arrow):
      return tag("g", .class("\(arrow == .call ? "ask" : "answer") \(tone(of: line, arrow))")) {
        if from == .app {
          tag(
            "line", .class("beginning"), .number(.x1, 0), .number(.x2, Self.width), .number(.y1, y - 16),
            .number(.y2, y - 16))
        }
        tag("text", .number(.x, min(x(from), x(to)) + 8), .number(.y, y + 1)) {
          if case .exchange(let position)? = line.subject {
            tag("tspan", .class("number")) { "\(position + 1) " }
          }
          cut(line.text, abs(x(from) - x(to)) - 30)
        }
        shaft(from: x(from), to: x(to), y + 6, isAnswer: arrow != .call)
      }
    }
  }

  /// Returns the CSS class for a message, which indicates success or failure.
  private func tone(of line: SequenceDiagram.Line, _ arrow: SequenceDiagram.Arrow) -> String {
    guard arrow != .call else { return "" }
    switch line.subject {
    case .exchange(let position)?: return RunPage.status(of: page.tracedRun.exchanges[position]).kind
    case .step(let position)? where arrow == .answer:
      return page.tracedRun.steps[position].verdict == .handled ? "detour" : "good"
    default: return arrow == .lost ? "bad" : ""
    }
  }

  /// Returns text truncated to the given width.
  private func cut(_ text: String, _ width: Double) -> String {
    let room = max(2, Int(width / 6.6))
    return text.count > room ? "\(text.prefix(room - 1))…" : text
  }

  private func shaft(from: Double, to: Double, _ y: Double, isAnswer: Bool) -> Markup {
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
