import Documents
import Effects
import OrderedCollections

/// A run as a self-contained HTML page that shows the steps, decisions, messages, and tokens.
///
/// The page can be opened as a local file without network access. Only interactive features, such as the
/// search and the replay, require scripts. The content security policy allows only the page's own style sheet and
/// script.
package struct RunPage: Sendable {
  /// The run, or only its start and end if the complete run is too long for a browser.
  let tracedRun: TracedRun
  let omissions: [TracedRunExcerpt.Omission]
  let times: RelativeTimes

  /// The limits for a page. These limits keep a page below about six megabytes, so that browsers open it within
  /// seconds.
  package static let limits = TracedRunExcerpt.Limits(
    steps: 600, exchanges: 600, decisions: 1_200, cacheWrites: 200, tokens: 300)

  package init(tracedRun: TracedRun, limits: TracedRunExcerpt.Limits = Self.limits) {
    let excerpt = TracedRunExcerpt(of: tracedRun, limits: limits)
    self.tracedRun = excerpt.tracedRun
    omissions = excerpt.omissions
    times = RelativeTimes(tracedRun)
  }

  /// Returns the complete HTML document.
  package func html() -> String {
    var parts: [PageFrame.Part] = []
    parts.append(.init(PageAnchor("overview"), "Overview") { overview })
    parts.append(.init(PageAnchor("replay"), "Replay") { replay })
    parts.append(.init(PageAnchor("steps"), "Steps", count: tracedRun.steps.count) { steps })
    parts.append(.init(PageAnchor("sequence"), "Sequence") { SequenceDrawing(self).markup })
    parts.append(.init(PageAnchor("timeline"), "Timeline") { TimelineDrawing(self).markup })
    parts.append(.init(PageAnchor("http"), "HTTP", count: tracedRun.exchanges.count) { exchanges })
    parts.append(.init(PageAnchor("tokens"), "Tokens", count: shownTokens.count) { tokens })
    parts.append(.init(PageAnchor("cache"), "Cache", count: tracedRun.cacheAtEnd.entries.count) { cache })
    parts.append(.init(PageAnchor("decisions"), "Decisions", count: tracedRun.decisions.count) { decisions })
    return PageFrame(
      title: "\(verdict.words): \(tracedRun.name)", heading: heading, parts: parts,
      searched: "steps, exchanges, tokens, cache entries, and decisions", footer: footer, player: player,
      frameStyles: frameStyles
    ).html()
  }

  // MARK: Links

  static func step(_ position: Int) -> PageAnchor { PageAnchor("step", position + 1) }
  static func exchange(_ position: Int) -> PageAnchor { PageAnchor("http", position + 1) }
  static func token(_ position: Int) -> PageAnchor { PageAnchor("token", position + 1) }
  static func picture(_ position: Int) -> PageAnchor { PageAnchor("page", position + 1) }
  static func write(_ position: Int) -> PageAnchor { PageAnchor("write", position + 1) }

  /// Returns a link to a step.
  func link(toStep position: Int?) -> Markup {
    guard let position, tracedRun.steps.indices.contains(position) else {
      return tag("span", .class("dim")) { "before" }
    }
    return tag("a", .to(Self.step(position))) { tracedRun.steps[position].id }
  }

  func link(toExchange position: Int) -> Markup {
    tag("a", .to(Self.exchange(position))) { "HTTP \(position + 1)" }
  }

  // MARK: Verdict

  /// The result of the run as a symbol, a word, and a class, so that the meaning does not depend on color.
  struct Verdict {
    var sign: String
    var words: String
    var kind: String

    static let good = Verdict(sign: "✓", words: "succeeded", kind: "good")
    static let bad = Verdict(sign: "✗", words: "failed", kind: "bad")
    static let open = Verdict(sign: "…", words: "unfinished", kind: "open")

    var badge: Markup {
      tag("span", .class("badge \(kind)")) {
        tag("span", Attribute(.ariaHidden, "true")) { sign }
        " \(words)"
      }
    }
  }

  var verdict: Verdict {
    if tracedRun.ending?.outcome == "interrupted" { return Verdict(sign: "!", words: "interrupted", kind: "open") }
    switch tracedRun.succeeded {
    case true?: return tracedRun.scenario == nil ? .good : Verdict(sign: "✓", words: "passed", kind: "good")
    case false?: return .bad
    case nil: return .open
    }
  }

  private var heading: Markup {
    tag("div", .class("headline")) {
      tag("h1") { tracedRun.name.isEmpty ? "A run" : tracedRun.name }
      verdict.badge
      if let scenario = tracedRun.scenario {
        tag("p", .class("scenario")) {
          tag("span", .class("dim")) { "scenario " }
          scenario.name
        }
      }
    }
  }

  private var footer: Markup {
    tag("p") {
      "Created by \(tracedRun.tool.isEmpty ? "authflow" : tracedRun.tool) from a trace (version \(tracedRun.format)). This file contains placeholders such as ‹access token #1› instead of tokens, codes, passwords, and cookies. It contains the names and email addresses of users."
    }
  }
}
