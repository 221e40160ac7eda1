import Documents
import Effects
import OrderedCollections

/// A run as a self-contained HTML page that shows the steps, decisions, messages, and tokens.
///
/// The page can be opened as a local file without network access. Only the search and filter tools require scripts. The
/// content security policy allows only the page's own style sheet and script.
package struct RunPage: Sendable {
  /// The run, or only its start and end if the complete run is too long for a browser.
  let story: TracedRun
  let omissions: [TracedRunExcerpt.Omission]
  let times: RelativeTimes

  /// The limits for a page. With these limits, a page has at most about six megabytes, and browsers open it within
  /// seconds.
  package static let limits = TracedRunExcerpt.Limits(
    steps: 600, exchanges: 600, decisions: 1_200, cacheWrites: 200, tokens: 300)

  package init(story: TracedRun, limits: TracedRunExcerpt.Limits = Self.limits) {
    let excerpt = TracedRunExcerpt(of: story, limits: limits)
    self.story = excerpt.story
    omissions = excerpt.omissions
    times = RelativeTimes(story)
  }

  /// Returns the complete HTML document.
  package func html() -> String {
    var parts: [PageFrame.Part] = []
    parts.append(.init(PageAnchor("overview"), "Overview") { overview })
    parts.append(.init(PageAnchor("steps"), "Steps", count: story.steps.count) { steps })
    parts.append(.init(PageAnchor("sequence"), "Sequence") { SequenceDrawing(self).markup })
    parts.append(.init(PageAnchor("timeline"), "Timeline") { TimelineDrawing(self).markup })
    parts.append(.init(PageAnchor("http"), "HTTP", count: story.exchanges.count) { exchanges })
    parts.append(.init(PageAnchor("tokens"), "Tokens", count: shownTokens.count) { tokens })
    parts.append(.init(PageAnchor("cache"), "Cache", count: story.cacheAtEnd.entries.count) { cache })
    parts.append(.init(PageAnchor("decisions"), "Decisions", count: story.decisions.count) { decisions })
    return PageFrame(
      title: "\(verdict.words): \(story.name)", heading: heading, parts: parts,
      searched: "steps, exchanges, tokens, cache entries and decisions", footer: footer
    ).html()
  }

  // MARK: Links

  static func step(_ position: Int) -> PageAnchor { PageAnchor("step", position + 1) }
  static func exchange(_ position: Int) -> PageAnchor { PageAnchor("http", position + 1) }
  static func token(_ position: Int) -> PageAnchor { PageAnchor("token", position + 1) }
  static func write(_ position: Int) -> PageAnchor { PageAnchor("write", position + 1) }

  /// Returns a link to a step.
  func link(toStep position: Int?) -> Markup {
    guard let position, story.steps.indices.contains(position) else { return tag("span", .class("dim")) { "before" } }
    return tag("a", .to(Self.step(position))) { story.steps[position].id }
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
    if story.ending?.outcome == "interrupted" { return Verdict(sign: "!", words: "interrupted", kind: "open") }
    switch story.succeeded {
    case true?: return story.scenario == nil ? .good : Verdict(sign: "✓", words: "passed", kind: "good")
    case false?: return .bad
    case nil: return .open
    }
  }

  private var heading: Markup {
    tag("div", .class("headline")) {
      tag("h1") { story.name.isEmpty ? "A run" : story.name }
      verdict.badge
      if let scenario = story.scenario {
        tag("p", .class("scenario")) {
          tag("span", .class("dim")) { "scenario " }
          scenario.name
        }
      }
    }
  }

  private var footer: Markup {
    tag("p") {
      "Created by \(story.tool.isEmpty ? "authflow" : story.tool) from a trace (version \(story.format)). This file contains placeholders such as ‹access token #1› instead of tokens, codes, passwords, and cookies. It contains names and email addresses of users."
    }
  }
}
