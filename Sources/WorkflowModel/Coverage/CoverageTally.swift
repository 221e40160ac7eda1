import Diagnostics
import Documents

/// Counts the coverage of a workflow's runs.
package struct CoverageTally: Sendable {
  private let map: CoverageMap
  private let title: String
  private let file: String
  private var runs = 0
  /// The number of times that the step of each map entry ran.
  private var stepCounts: [Int]
  /// The number of occurrences of each named outcome, for each map entry.
  private var outcomeCounts: [[String: Int]]
  /// The number of occurrences of each transition, for each map entry.
  private var arrowCounts: [[Int]]
  private let positions: [String: Int]

  package init(_ workflow: Workflow) {
    map = CoverageMap(workflow)
    title = workflow.title
    file = workflow.document.source.name
    stepCounts = Array(repeating: 0, count: map.entries.count)
    outcomeCounts = Array(repeating: [:], count: map.entries.count)
    arrowCounts = map.entries.map { Array(repeating: 0, count: $0.arrows.count) }
    positions = Dictionary(
      map.entries.enumerated().map { ($1.step.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Counts a run. Transitions of nested workflows are not counted.
  /// - Returns: Whether the run covers a goal that no earlier run covered.
  @discardableResult
  package mutating func record(_ transitions: [TakenTransition]) -> Bool {
    runs += 1
    var isNew = false
    for transition in transitions where record(transition) { isNew = true }
    return isNew
  }

  private mutating func record(_ transition: TakenTransition) -> Bool {
    guard let index = positions[transition.step] else { return false }
    let entry = map.entries[index]
    var isNew = false
    func count(_ times: inout Int) {
      if times == 0 { isNew = true }
      times += 1
    }
    if transition.isPerformed { count(&stepCounts[index]) }
    guard let to = transition.to, let destination = entry.destinations[transition.outcome] else { return isNew }
    // The map does not contain the failure after a second claims challenge or the return from a detour to the call.
    let isFailure = to == "failure"
    guard destination.to == to || isFailure else { return isNew }
    let arrow = entry.arrows.firstIndex { arrow in
      destination.to == to ? arrow.outcomes.contains(transition.outcome) : arrow.sort == .failure
    }
    if let arrow { count(&arrowCounts[index][arrow]) }
    if destination.to == to, let name = destination.name { count(&outcomeCounts[index][name, default: 0]) }
    return isNew
  }

  package var report: CoverageRecord {
    CoverageRecord(
      title: title, file: file, runs: runs,
      entries: map.entries.indices.map { index in
        let entry = map.entries[index]
        return CoverageRecord.StepShare(
          id: entry.step.id, kind: entry.step.spelling, isFinally: entry.isFinally, times: stepCounts[index],
          outcomes: entry.named.map { .init(name: $0, times: outcomeCounts[index][$0] ?? 0) },
          arrows: zip(entry.arrows, arrowCounts[index]).map { arrow, times in
            .init(to: arrow.to, sort: arrow.sort, outcomes: arrow.outcomes.map(\.rawValue), times: times)
          })
      })
  }
}
