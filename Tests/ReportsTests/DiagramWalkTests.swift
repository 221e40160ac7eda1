import Documents
import Reports
import Testing
import WorkflowModel

@Suite struct DiagramWalkTests {
  private static func walk(_ path: [DiagramWalk.Step]) throws -> DiagramWalk {
    let json: JSON = [
      "title": "t",
      "states": [
        ["id": "first", "kind": "first", "detail": "", "role": "step"],
        ["id": "second", "kind": "second", "detail": "", "role": "step"],
      ],
      "transitions": [
        ["from": "first", "outcomes": ["success"], "sort": "next", "to": "second"],
        ["from": "first", "outcomes": ["offline", "timedOut", "invalidGrant"], "sort": "failure", "to": "fail"],
        ["from": "second", "outcomes": ["success"], "sort": "next", "to": "end"],
        ["from": "second", "outcomes": ["offline", "timedOut"], "sort": "failure", "to": "fail"],
      ],
    ]
    return DiagramWalk(try #require(DiagramJSON.diagram(json)), path: path)
  }

  @Test("marks the taken transitions, with the time of their first use")
  func marksTransitions() throws {
    let walk = try Self.walk([
      .init(id: "first", outcome: "success", next: "second", span: 2...5),
      .init(id: "second", outcome: "timedOut", next: "failure", span: 6...9),
    ])
    #expect(walk.diagram.transitions.map(\.isCovered) == [true, false, false, true])
    #expect(walk.departures == [0: 5, 3: 9])
    #expect(walk.visits == [0: [2...5], 1: [6...9]])
  }

  @Test("counts outcomes that did not occur")
  func foldsOutcomes() throws {
    let walk = try Self.walk([.init(id: "first", outcome: "timedOut", next: "failure", span: 2...5)])
    #expect(
      walk.diagram.transitions.map(\.outcomes) == [["success"], ["timedOut", "2 others"], ["success"], ["2 others"]])
    #expect(walk.others == [1: ["offline", "invalidGrant"], 3: ["offline", "timedOut"]])
  }

  @Test("does not mark skipped steps")
  func skipsSteps() throws {
    let walk = try Self.walk([.init(id: "first", outcome: "skipped", next: nil, span: 2...2)])
    #expect(walk.diagram.states.map(\.isCovered) == [false, false])
    #expect(walk.visits.isEmpty)
  }
}
