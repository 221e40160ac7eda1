import WorkflowModel

/// A state machine diagram with the path of a run.
package struct DiagramWalk: Sendable {
  /// A step that the run executed.
  package struct Step: Sendable {
    package var id: String
    package var outcome: String
    /// The target: `success`, `failure`, or a step.
    package var next: String?
    /// The sequence numbers of the events that started and ended the step.
    package var span: ClosedRange<Int>

    package init(id: String, outcome: String, next: String?, span: ClosedRange<Int>) {
      self.id = id
      self.outcome = outcome
      self.next = next
      self.span = span
    }
  }

  /// The diagram, in which `isCovered` marks the path. In labels, a number replaces the outcomes that did not occur.
  package private(set) var diagram: MachineDiagram
  /// The executions of each state, by its position.
  package private(set) var visits: [Int: [ClosedRange<Int>]] = [:]
  /// The number of the event in which the run first used a transition, by the transition's position.
  package private(set) var departures: [Int: Int] = [:]
  /// The outcomes that the label of a transition counts, by the position of the transition.
  package private(set) var others: [Int: [String]] = [:]

  /// Creates a walk without a path.
  package init(_ diagram: MachineDiagram) { self.diagram = diagram }

  package init(_ diagram: MachineDiagram, path: [Step]) {
    self.diagram = diagram
    for index in diagram.states.indices { self.diagram.states[index].isCovered = false }
    for index in diagram.transitions.indices { self.diagram.transitions[index].isCovered = false }
    var taken: [Int: [String]] = [:]
    for step in path {
      guard let from = diagram.states.firstIndex(where: { $0.id == step.id }) else { continue }
      if step.outcome != "skipped" {
        self.diagram.states[from].isCovered = true
        visits[from, default: []].append(step.span)
      }
      guard let transition = transition(of: step, from: from) else { continue }
      self.diagram.transitions[transition].isCovered = true
      if departures[transition] == nil { departures[transition] = step.span.upperBound }
      if taken[transition]?.contains(step.outcome) != true { taken[transition, default: []].append(step.outcome) }
    }
    for index in diagram.transitions.indices { fold(index, taken[index] ?? []) }
  }

  private func transition(of step: Step, from: Int) -> Int? {
    let target: MachineDiagram.Target? =
      switch step.next {
      case "success": .success
      case "failure": .failure
      case let next?: diagram.states.firstIndex { $0.id == next }.map { .state($0) }
      case nil: nil
      }
    let leaving = diagram.transitions.indices.filter { diagram.transitions[$0].from == from }
    return leaving.first {
      diagram.transitions[$0].outcomes.contains(step.outcome)
        && (target == nil || diagram.transitions[$0].to == target)
    } ?? leaving.first { diagram.transitions[$0].outcomes.contains(step.outcome) }
      ?? leaving.first { diagram.transitions[$0].to == target }
  }

  /// Replaces the outcomes that did not occur with their number.
  private mutating func fold(_ index: Int, _ taken: [String]) {
    let outcomes = diagram.transitions[index].outcomes
    let rest = outcomes.filter { !taken.contains($0) }
    let named = outcomes.filter { taken.contains($0) }
    guard rest.count > 1 else {
      diagram.transitions[index].outcomes = named + rest
      return
    }
    others[index] = rest
    diagram.transitions[index].outcomes = named + ["\(rest.count) others"]
  }
}
