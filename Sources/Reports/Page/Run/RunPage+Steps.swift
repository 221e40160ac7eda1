import Documents
import Effects
import OrderedCollections

extension RunPage {
  /// The steps next to the workflow source.
  var steps: Markup {
    let hasSource = tracedRun.source != nil || !tracedRun.usedSources.isEmpty
    return tag("div", .class(hasSource ? "beside" : "")) {
      tag("div") {
        PageFrame.filters(
          "Filter steps",
          [("All", ""), ("Executed", "performed"), ("Failed or handled", "trouble"), ("Skipped", "skipped")])
        tag("ol", .class("items"), Attribute(.dataPart, "steps")) {
          for position in tracedRun.outermost { step(position) }
        }
        if tracedRun.steps.isEmpty { tag("p", .class("dim")) { "No steps executed" } }
        given
      }
      if hasSource { source }
    }
  }

  private func step(_ position: Int) -> Markup {
    let step = tracedRun.steps[position]
    return tag("li") {
      tag(
        "details", .id(Self.step(position)), .class("item step \(step.verdict.rawValue)"),
        Attribute(.dataKind, kinds(step)), .at(step.startedSeq), lineOf(step).map { .highlightsWith($0) } ?? .class(""),
        opens(step) ? .has(.open) : .class("")
      ) {
        tag("summary") {
          tag("span", .class("sign"), Attribute(.ariaHidden, "true")) { Self.sign(step.verdict) }
          tag("span", .class("name")) { step.id }
          if step.kind != step.id { tag("span", .class("kind")) { step.kind } }
          tag("span", .class("outcome")) { step.outcome ?? "unfinished" }
          tag("span", .class("time")) { step.verdict == .skipped ? "" : time(step) }
          if let means = step.means { tag("span", .class("means")) { means } }
        }
        tag("div", .class("inside")) { inside(position, step) }
      }
      if !step.children.isEmpty {
        tag("ol", .class("items")) { for child in step.children { self.step(child) } }
      }
    }
  }

  private func kinds(_ step: TracedStep) -> String {
    switch step.verdict {
    case .skipped: "skipped"
    case .ok: "performed"
    case .handled, .failed, .unfinished: "performed trouble"
    }
  }

  /// Returns whether a step's details are initially expanded. Failed and unfinished steps without inner steps are
  /// expanded.
  private func opens(_ step: TracedStep) -> Bool {
    step.children.isEmpty && (step.verdict == .failed || step.verdict == .unfinished || !step.broken.isEmpty)
  }

  static func sign(_ verdict: TracedStep.Status) -> String {
    switch verdict {
    case .ok: "✓"
    case .handled: "↷"
    case .failed: "✗"
    case .skipped: "–"
    case .unfinished: "…"
    }
  }

  private func time(_ step: TracedStep) -> String {
    guard let length = step.duration ?? step.ended.map({ $0 - step.started }) else { return "" }
    return TerminalRunReport.duration(length)
  }

  @MarkupBuilder private func inside(_ position: Int, _ step: TracedStep) -> Markup {
    if let description = step.description { tag("p", .class("description")) { description } }
    tag("dl", .class("facts")) {
      fact("Step type", step.kind)
      fact("Reason", step.enteredBy)
      if let shows = step.shows { fact("Shows", shows) }
      if let next = step.next { fact("Next step", next) }
      if let rule = step.leftBy, !rule.isEmpty { fact("Rule", rule) }
      if let source = step.tokenSource { fact("Token source", source) }
      if let account = step.account?["username"]?.string { fact("Account", account) }
      if let prompt = step.prompt { fact("Prompt", prompt) }
      if let status = step.status { fact("Status", "\(status)") }
      if let client = step.client { fact("App", client) }
      if step.verdict != .skipped { fact("Start", times.since(step.started)) }
      if let line = lineOf(step), let place = step.place {
        tag("div") {
          tag("dt") { "Location" }
          tag("dd") { tag("a", .to(line)) { "\(place.file), line \(place.line)" } }
        }
      }
    }
    if let failure = step.failure { details(failure) }
    if !step.broken.isEmpty {
      tag("h3", .class("small")) { "Failed expectations" }
      tag("ul", .class("broken")) { for text in step.broken { tag("li") { text } } }
    }
    if step.attempts.count > 1 {
      tag("h3", .class("small")) { "Attempts" }
      tag("ol", .class("plain")) {
        for attempt in step.attempts {
          tag("li") { "\(attempt.number): \(times.since(attempt.started))\(attempt.reason.map { ", \($0)" } ?? "")" }
        }
      }
    }
    activity(step)
  }

  /// The maximum number of exchanges to list in a step. The HTTP section lists all exchanges.
  private static let mostListed = 12

  @MarkupBuilder private func activity(_ step: TracedStep) -> Markup {
    if !step.decisions.isEmpty {
      tag("h3", .class("small")) { "Decisions" }
      tag("ul", .class("plain decisions")) {
        for decision in step.decisions { tag("li") { brief(tracedRun.decisions[decision]) } }
      }
    }
    if !step.interactions.isEmpty {
      tag("h3", .class("small")) { "Interactions" }
      tag("ul", .class("plain")) {
        for interaction in step.interactions { tag("li") { words(tracedRun.interactions[interaction]) } }
      }
      pictures(of: step)
    }
    if !step.exchanges.isEmpty {
      tag("h3", .class("small")) { "HTTP" }
      tag("ul", .class("plain")) {
        for exchange in step.exchanges.prefix(Self.mostListed) { tag("li") { brief(exchange) } }
        if step.exchanges.count > Self.mostListed, let last = step.exchanges.last {
          tag("li") {
            "and \(step.exchanges.count - Self.mostListed) more, up to "
            link(toExchange: last)
          }
        }
      }
    }
    if !step.cacheWrites.isEmpty {
      tag("h3", .class("small")) { "Cache" }
      for write in step.cacheWrites { changes(write) }
    }
  }

  private func details(_ failure: TracedStep.Failure) -> Markup {
    let names = [failure.msal, failure.oauth, failure.suberror, failure.code].compactMap { $0 }
    return tag("div", .class("failure")) {
      tag("p") {
        for (index, name) in names.enumerated() {
          if index > 0 { " · " }
          tag("code") { name }
        }
      }
      if let description = failure.description { tag("p") { description } }
    }
  }

  func words(_ interaction: TracedInteraction) -> Markup {
    var text =
      switch interaction.purpose {
      case "signIn": "Sign-in page"
      case "signOut": "Sign-out page"
      case "deviceCode": "Device code page"
      default: interaction.purpose
      }
    if !interaction.screens.isEmpty { text += ": \(interaction.screens.joined(separator: " → "))" }
    if let ending = interaction.ending { text += "; \(ending)" } else { text += "; still open" }
    if let error = interaction.pageError { text += ", error on the page: \(error)" }
    if let reason = interaction.reason { text += ": \(reason)" }
    return Markup(text)
  }

  @MarkupBuilder func fact(_ name: String, _ value: String) -> Markup {
    if !value.isEmpty {
      tag("div") {
        tag("dt") { name }
        tag("dd") { value }
      }
    }
  }

  /// The decisions and requests from preconditions and from other events outside any step.
  @MarkupBuilder private var given: Markup {
    let exchanges = tracedRun.exchanges.indices.filter { tracedRun.exchanges[$0].step == nil }
    let decisions = tracedRun.decisions.filter { $0.step == nil }
    if !exchanges.isEmpty || !decisions.isEmpty {
      tag("details", .class("item given")) {
        tag("summary") {
          tag("span", .class("sign"), Attribute(.ariaHidden, "true")) { "·" }
          tag("span", .class("name")) { "Preconditions and other events" }
          tag("span", .class("means")) { "requests and decisions outside any step" }
        }
        tag("div", .class("inside")) {
          tag("ul", .class("plain decisions")) { for decision in decisions { tag("li") { brief(decision) } } }
          if !exchanges.isEmpty {
            tag("h3", .class("small")) { "HTTP" }
            tag("ul", .class("plain")) { for exchange in exchanges { tag("li") { brief(exchange) } } }
          }
        }
      }
    }
  }
}
