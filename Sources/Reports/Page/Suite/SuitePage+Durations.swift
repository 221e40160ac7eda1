import Effects

extension SuitePage {
  /// The slowest scenarios and, in a merged result, the shards.
  var durations: Markup {
    let slowest = suite.tests.filter { $0.verdict != .skipped }.sorted { $0.duration > $1.duration }.prefix(20)
    return tag("div") {
      if !suite.shards.isEmpty { shards }
      table("The slowest scenarios", ["Slowest scenarios", "Duration", "Relative to median", "Virtual time", ""]) {
        for test in slowest {
          tag("tr") {
            tag("th", Attribute(.scope, "row")) {
              test.title + " "
              if suite.isSlow(test) { tag("span", .class("mark")) { "slow" } }
            }
            tag("td", .class("n")) { TerminalRunReport.duration(test.duration) }
            tag("td", .class("n")) { suite.ratio(of: test).map { "\($0) ×" } ?? "" }
            tag("td", .class("n")) { TerminalRunReport.duration(test.elapsed) }
            tag("td") { button(toRunOf: test) }
          }
        }
      }
    }
  }

  private var shards: Markup {
    table("The shards", ["Shard", "Start", "Duration", "Scenarios", "Parallel jobs"]) {
      for shard in suite.shards {
        tag("tr") {
          tag("th", Attribute(.scope, "row")) { "\(shard.index) of \(suite.shards.count)" }
          tag("td") { RelativeTimes.moment(shard.started) }
          tag("td", .class("n")) { TerminalRunReport.duration(shard.duration) }
          tag("td", .class("n")) { "\(shard.scenarios)" }
          tag("td", .class("n")) { "\(shard.jobs)" }
        }
      }
    }
  }

  /// The scenarios whose repeated runs differ from each other.
  var flaky: Markup {
    guard !suite.flaky.isEmpty else {
      return tag("p", .class("dim")) { "All \(suite.repeats) runs of each scenario have the same trace." }
    }
    return table("Flaky scenarios", ["Scenario", "Difference", ""]) {
      for test in suite.flaky {
        tag("tr") {
          tag("th", Attribute(.scope, "row")) { test.title }
          tag("td") { test.failure?.problems.first { $0.rule == TestProblem.flakyRule }?.message ?? "" }
          tag("td") { button(toRunOf: test) }
        }
      }
    }
  }

  private func table(_ caption: String, _ columns: [String], @MarkupBuilder rows: () -> Markup) -> Markup {
    tag("table", .class("table")) {
      tag("caption", .class("unseen")) { caption }
      tag("thead") {
        tag("tr") {
          for name in columns { tag("th", Attribute(.scope, "col")) { name } }
        }
      }
      tag("tbody") { rows() }
    }
  }
}
