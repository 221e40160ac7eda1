import Diagnostics
import Documents

/// Counts what runs of a workflow cover.
package struct CoverageTally: Sendable {
  private let map: CoverageMap
  private let title: String
  private let file: String
  private var runs = 0
  /// By entry of the map.
  private var performed: [Int]
  private var named: [[String: Int]]
  private var arrows: [[Int]]
  private let positions: [String: Int]

  package init(_ workflow: Workflow) {
    map = CoverageMap(workflow)
    title = workflow.title
    file = workflow.document.source.name
    performed = Array(repeating: 0, count: map.entries.count)
    named = Array(repeating: [:], count: map.entries.count)
    arrows = map.entries.map { Array(repeating: 0, count: $0.arrows.count) }
    positions = Dictionary(
      map.entries.enumerated().map { ($1.step.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Counts one run. What happened inside a workflow that is used counts there, not here.
  /// - Returns: whether it covers something that no run before it did.
  @discardableResult
  package mutating func take(_ transitions: [TakenTransition]) -> Bool {
    runs += 1
    var isNew = false
    for taken in transitions where take(taken) { isNew = true }
    return isNew
  }

  private mutating func take(_ taken: TakenTransition) -> Bool {
    guard let index = positions[taken.step] else { return false }
    let entry = map.entries[index]
    var isNew = false
    func count(_ times: inout Int) {
      if times == 0 { isNew = true }
      times += 1
    }
    if taken.isPerformed { count(&performed[index]) }
    guard let to = taken.to, let way = entry.ways[taken.outcome] else { return isNew }
    // A second claims challenge fails, and a success on a detour leads back to the call: other ways than the table's.
    let isFailure = to == "failure"
    guard way.to == to || isFailure else { return isNew }
    let arrow = entry.arrows.firstIndex { arrow in
      way.to == to ? arrow.outcomes.contains(taken.outcome) : arrow.sort == .failure
    }
    if let arrow { count(&arrows[index][arrow]) }
    if way.to == to, let name = way.name { count(&named[index][name, default: 0]) }
    return isNew
  }

  package var report: CoverageRecord {
    CoverageRecord(
      title: title, file: file, runs: runs,
      entries: map.entries.indices.map { index in
        let entry = map.entries[index]
        return CoverageRecord.StepShare(
          id: entry.step.id, kind: entry.step.spelling, isFinally: entry.isFinally, times: performed[index],
          outcomes: entry.named.map { .init(name: $0, times: named[index][$0] ?? 0) },
          arrows: zip(entry.arrows, arrows[index]).map { arrow, times in
            .init(to: arrow.to, sort: arrow.sort, outcomes: arrow.outcomes, times: times)
          })
      })
  }
}
