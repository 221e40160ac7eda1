import Documents
import Effects
import OrderedCollections

/// A timeline of steps, exchanges, and browser visits.
struct TimelineDrawing {
  private struct Row {
    var name: String
    var anchor: PageAnchor?
    var kind: String
    var depth: Int
    var start: Int
    var end: Int?
    var words: String
  }

  private static let mostRows = 400
  private static let names = 250.0
  private static let width = 980.0
  private static let rowHeight = 22.0
  private static let top = 30.0

  private let page: RunPage
  private var rows: [Row] = []
  private let scale: TimelineScale
  private var isCut = false

  init(_ page: RunPage) {
    self.page = page
    let tracedRun = page.tracedRun
    var events: [(seq: Int, time: Instant)] = []
    for step in tracedRun.steps where step.verdict != .skipped {
      events.append((step.startedSeq, step.started))
      if let seq = step.endedSeq, let time = step.ended { events.append((seq, time)) }
    }
    for exchange in tracedRun.exchanges {
      events.append((exchange.request.seq, exchange.request.time))
      if let answer = exchange.answer { events.append((answer.seq, answer.time)) }
    }
    for interaction in tracedRun.interactions {
      events.append((interaction.openedSeq, interaction.opened))
      for page in interaction.pages { events.append((page.seq, page.time)) }
      if let seq = interaction.endedSeq, let time = interaction.ended { events.append((seq, time)) }
    }
    events.sort { $0.seq < $1.seq }
    scale = TimelineScale(events, width: Self.width - Self.names - 70)
    addRows()
  }

  private mutating func addRows() {
    let tracedRun = page.tracedRun
    for (position, step) in tracedRun.steps.enumerated() where step.verdict != .skipped {
      let length = step.duration ?? step.ended.map { $0 - step.started }
      rows.append(
        Row(
          name: step.id, anchor: RunPage.step(position), kind: "step \(step.verdict.rawValue)", depth: step.depth,
          start: step.startedSeq, end: step.endedSeq,
          words: "\(length.map(TerminalRunReport.duration) ?? "unfinished") \(step.outcome ?? "")"))
    }
    for run in ExchangeRuns.of(tracedRun) {
      guard run.count > ExchangeRuns.mostAlike else {
        for position in run { addRow(position) }
        continue
      }
      addRow(run.lowerBound)
      let between = tracedRun.exchanges[run.lowerBound + 1..<run.upperBound - 1]
      if let first = between.first, let last = between.last {
        rows.append(
          Row(
            name: "\(between.count) similar exchanges", anchor: RunPage.exchange(between.startIndex),
            kind: "exchange \(RunPage.status(of: first).kind)",
            depth: (first.step.map { tracedRun.steps[$0].depth } ?? 0) + 1,
            start: first.request.seq, end: last.answer?.seq ?? last.request.seq,
            words: TerminalRunReport.duration((last.answer?.time ?? last.request.time) - first.request.time)))
      }
      addRow(run.upperBound - 1)
    }
    for interaction in tracedRun.interactions {
      rows.append(
        Row(
          name: "browser: \(interaction.purpose)", anchor: interaction.step.map(RunPage.step), kind: "visit",
          depth: (interaction.step.map { tracedRun.steps[$0].depth } ?? 0) + 1, start: interaction.openedSeq,
          end: interaction.endedSeq,
          words:
            "\(interaction.ended.map { TerminalRunReport.duration($0 - interaction.opened) } ?? "") \(interaction.ending ?? "")"
        ))
    }
    rows.sort { $0.start < $1.start }
    isCut = rows.count > Self.mostRows
    rows = Array(rows.prefix(Self.mostRows))
  }

  private mutating func addRow(_ position: Int) {
    let exchange = page.tracedRun.exchanges[position]
    let status = RunPage.status(of: exchange)
    rows.append(
      Row(
        name: "\(position + 1) \(exchange.request.method) \(RequestAddress(exchange.request).shortPath)",
        anchor: RunPage.exchange(position), kind: "exchange \(status.kind)",
        depth: (exchange.step.map { page.tracedRun.steps[$0].depth } ?? 0) + 1, start: exchange.request.seq,
        end: exchange.answer?.seq,
        words: "\(exchange.duration.map { TerminalRunReport.duration($0) } ?? "") \(status.text)"
      ))
  }

  var markup: Markup {
    guard !rows.isEmpty else { return tag("p", .class("dim")) { "No activity recorded" } }
    return tag("figure", .class("drawing")) {
      tag("div", .class("scroll whole"), .role("group"), .label("Timeline"), .focusable) { picture }
      tag("figcaption") {
        "Steps with their requests and pages. Positions depend on order and time"
        if scale.jumps.isEmpty { "." } else { ". A break in the line is a long pause, labeled with its duration." }
        if isCut { " Only the first \(Self.mostRows) rows are drawn." }
      }
    }
  }

  private var height: Double { Self.top + Double(rows.count) * Self.rowHeight + 8 }

  private var picture: Markup {
    tag(
      "svg", .class("timeline"), Attribute(.viewBox, "0 0 \(Int(Self.width)) \(Int(height))"),
      .number(.width, Self.width), .role("group"), .labeledBy(PageAnchor("timeline-title"))
    ) {
      tag("title", .id(PageAnchor("timeline-title"))) { "Start and end of each step, exchange, and visit" }
      for jump in scale.jumps {
        tag("g", .class("jump")) {
          tag(
            "rect", .number(.x, Self.names + jump.x - 9), .number(.y, Self.top - 4), .number(.width, 18),
            .number(.height, height - Self.top))
          tag("text", .number(.x, Self.names + jump.x), .number(.y, 18), Attribute(.textAnchor, "middle")) {
            "+\(jump.words)"
          }
        }
      }
      for (index, row) in rows.enumerated() { draw(row, Self.top + Double(index) * Self.rowHeight) }
      for (position, picture) in page.pictures.enumerated() { marker(of: picture, position) }
    }
  }

  /// Returns a marker for a page, in the row of its interaction.
  @MarkupBuilder private func marker(of picture: RunPage.Picture, _ position: Int) -> Markup {
    let opened = page.tracedRun.interactions[picture.interaction].openedSeq
    if let index = rows.firstIndex(where: { $0.kind == "visit" && $0.start == opened }) {
      let y = Self.top + Double(index) * Self.rowHeight
      tag("a", .to(RunPage.picture(position)), .at(picture.page.seq), .label("Page: \(picture.name)")) {
        tag(
          "circle", .class("page"), .number(.cx, Self.names + scale.x(picture.page.seq)), .number(.cy, y + 10),
          .number(.r, 5)
        ) { tag("title") { picture.name } }
      }
    }
  }

  private func draw(_ row: Row, _ y: Double) -> Markup {
    let start = Self.names + scale.x(row.start)
    let end = max(start + 3, Self.names + (row.end.map { scale.x($0) } ?? Self.width - Self.names - 70))
    let indent = Double(min(row.depth, 6)) * 12
    let room = Int((Self.names - indent - 12) / 6.7)
    let isLate = end > Self.width - 150
    let drawn = tag("g", .class(row.kind), .at(row.start)) {
      tag("rect", .class("row"), .number(.x, 0), .number(.y, y), .number(.width, Self.width), .number(.height, 20))
      tag("text", .class("name"), .number(.x, indent + 4), .number(.y, y + 14)) {
        row.name.count > room ? "\(row.name.prefix(room - 1))…" : row.name
      }
      tag(
        "rect", .class("bar"), .number(.x, start), .number(.y, y + 4), .number(.width, end - start),
        .number(.height, 12), .number(.rx, 3))
      tag(
        "text", .class("length"), .number(.x, isLate ? start - 6 : end + 6), .number(.y, y + 14),
        Attribute(.textAnchor, isLate ? "end" : "start")
      ) { row.words }
    }
    guard let anchor = row.anchor else { return drawn }
    return tag("a", .to(anchor)) { drawn }
  }
}
