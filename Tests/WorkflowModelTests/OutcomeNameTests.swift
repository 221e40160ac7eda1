import Testing

import WorkflowModel

/// Tests the names of outcomes.
@Suite struct OutcomeNameTests {
  @Test(arguments: OutcomeName.allCases)
  func everyNameCanBeReadFromItsRawValue(_ name: OutcomeName) {
    #expect(OutcomeName(rawValue: name.rawValue) == name)
    #expect("\(name)" == name.rawValue)
  }

  @Test(arguments: ["Success", "", "unknown", "success ", "failed", "error"])
  func anyOtherTextIsNotAName(_ text: String) {
    #expect(OutcomeName(rawValue: text) == nil)
  }

  @Test(arguments: ["success", "userCanceled", "failed", "internal", "error", "sucess", ""])
  func selectorsPreserveTheirText(_ text: String) {
    #expect(OutcomeSelector(text).text == text)
  }

  @Test func internalSelectsAllInternalErrors() {
    #expect(OutcomeSelector("internal") == .internal)
    #expect(OutcomeSelector("sucess") == .unknown("sucess"))
    #expect(OutcomeSelector("success") == .outcome(.success))
  }

  @Test func noDeclaredOutcomeHasTheNameOfASelector() {
    let names = StepKind.all.flatMap(\.outcomes).map(\.name)
    #expect(names.allSatisfy { OutcomeSelector($0.rawValue) == .outcome($0) })
  }
}
