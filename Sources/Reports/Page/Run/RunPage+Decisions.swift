import Documents
import Effects
import OrderedCollections

extension RunPage {
  var decisions: Markup {
    tag("div") {
      PageFrame.filters(
        "Filter decisions", [("All", ""), ("Main", "main"), ("Details", "detail")])
      tag("ol", .class("items plain"), Attribute(.dataPart, "decisions")) {
        for decision in tracedRun.decisions {
          tag(
            "li", .class("item decision"), Attribute(.dataKind, decision.isDetail ? "detail" : "main"),
            .at(decision.seq)
          ) {
            tag("span", .class("time")) { times.since(decision.time) }
            tag("span", .class("who")) { link(toStep: decision.step) }
            tag("div") {
              brief(decision)
              more(decision)
            }
          }
        }
      }
      if tracedRun.decisions.isEmpty { tag("p", .class("dim")) { "No decisions recorded" } }
    }
  }

  /// Returns a decision and its reason in one line.
  func brief(_ decision: TracedDecision) -> Markup {
    tag("span", .class(decision.isDetail ? "detail" : "")) {
      tag("b") { "\(TerminalRunReport.words(decision.subject)) \(TerminalRunReport.words(decision.verdict))" }
      if !decision.reason.isEmpty { ": \(decision.reason)" }
    }
  }

  /// Returns the facts on which a decision is based.
  @MarkupBuilder private func more(_ decision: TracedDecision) -> Markup {
    let checks = decision.checks
    let facts = (decision.facts.object ?? [:]).filter { !["checks", "detail", "place"].contains($0.key) }
    if !checks.isEmpty {
      tag("ul", .class("checks")) {
        for check in checks {
          tag("li", .class(check.passed ? "passed" : "refused")) {
            tag("span", Attribute(.ariaHidden, "true")) { check.passed ? "✓ " : "✗ " }
            tag("b") { "\(TerminalRunReport.words(check.name)) \(check.passed ? "passed" : "failed")" }
            if !check.reason.isEmpty { ": \(check.reason)" }
          }
        }
      }
    }
    if !facts.isEmpty {
      tag("details", .class("facts-of")) {
        tag("summary") { "Evidence" }
        tag("dl", .class("facts")) {
          for (name, value) in facts { fact(TerminalRunReport.words(name), value.string ?? value.text()) }
        }
      }
    }
  }
}
