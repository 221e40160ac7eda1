import Diagnostics
import Documents
import Scenarios
import Testing
import WorkflowRunner

/// Tests the edits that `authflow test --watch` makes to accept the paths of failed scenarios.
@Suite struct AcceptedExpectationsTests {
  private static let steps = "settings: Settings.yaml\nsteps: [{id: a, wait: 1d}, {id: b, wait: 1d}]\n"

  private static func accepted(_ text: String) async throws -> AcceptedExpectations {
    let fixture = try OutcomeStrategiesTests.Fixture(text)
    var runs: [(test: ScenarioCase, report: ScenarioReport)] = []
    for test in fixture.loaded.cases().cases { runs.append((test, await test.run(in: fixture.world, tool: "test"))) }
    return AcceptedExpectations(runs)
  }

  /// Returns the text after the edits and checks that the scenarios then pass.
  private static func changed(_ text: String) async throws -> String {
    let accepted = try await accepted(text)
    #expect(accepted.rejected.isEmpty, "\(accepted.rejected)")
    let (source, edits) = try #require(accepted.edits.first)
    #expect(accepted.edits.count == 1)
    let whole = String(decoding: try SpanEdits.apply(edits, to: source), as: UTF8.self)
    let start = try #require(whole.firstRange(of: "settings:")).lowerBound
    let changed = String(whole[start...])
    let fixture = try OutcomeStrategiesTests.Fixture(changed)
    for test in fixture.loaded.cases().cases {
      #expect(await test.run(in: fixture.world, tool: "test").verdict == .passed, "\(test.name) in\n\(changed)")
    }
    return changed
  }

  @Test("adds missing entries to a list in flow style and keeps comments")
  func addsToFlowList() async throws {
    let text = Self.steps + "scenarios:\n  one: # a comment\n    expect: { path: [a.success] } # another comment\n"
    #expect(
      try await Self.changed(text) == text.replacing("[a.success]", with: "[a.success, b.success]"))
  }

  @Test("adds missing entries to a list in block style")
  func addsToBlockList() async throws {
    let text = Self.steps + "scenarios:\n  one:\n    expect:\n      path:\n        - a.success\n  two: {} # last\n"
    #expect(
      try await Self.changed(text)
        == text.replacing("        - a.success\n", with: "        - a.success\n        - b.success\n"))
  }

  @Test("replaces only the entries that differ")
  func replacesEntries() async throws {
    let text = Self.steps + "scenarios:\n  one:\n    expect: { path: [a.skipped, b.success] }\n"
    #expect(try await Self.changed(text) == text.replacing("a.skipped", with: "a.success"))
  }

  @Test("replaces the expected outcome together with the path")
  func replacesOutcome() async throws {
    let text = Self.steps + "scenarios:\n  one:\n    expect: { path: [a.success], outcome: failure }\n"
    #expect(
      try await Self.changed(text)
        == text.replacing("[a.success], outcome: failure", with: "[a.success, b.success], outcome: success"))
  }

  @Test("rejects scenarios that fail for a different reason")
  func rejectsOtherFailures() async throws {
    let accepted = try await Self.accepted(
      Self.steps + "scenarios:\n  one:\n    expect: { path: [a.success, b.success], interactions: 3 }\n")
    #expect(accepted.count == 0)
    #expect(accepted.edits.isEmpty)
    #expect(accepted.rejected.map(\.reason) == ["it did not fail because of its path"])
  }

  @Test("rejects a shared expectation if the matrix rows took different paths")
  func rejectsDifferentRows() async throws {
    let accepted = try await Self.accepted(
      """
      settings: Settings.yaml
      steps: [loadAccount, {id: a, wait: 1d}]
      scenarios:
        one:
          matrix:
            - given: [signedIn: megan@contoso.com]
            - given: []
          expect: { path: [a.success] }

      """)
    #expect(accepted.edits.isEmpty)
    #expect(accepted.rejected.count == 2)
    #expect(accepted.rejected.allSatisfy { $0.reason == "other rows of its matrix took another path" })
  }

  @Test("accepts nothing if all scenarios pass")
  func acceptsNothing() async throws {
    let accepted = try await Self.accepted(Self.steps + "scenarios:\n  one:\n    expect: { path: [a.success, ...] }\n")
    #expect(accepted.count == 0)
    #expect(accepted.rejected.isEmpty)
    #expect(accepted.edits.isEmpty)
  }
}
