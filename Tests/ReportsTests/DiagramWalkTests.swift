import Reports
import Testing
import WorkflowModel

@Suite struct DiagramWalkTests {
  private static let diagram: MachineDiagram = {
    var diagram = MachineDiagram(title: "t", states: [], transitions: [])
    diagram.states = ["first", "second"].map { MachineDiagram.State(id: $0, kind: $0, role: .step, detail: "") }
    diagram.transitions = [
      .init(from: 0, to: .state(1), outcomes: ["success"], sort: .next),
      .init(from: 0, to: .failure, outcomes: ["offline", "timedOut", "invalidGrant"], sort: .failure),
      .init(from: 1, to: .success, outcomes: ["success"], sort: .next),
      .init(from: 1, to: .failure, outcomes: ["offline", "timedOut"], sort: .failure),
    ]
    return diagram
  }()

  private static func walk(_ path: [DiagramWalk.Step]) -> DiagramWalk { DiagramWalk(diagram, path: path) }

  @Test("marks the taken transitions, with the time of their first use")
  func marksTransitions() {
    let walk = Self.walk([
      .init(id: "first", outcome: "success", next: "second", span: 2...5),
      .init(id: "second", outcome: "timedOut", next: "failure", span: 6...9),
    ])
    #expect(walk.diagram.transitions.map(\.isCovered) == [true, false, false, true])
    #expect(walk.departures == [0: 5, 3: 9])
    #expect(walk.visits == [0: [2...5], 1: [6...9]])
  }

  @Test("counts outcomes that did not occur")
  func foldsOutcomes() {
    let walk = Self.walk([.init(id: "first", outcome: "timedOut", next: "failure", span: 2...5)])
    #expect(
      walk.diagram.transitions.map(\.outcomes) == [["success"], ["timedOut", "2 others"], ["success"], ["2 others"]])
    #expect(walk.others == [1: ["offline", "invalidGrant"], 3: ["offline", "timedOut"]])
  }

  @Test("does not mark skipped steps")
  func skipsSteps() {
    let walk = Self.walk([.init(id: "first", outcome: "skipped", next: nil, span: 2...2)])
    #expect(walk.diagram.states.map(\.isCovered) == [false, false])
    #expect(walk.visits.isEmpty)
  }
}
