import Reports
import Testing

@Suite struct SuitePathComparisonTests {
  @Test func equalPathsDoNotDiffer() {
    let comparison = PathComparison(expected: ["a.x", "b.y"], actual: ["a.x", "b.y"])
    #expect(comparison.firstDifference == nil)
    #expect(comparison.decidingIndex == nil)
    #expect(comparison.sentence == nil)
  }

  @Test func pairsADifferentOutcomeWithTheExpectedEntry() {
    let comparison = PathComparison(
      expected: ["a.x", "b.good", "c.z"], actual: ["a.x", "b.bad", "d.w", "c.z"])
    #expect(comparison.rows.map(\.kind) == [.same, .different, .extra, .same])
    #expect(comparison.sentence == "the path differs at entry 2: expected b.good, found b.bad")
    #expect(comparison.decidingIndex == 1)
    #expect(comparison.expectedIndex == 1)
  }

  @Test func attributesAnUnexpectedStepToThePreviousStep() {
    let comparison = PathComparison(expected: ["a.x", "c.z"], actual: ["a.x", "b.y", "c.z"])
    #expect(comparison.rows.map(\.kind) == [.same, .extra, .same])
    #expect(comparison.decidingIndex == 0)
  }

  @Test func reportsTheNextExpectedEntryIfThePathEndsEarly() {
    let comparison = PathComparison(expected: ["a.x", "b.y"], actual: ["a.x"])
    #expect(comparison.sentence == "the path ends after 1 entry, expected b.y next")
    #expect(comparison.decidingIndex == 0)
  }

  @Test func dotsMatchAnyNumberOfEntries() {
    let matching = PathComparison(expected: ["...", "c.z"], actual: ["a.x", "b.y", "c.z"])
    #expect(matching.rows.map(\.kind) == [.anything, .anything, .same])
    #expect(matching.rows.map(\.expected) == ["...", nil, "c.z"])
    let withoutEntries = PathComparison(expected: ["...", "c.z", "..."], actual: ["c.z"])
    #expect(withoutEntries.firstDifference == nil)
    let mismatching = PathComparison(expected: ["...", "c.bad"], actual: ["a.x", "c.good", "d.w"])
    #expect(mismatching.sentence == "the path differs at entry 2: expected c.bad, found c.good")
  }
}
