import Documents
import Reports
import Testing
import WorkflowModel

@Suite struct CoverageReportTests {
  static let record = CoverageRecord(
    title: "Read my profile", file: "me.yaml", runs: 3,
    entries: [
      .init(
        id: "loadAccount", kind: "loadAccount", isFinally: false, times: 3, outcomes: [],
        arrows: [.init(to: "silent", sort: .next, outcomes: ["found"], times: 3)]),
      .init(
        id: "silent", kind: "silent", isFinally: false, times: 3,
        outcomes: [.init(name: "offline", times: 0), .init(name: "invalidScope", times: 1)],
        arrows: [
          .init(to: "callGraph", sort: .next, outcomes: ["success"], times: 0),
          .init(to: "success", sort: .explicit, outcomes: ["offline"], times: 0),
          .init(to: "loadAccount", sort: .explicit, outcomes: ["invalidScope"], times: 1),
          .init(to: "failure", sort: .failure, outcomes: ["unexpected"], times: 0),
        ]),
      .init(
        id: "callGraph", kind: "callGraph", isFinally: false, times: 0, outcomes: [],
        arrows: [.init(to: "success", sort: .next, outcomes: ["success"], times: 0)]),
    ])

  @Test func rendersATable() {
    #expect(
      CoverageText.render(Self.record) == """
        Read my profile: 45% covered (2 of 3 steps, 1 of 2 named outcomes, 2 of 6 transitions; 3 runs)
          ● loadAccount  covered
          ◐ silent       never offline, never continued with callGraph, never failed
          ○ callGraph    never performed
          authflow explore me.yaml shows a scenario for each missing path

        """)
  }

  @Test func roundTripsThroughJSON() throws {
    let json = CoverageJSON.json([Self.record])
    #expect(CoverageJSON.read(json) == [Self.record])
    let text = CoverageJSON.json([.init(title: "T", file: "t.yaml", runs: 0, entries: [])]).text()
    #expect(
      text
        == #"{"coverage":1,"workflows":[{"all":{"covered":0,"percent":100,"total":0},"file":"t.yaml","outcomes":{"covered":0,"percent":100,"total":0},"runs":0,"stepList":[],"steps":{"covered":0,"percent":100,"total":0},"title":"T","transitions":{"covered":0,"percent":100,"total":0}}]}"#
    )
    #expect(CoverageJSON.read(["coverage": 2, "workflows": []]) == nil)
    #expect(CoverageJSON.read(["coverage": 1, "workflows": [["title": "T"]]]) == nil)
  }
}
