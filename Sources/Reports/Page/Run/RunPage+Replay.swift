import Diagnostics
import Documents
import Effects
import OrderedCollections

// The replay: the events in order, with the page, the cache, and the tokens at each event. During the replay, all parts
// of the report with a `data-at` attribute show the state at the current event.

extension RunPage {
  /// A page that the user saw.
  struct Picture {
    var page: TracedPage
    /// The index of the interaction in the run.
    var interaction: Int
    /// The sequence number of the event that replaced the page or closed the browser. Nil if the trace ends earlier.
    var end: Int?
    /// Whether the browser closed after the page.
    var isLast: Bool

    var name: String {
      page.screen.map(TerminalRunReport.words) ?? (page.title.isEmpty ? "untitled" : page.title)
    }
  }

  /// The maximum number of pages with pictures. Each picture is about as large as a few exchanges.
  private static let mostPictures = 60

  var pictures: [Picture] {
    let all = tracedRun.interactions.enumerated().flatMap { index, interaction in
      interaction.pages.enumerated().map { position, page in
        let next = interaction.pages.indices.contains(position + 1) ? interaction.pages[position + 1].seq : nil
        return Picture(
          page: page, interaction: index, end: next ?? interaction.endedSeq, isLast: next == nil)
      }
    }
    return Array(all.prefix(Self.mostPictures))
  }

  /// The maximum number of distinct page style sheets. The emulator uses only one.
  private static let mostStyles = 4

  /// The style sheets that the frames of the page use.
  var frameStyles: [PageAsset] {
    guard !pictures.isEmpty else { return [] }
    return [PictureDocument.style, PictureDocument.plainStyle] + pageStyles.values
  }

  private var pageStyles: OrderedDictionary<String, PageAsset> {
    var styles: OrderedDictionary<String, PageAsset> = [:]
    // A tag in a style sheet could close the `style` element.
    for style in pictures.compactMap(\.page.style) where styles[style] == nil && !style.contains("<") {
      guard styles.count < Self.mostStyles else { break }
      styles[style] = PageAsset(kind: .style, text: style)
    }
    return styles
  }

  // MARK: Section

  var replay: Markup {
    let pictures = pictures
    let moments = moments
    return tag("div", .class("replay")) {
      tag("div") {
        tag("h3") { "Events" }
        tag("ol", .class("events"), .focusable, .label("Events")) {
          for moment in moments { self.moment(moment) }
        }
        if moments.isEmpty { tag("p", .class("dim")) { "No events recorded" } }
      }
      tag("div", .class("shown")) {
        tag("h3") { "Page" }
        if pictures.isEmpty {
          tag("p", .class("dim")) { noPages }
        } else {
          tag("p", .class("dim nopage"), .has(.hidden)) { "No page is open at this moment" }
          tag("div", .class("stage")) {
            let styles = pageStyles
            for (position, picture) in pictures.enumerated() {
              figure(picture, styles, anchor: Self.picture(position), ends: picture.isLast ? nil : picture.end)
            }
          }
        }
      }
      tag("div", .class("held")) {
        tag("h3") { "Token cache" }
        held
        tag("h3") { "Tokens and codes" }
        seen
      }
    }
  }

  private var noPages: String {
    if tracedRun.interactions.isEmpty { return "The browser did not open" }
    return tracedRun.interactions.allSatisfy { $0.screens.isEmpty }
      ? "The browser opened, but the trace contains no pages, because of single sign-on or a real browser"
      : "The trace does not contain the pages"
  }

  // MARK: Pictures

  /// Returns the pictures of a step's pages.
  func pictures(of step: TracedStep) -> Markup {
    let own = pictures.enumerated().filter { step.interactions.contains($0.element.interaction) }
    guard !own.isEmpty else { return Markup() }
    let styles = pageStyles
    return tag("div", .class("strip")) {
      for (_, picture) in own { figure(picture, styles, anchor: nil, ends: nil) }
    }
  }

  /// - Parameters:
  ///   - anchor: The anchor of the picture, or nil if the replay does not show and hide the picture.
  ///   - ends: The sequence number of the event at which the picture disappears. The last page of an interaction stays
  ///     visible.
  private func figure(
    _ picture: Picture, _ styles: OrderedDictionary<String, PageAsset>, anchor: PageAnchor?, ends: Int?
  ) -> Markup {
    let document = PictureDocument(picture.page, style: picture.page.style.flatMap { styles[$0] })
    return tag(
      "figure", .class(anchor == nil ? "picture" : "picture only"), anchor.map { .id($0) } ?? .class(""),
      anchor == nil ? .class("") : .at(picture.page.seq), anchor == nil ? .class("") : .until(ends)
    ) {
      tag("div", .class("address")) { picture.page.url }
      tag(
        "iframe", .sandboxed(document), .title("Page: \(picture.name)"), Attribute(.loading, "lazy")
      ) {}
      tag("figcaption") { caption(of: picture) }
    }
  }

  @MarkupBuilder private func caption(of picture: Picture) -> Markup {
    tag("b") { picture.name }
    " \(times.since(picture.page.time))"
    for entry in picture.page.entered {
      "; typed "
      tag("code") { entry.value }
      " as \(entry.label)"
    }
    if let pressed = picture.page.pressed, !pressed.isEmpty {
      "; pressed "
      tag("b") { pressed }
    }
  }

  // MARK: Events

  /// An event of the run.
  private struct Moment {
    var seq: Int
    var time: Instant
    var kind: String
    var text: Markup
    /// The anchor of the event's details, or nil if there are none.
    var anchor: PageAnchor?
  }

  private func moment(_ moment: Moment) -> Markup {
    tag("li", .class("event \(moment.kind)"), .at(moment.seq)) {
      tag("span", .class("time")) { times.since(moment.time) }
      tag("span", .class("what")) { moment.text }
      if let anchor = moment.anchor { tag("a", .to(anchor), .label("Details")) { "›" } }
    }
  }

  private var moments: [Moment] {
    var moments = stepMoments + exchangeMoments
    for interaction in tracedRun.interactions {
      let step = interaction.step.map(Self.step)
      moments.append(
        Moment(
          seq: interaction.openedSeq, time: interaction.opened, kind: "visit", text: Markup("browser opens"),
          anchor: step))
      if let seq = interaction.endedSeq, let time = interaction.ended {
        moments.append(
          Moment(
            seq: seq, time: time, kind: "visit",
            text: Markup("browser closes: \(interaction.pageError ?? interaction.ending ?? "ended")"), anchor: step))
      }
    }
    for (position, picture) in pictures.enumerated() {
      moments.append(
        Moment(
          seq: picture.page.seq, time: picture.page.time, kind: "visit", text: Markup("page: \(picture.name)"),
          anchor: Self.picture(position)))
    }
    for decision in tracedRun.decisions {
      moments.append(
        Moment(
          seq: decision.seq, time: decision.time, kind: decision.isDetail ? "decided detail" : "decided",
          text: brief(decision), anchor: decision.step.map(Self.step)))
    }
    for (position, write) in tracedRun.cacheWrites.enumerated() {
      let text = "cache: \(write.changes.count.counting("change"))\(write.reason.isEmpty ? "" : ", \(write.reason)")"
      moments.append(
        Moment(seq: write.seq, time: write.time, kind: "cached", text: Markup(text), anchor: Self.write(position)))
    }
    return moments.sorted { $0.seq < $1.seq }
  }

  private var stepMoments: [Moment] {
    var moments: [Moment] = []
    for (position, step) in tracedRun.steps.enumerated() {
      if step.verdict != .skipped {
        moments.append(
          Moment(
            seq: step.startedSeq, time: step.started, kind: "begins",
            text: tag("span") {
              tag("b") { step.id }
              " starts"
            }, anchor: Self.step(position)))
      }
      guard let seq = step.endedSeq, let time = step.ended else { continue }
      moments.append(
        Moment(
          seq: seq, time: time, kind: "ends \(step.verdict.rawValue)",
          text: tag("span") {
            tag("b") { step.id }
            ": \(step.outcome ?? "unfinished")"
          }, anchor: Self.step(position)))
    }
    return moments
  }

  private var exchangeMoments: [Moment] {
    var moments: [Moment] = []
    for (position, exchange) in tracedRun.exchanges.enumerated() {
      let anchor = Self.exchange(position)
      moments.append(
        Moment(
          seq: exchange.request.seq, time: exchange.request.time, kind: "sent",
          text: Markup("\(exchange.request.method) \(RequestAddress(exchange.request).path)"), anchor: anchor))
      guard let answer = exchange.answer else { continue }
      moments.append(
        Moment(
          seq: answer.seq, time: answer.time, kind: "received \(Self.status(of: exchange).kind)",
          text: tag("span") {
            "response "
            status(exchange)
          }, anchor: anchor))
    }
    return moments
  }

  // MARK: Cache and tokens

  /// The entries of the cache with the periods in which they exist.
  private var held: Markup {
    var open: OrderedDictionary<TracedCacheKey, (entry: JSON, start: Int)> = [:]
    var periods: [(key: TracedCacheKey, entry: JSON, start: Int, end: Int?)] = []
    for (key, entry) in tracedRun.cacheAtStart.entries { open[key] = (entry, 0) }
    for write in tracedRun.cacheWrites {
      for change in write.changes {
        if let earlier = open[change.key] { periods.append((change.key, earlier.entry, earlier.start, write.seq)) }
        open[change.key] = change.kind == "deleted" ? nil : (change.entry, write.seq)
      }
    }
    periods += open.map { ($0.key, $0.value.entry, $0.value.start, nil) }
    return tag("ul", .class("plain entries")) {
      for period in periods.sorted(by: { $0.start < $1.start }) {
        tag("li", .class("only"), .at(period.start), .until(period.end)) {
          tag("b") { period.key.section }
          " \(Self.shortDescription(period.key, period.entry))"
        }
      }
      tag("li", .class("dim noentries"), .has(.hidden)) { "Empty" }
    }
  }

  private var seen: Markup {
    tag("ul", .class("plain entries")) {
      for (position, token) in shownTokens {
        tag("li", .class("only"), .at(firstSeq(of: token))) {
          tag("a", .to(Self.token(position))) { token.label }
        }
      }
      tag("li", .class("dim noentries"), .has(.hidden)) { "None yet" }
    }
  }

  // MARK: Controls

  /// The replay controls at the bottom of the window. They depend on the script, so they are hidden until it runs.
  var player: Markup {
    tag("div", .id(PageAnchor("player")), .class("player"), .role("group"), .label("Replay"), .has(.hidden)) {
      tag("button", .id(PageAnchor("play")), Attribute(.type, "button"), Attribute(.ariaPressed, "false")) { "Play" }
      tag("button", .id(PageAnchor("back")), Attribute(.type, "button"), .label("Previous event")) { "◀" }
      tag("button", .id(PageAnchor("forth")), Attribute(.type, "button"), .label("Next event")) { "▶" }
      tag("label", .class("unseen"), .describes(PageAnchor("instant"))) { "Event" }
      Markup.void(
        "input", .id(PageAnchor("instant")), Attribute(.type, "range"), Attribute(.min, "0"), Attribute(.max, "0"),
        Attribute(.value, "0"))
      tag("span", .id(PageAnchor("moment")), .class("now-text")) {}
    }
  }
}
