import Documents
import Effects
import Reports
import Testing

@Suite struct SuiteReportTests {
  static func suite(_ shard: SuiteResult.Shard? = nil, numbers: [Int] = [1, 2, 3]) -> SuiteResult {
    var suite = SuiteResult(tool: "authflow 9", started: Instant(secondsSince1970: 1_735_689_600))
    suite.duration = .milliseconds(1500)
    suite.fingerprint = "00000000000000aa"
    suite.chosen = 3
    suite.shard = shard
    for number in numbers {
      var test = TestResult(
        number: number, file: "a & b.yaml", name: "n#\(number) \u{1}<x>", line: 3, column: 5,
        verdict: [.passed, .failed, .skipped][number - 1])
      test.duration = .milliseconds(12)
      if number == 3 { test.reason = "an earlier scenario failed" }
      if number == 2 {
        var failure = TestFailure()
        failure.expectedPath = ["silent.success"]
        failure.path = ["silent.interactionRequired"]
        failure.problems = [
          TestProblem(rule: "path", message: "it differs", file: "a & b.yaml", line: 4, column: 7, excerpt: "  4 | x\n")
        ]
        failure.rerun = "authflow test x"
        failure.watch = "authflow run x"
        test.failure = failure
      }
      suite.tests.append(test)
    }
    return suite
  }

  @Test func junitListsEveryScenarioWithoutForbiddenCharacters() {
    let text = JUnitReport().text(Self.suite())
    #expect(
      text.contains(
        #"<testsuite name="a &amp; b.yaml" tests="3" failures="1" errors="0" skipped="1" time="0.036" timestamp="2025-01-01T00:00:00" file="a &amp; b.yaml">"#
      ))
    #expect(
      text.contains(
        #"<testcase classname="a &amp; b.yaml" name="n#1 ␁&lt;x&gt;" time="0.012" file="a &amp; b.yaml" line="3"/>"#))
    #expect(text.contains(#"<failure type="path" message="it differs">"#))
    #expect(text.contains(#"<skipped message="an earlier scenario failed"/>"#))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(!JUnitReport(placesTests: false).text(Self.suite()).contains(#"line="3""#))
  }

  @Test func tapEscapesSpecialCharacters() {
    let lines = TAPReport.text(Self.suite()).split(separator: "\n")
    #expect(lines.prefix(2) == ["TAP version 14", "1..3"])
    #expect(lines.contains(##"ok 1 - a & b.yaml: n\#1  <x>"##))
    #expect(lines.contains(##"not ok 2 - a & b.yaml: n\#2  <x>"##))
    #expect(lines.contains(##"ok 3 - a & b.yaml: n\#3  <x> # SKIP an earlier scenario failed"##))
    #expect(lines.contains(#"  wanted: ["silent.success"]"#))
  }

  @Test func jsonRoundTrips() throws {
    let suite = Self.suite(.init(index: 1, total: 1))
    let text = SuiteJSON.json(suite).text()
    let decoded = try SuiteJSON.read(Array(text.utf8))
    #expect(decoded.tests == suite.tests)
    #expect(SuiteJSON.json(decoded).text() == text)
  }

  @Test func mergesShardsInScenarioOrder() throws {
    let parts = [
      ("2.json", Self.suite(.init(index: 2, total: 2), numbers: [2])),
      ("1.json", Self.suite(.init(index: 1, total: 2), numbers: [1, 3])),
    ]
    let merged = try SuiteMerge.joined(parts.map { (file: $0.0, suite: $0.1) })
    #expect(merged.tests.map(\.number) == [1, 2, 3])
    #expect(merged.shard == nil)
  }

  @Test func mergedResultsContainTheJobsOfEachShard() throws {
    let parts = [3, 1, 2].map { index in
      var suite = Self.suite(.init(index: index, total: 3), numbers: [index])
      suite.jobs = index == 3 ? 4 : 2
      suite.duration = .seconds(index)
      return (file: "\(index).json", suite: suite)
    }
    let merged = try SuiteMerge.joined(parts)
    #expect(merged.jobs == 4)
    #expect(merged.shards.map(\.index) == [1, 2, 3])
    #expect(merged.shards.map(\.jobs) == [2, 2, 4])
    #expect(merged.duration == .seconds(3))
    let read = try SuiteJSON.read(Array(SuiteJSON.json(merged).text().utf8))
    #expect(read.shards == merged.shards)
    let page = SuitePage(suite: merged).html()
    #expect(page.contains("<dt>Parallel jobs per shard</dt><dd>2, 2, 4</dd>"))
  }

  @Test func rejectsShardsThatDoNotBelongTogether() {
    let first = (file: "1.json", suite: Self.suite(.init(index: 1, total: 3), numbers: [1]))
    #expect(throws: SuiteMerge.MergeError.missing([2, 3], of: 3)) { try SuiteMerge.joined([first]) }
    #expect(throws: SuiteMerge.MergeError.twice(shard: "1/3", first: "1.json", second: "x.json")) {
      try SuiteMerge.joined([first, (file: "x.json", suite: first.suite)])
    }
    var other = Self.suite(.init(index: 2, total: 3), numbers: [2])
    other.fingerprint = "bb"
    #expect(throws: SuiteMerge.MergeError.foreign(file: "2.json", first: "1.json")) {
      try SuiteMerge.joined([first, (file: "2.json", suite: other)])
    }
  }

  @Test(arguments: [
    ("{", "not JSON"), ("[]", "was not written by `authflow test`"),
    (#"{"authflow":"suite","format":1}"#, "format version 1"),
  ])
  func rejectsFilesThatAreNotResults(text: String, message: String) {
    do throws(SuiteJSON.ReadError) {
      _ = try SuiteJSON.read(Array(text.utf8))
      Issue.record("the file was accepted")
    } catch {
      #expect(error.message.contains(message))
    }
  }
}
