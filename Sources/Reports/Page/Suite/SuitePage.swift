import Diagnostics
import Effects

/// The result of a suite as a self-contained HTML page that shows the failures, all scenarios, and the coverage.
package struct SuitePage: Sendable {
  let suite: SuiteResult
  private let archive: PageArchive?
  /// The position of each scenario's page in the archive, by title.
  private let runs: [String: Int]

  /// - Parameter archive: The pages of the scenarios' runs, each named after its scenario.
  package init(suite: SuiteResult, archive: PageArchive? = nil) {
    self.suite = suite
    self.archive = archive.flatMap { $0.isEmpty ? nil : $0 }
    runs = (archive?.pages ?? []).enumerated().reduce(into: [:]) { $0[$1.element.title] = $1.offset }
  }

  /// Returns the button that opens the run of a scenario, or nothing if the page does not contain the run.
  func button(toRunOf test: TestResult) -> Markup {
    guard let position = runs[test.title] else { return Markup() }
    return PageArchive.button("Run", opening: [position], label: "Open the run of \(test.name)")
  }

  /// Returns the complete HTML document.
  package func html() -> String {
    var parts: [PageFrame.Part] = [.init(PageAnchor("overview"), "Overview") { overview }]
    if !suite.failures.isEmpty {
      parts.append(.init(PageAnchor("failures"), "Failures", count: suite.failures.count) { failures })
    }
    parts.append(.init(PageAnchor("scenarios"), "Scenarios", count: suite.tests.count) { scenarios })
    if suite.repeats > 1 || !suite.flaky.isEmpty {
      parts.append(.init(PageAnchor("flaky"), "Flaky", count: suite.flaky.count) { flaky })
    }
    parts.append(.init(PageAnchor("durations"), "Durations") { durations })
    if let coverage = suite.coverage {
      parts.append(.init(PageAnchor("coverage"), "Coverage", count: coverage.count) { self.coverage(coverage) })
    }
    return PageFrame(
      title: "\(verdict.words): \(suite.tests.count.counting("scenario"))", heading: heading, parts: parts,
      searched: "scenarios and failures", footer: footer, archive: archive
    ).html()
  }

  static func failure(_ position: Int) -> PageAnchor { PageAnchor("failure", position + 1) }

  private var verdict: RunPage.Verdict {
    switch suite.ending {
    case .interrupted: RunPage.Verdict(sign: "!", words: "interrupted", kind: "open")
    case .stopped: RunPage.Verdict(sign: "✗", words: "stopped at the first failure", kind: "bad")
    case .complete: suite.hasPassed ? RunPage.Verdict(sign: "✓", words: "passed", kind: "good") : .bad
    }
  }

  private var heading: Markup {
    tag("div", .class("headline")) {
      tag("h1") { suite.tests.count.counting("scenario") }
      verdict.badge
      tag("p", .class("scenario dim")) {
        "in \(suite.byFile.count.counting("workflow")), \(TerminalRunReport.duration(suite.duration))"
      }
    }
  }

  private var overview: Markup {
    tag("div") {
      tag("div", .class("tiles")) {
        for verdict in TestResult.Status.allCases {
          tag("div", .class("tile")) {
            tag("b") { "\(suite.count(verdict))" }
            tag("span") { "\(Self.sign(verdict)) \(verdict == .error ? "errors" : verdict.rawValue)" }
          }
        }
      }
      if let coverage = suite.coverage { tag("p") { SuiteCoverageText.headline(coverage) } }
      if suite.ending != .complete {
        tag("p", .class("why")) {
          suite.ending == .interrupted
            ? "The run was interrupted. Incomplete scenarios count as skipped."
            : "The run stopped at the first failure (--fail-fast)."
        }
      }
      tag("dl", .class("facts")) {
        fact("Start", RelativeTimes.moment(suite.started))
        if suite.shards.isEmpty {
          fact("Parallel jobs", "\(suite.jobs)")
        } else {
          fact("Shards", "\(suite.shards.count)")
          fact("Parallel jobs per shard", jobsOfShards)
        }
        if suite.repeats > 1 { fact("Repetitions", "\(suite.repeats) times") }
        if let shard = suite.shard { fact("Shard", "\(shard.description) of \(suite.chosen.counting("scenario"))") }
        if let seed = suite.seed { fact("Seed", seed) }
      }
    }
  }

  /// The number of jobs for each shard, or a single number if it is the same for all shards.
  private var jobsOfShards: String {
    let jobs = suite.shards.map(\.jobs)
    return Set(jobs).count == 1 ? "\(jobs[0])" : jobs.map(String.init).joined(separator: ", ")
  }

  private func fact(_ name: String, _ value: String) -> Markup {
    tag("div") {
      tag("dt") { name }
      tag("dd") { value }
    }
  }

  private var footer: Markup { tag("p") { "Created by \(suite.tool). This file contains no tokens or passwords." } }

  static func sign(_ verdict: TestResult.Status) -> String {
    switch verdict {
    case .passed: "✓"
    case .failed: "✗"
    case .error: "⚠"
    case .skipped: "–"
    }
  }

  // MARK: Scenarios

  private var scenarios: Markup {
    // Several tests can have the same name, so they are identified by their position in the list.
    var places: [TestResult: Int] = [:]
    for (position, test) in suite.failures.enumerated() { places[test] = position }
    let groups = suite.byFile.sorted { left, right in Self.hasFailures(left.tests) && !Self.hasFailures(right.tests) }
    return tag("div") {
      PageFrame.filters(
        "Filter scenarios",
        [("All", ""), ("Failed", "failed"), ("Errors", "error"), ("Skipped", "skipped"), ("Passed", "passed")])
      tag("div", Attribute(.dataPart, "scenarios")) {
        for group in groups {
          tag("div", .class("file-group")) {
            tag("h3") { group.file }
            tag("ul", .class("grid")) {
              for test in group.tests { tag("li") { cell(test, places[test]) } }
            }
          }
        }
      }
    }
  }

  private static func hasFailures(_ tests: [TestResult]) -> Bool { tests.contains { $0.failure != nil } }

  private func cell(_ test: TestResult, _ failure: Int?) -> Markup {
    let time = test.verdict == .skipped ? test.reason ?? "" : TerminalRunReport.duration(test.duration)
    return tag("span", .class("item cell \(test.verdict.rawValue)"), Attribute(.dataKind, test.verdict.rawValue)) {
      tag("span", .class("sign"), Attribute(.ariaHidden, "true")) { Self.sign(test.verdict) }
      tag("span", .class("unseen")) { "\(test.verdict.rawValue): " }
      if let failure {
        tag("a", .to(Self.failure(failure))) { test.name }
      } else {
        test.name
      }
      tag("span", .class("time")) { time }
      button(toRunOf: test)
    }
  }
}
