import Diagnostics
import Documents
import Scenarios
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests that the scenarios of each shipped workflow cover all steps, named outcomes, transitions, and applicable
/// common cases.
@Suite struct ShippedCoverageTests {
  struct Shipped: Sendable, CustomTestStringConvertible {
    var loaded: LoadedWorkflow
    /// The path relative to the `Workflows` folder.
    var file: String { String(loaded.workflow.document.source.name.dropFirst("Workflows/".count)) }
    var testDescription: String { file }
  }

  static let all = ShippedScenariosTests.workflows.map { Shipped(loaded: $0) }
  /// The provider in the conformance workflows violates the protocol. It does not have Microsoft accounts, policies, or
  /// Graph.
  static let withoutConformance = all.filter { !$0.file.hasPrefix("conformance/") }

  @Test(arguments: all) func scenariosCoverTheWorkflow(_ shipped: Shipped) async {
    var tally = CoverageTally(shipped.loaded.workflow)
    for (_, report) in await ShippedRuns.shared.reports(of: shipped.loaded) {
      if let result = report.result { tally.record(result.transitions) }
    }
    let record = tally.report
    let missing = record.entries.filter { !$0.isCovered }.map { entry in
      let outcomes = entry.outcomes.filter { $0.times == 0 }.map(\.name)
      return "\(entry.id): \(outcomes + entry.arrows.filter { $0.times == 0 }.map { "to \($0.to) by \($0.outcomes)" })"
    }
    #expect(record.all.percent == 100, "\(missing)")
    #expect(record.all.isComplete)
  }

  @Test(arguments: withoutConformance) func scenariosCoverCommonCases(_ shipped: Shipped) async {
    let runs = await ShippedRuns.shared.reports(of: shipped.loaded).compactMap { CompletedRun($0, $1) }
    let exceptions = Self.inapplicable[shipped.file] ?? [:]
    for commonCase in CommonCase.allCases where commonCase != .offlineAtEveryStep {
      let isCovered = runs.contains { $0.covers(commonCase) }
      #expect(isCovered || exceptions[commonCase] != nil, "not covered: \(commonCase.rawValue)")
      #expect(!isCovered || exceptions[commonCase] == nil, "covered, so not an exception: \(commonCase.rawValue)")
    }
    let workflow = shipped.loaded.workflow
    let network = (workflow.steps + workflow.finally).filter(\.kind.usesNetwork).map(\.id)
    let without = runs.reduce(into: Set<String>()) { $0.formUnion($1.stepsWithoutNetwork) }
    #expect(network.filter { !without.contains($0) } == [], "steps that never run without a network")
  }
}
