import Diagnostics
import Documents
import Scenarios
import Testing
import WorkflowModel
import WorkflowRunner

/// What the shipped workflows' scenarios cover: all of each machine, and every situation that each can meet.
@Suite struct ShippedLessonsTests {
  struct Shipped: Sendable, CustomTestStringConvertible {
    var loaded: LoadedWorkflow
    /// Its path in the folder of workflows.
    var file: String { String(loaded.workflow.document.source.name.dropFirst("Workflows/".count)) }
    var testDescription: String { file }
  }

  static let all = ShippedScenariosTests.workflows.map { Shipped(loaded: $0) }
  /// The conformance pack asks what a client makes of a provider that is not Microsoft's and breaks the protocol: there are
  /// no accounts, policies or Graph of Microsoft's to meet.
  static let lessons = all.filter { !$0.file.hasPrefix("conformance/") }

  @Test(arguments: all) func everythingIsCovered(_ one: Shipped) async {
    var tally = CoverageTally(one.loaded.workflow)
    for (_, report) in await ShippedRuns.shared.of(one.loaded) {
      if let result = report.result { tally.take(result.transitions) }
    }
    let record = tally.report
    let missing = record.entries.filter { !$0.isCovered }.map { entry in
      let outcomes = entry.outcomes.filter { $0.times == 0 }.map(\.name)
      return "\(entry.id): \(outcomes + entry.arrows.filter { $0.times == 0 }.map { "to \($0.to) by \($0.outcomes)" })"
    }
    #expect(record.all.percent == 100, "\(missing)")
    #expect(record.all.isWhole)
  }

  @Test(arguments: lessons) func everySituationIsShown(_ one: Shipped) async {
    let runs = await ShippedRuns.shared.of(one.loaded).compactMap { TaughtRun($0, $1) }
    let exceptions = Self.cannotApply[one.file] ?? [:]
    for lesson in Lesson.allCases where lesson != .offlineAtEveryStep {
      let isShown = runs.contains { $0.shows(lesson) }
      #expect(isShown || exceptions[lesson] != nil, "\(lesson.rawValue)")
      #expect(!isShown || exceptions[lesson] == nil, "it is shown, so it can apply: \(lesson.rawValue)")
    }
    let workflow = one.loaded.workflow
    let network = (workflow.steps + workflow.finally).filter(\.kind.usesNetwork).map(\.id)
    let without = runs.reduce(into: Set<String>()) { $0.formUnion($1.stepsWithoutNetwork) }
    #expect(network.filter { !without.contains($0) } == [], "never without a network")
  }
}
