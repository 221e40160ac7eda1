extension SuitePage {
  /// The failed scenarios. The page shows the problems of each scenario, the expected and actual paths side by side,
  /// the decisions, and the command that runs the scenario again.
  var failures: Markup {
    tag("ol", .class("items"), Attribute(.dataPart, "failures")) {
      for (position, test) in suite.failures.enumerated() {
        tag("li") { failure(position, test) }
      }
    }
  }

  private func failure(_ position: Int, _ test: TestResult) -> Markup {
    tag(
      "details", .id(Self.failure(position)), .class("item step failed"), Attribute(.dataKind, test.verdict.rawValue),
      position < 10 ? .has(.open) : .class("")
    ) {
      tag("summary") {
        tag("span", .class("sign"), Attribute(.ariaHidden, "true")) { Self.sign(test.verdict) }
        tag("span", .class("name")) { test.name }
        tag("span", .class("kind")) { test.verdict.rawValue }
        tag("span", .class("time")) { TerminalRunReport.duration(test.duration) }
        tag("span", .class("means")) { "\(test.place): \(test.failure?.headline ?? "it failed")" }
      }
      tag("div", .class("inside")) {
        button(toRunOf: test)
        if let failure = test.failure { details(failure) }
      }
    }
  }

  @MarkupBuilder private func details(_ failure: TestFailure) -> Markup {
    for problem in failure.problems {
      tag("div", .class("failure")) {
        tag("p") {
          tag("code") { problem.place }
          " \(problem.message)"
        }
        if !problem.excerpt.isEmpty { tag("pre", .class("frame"), .focusable) { problem.excerpt } }
        if let help = problem.help { tag("p", .class("dim")) { "help: \(help)" } }
      }
    }
    if let expected = failure.expectedPath, failure.isAboutPath {
      paths(PathComparison(expected: expected, actual: failure.path))
    } else if !failure.path.isEmpty {
      tag("h3", .class("small")) { "Path" }
      tag("p", .class("url")) { failure.path.joined(separator: " → ") }
    }
    if let divergence = failure.divergence { details(divergence) }
    if !failure.rerun.isEmpty {
      tag("h3", .class("small")) { "Run again" }
      tag("pre") { failure.rerun }
      tag("h3", .class("small")) { "Show all steps" }
      tag("pre") { failure.watch }
    }
  }

  private func paths(_ comparison: PathComparison) -> Markup {
    let first = comparison.firstDifference
    return tag("table", .class("paths")) {
      tag("caption", .class("unseen")) { "Expected and actual path" }
      tag("thead") {
        tag("tr") {
          for name in ["", "expected", "actual"] { tag("th", Attribute(.scope, "col")) { name } }
        }
      }
      tag("tbody") {
        for (position, row) in comparison.rows.enumerated() {
          let differs = row.kind != .same && row.kind != .anything
          tag("tr", .class(position == first ? "off first" : differs ? "off" : "")) {
            tag("td") { position == first ? "▶" : differs ? "≠" : "" }
            tag("td") { row.expected ?? "(nothing)" }
            tag("td") { row.actual ?? (row.kind == .anything ? "" : "(nothing)") }
          }
        }
      }
    }
  }

  @MarkupBuilder private func details(_ divergence: TestDivergence) -> Markup {
    tag("h3", .class("small")) { "\(divergence.step) ended with \(divergence.outcome)" }
    tag("ul", .class("plain decisions")) {
      for decision in divergence.decisions {
        tag("li") {
          tag("b") { "\(TerminalRunReport.words(decision.subject)) \(TerminalRunReport.words(decision.verdict))" }
          ": \(decision.reason)"
        }
      }
      if !divergence.codes.isEmpty { tag("li") { tag("code") { divergence.codes.joined(separator: " · ") } } }
      if let description = divergence.description { tag("li") { description } }
      if let next = divergence.next {
        tag("li") { "continued with \(next)\(divergence.rule.map { " because of the rule: \($0)" } ?? "")" }
      }
    }
  }
}
