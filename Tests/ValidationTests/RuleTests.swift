import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// Tests every rule with its two examples. The rule reports findings exactly at the markers in the bad example and
/// reports nothing in the good example. If the rule has a fix, the fix turns the bad example into the good one.
@Suite struct RuleTests {
  static func validate(_ example: RuleExample) -> ValidationReport { ExampleProject(example).validate() }

  @Test(arguments: RuleSet.all.rules.map(\.id)) func reportsFindingsAtTheMarkers(id: String) throws {
    let rule = try #require(RuleSet.all.rule(id))
    let report = Self.validate(rule.bad)
    let findings = report.diagnostics.filter { $0.rule == id }
    for file in rule.bad.files {
      let places = findings.filter { $0.place.source.name == file.name }.map { $0.place.span?.start }
      #expect(places == file.offsets.map(Optional.some), "\(file.name)")
    }
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.severity == rule.severity })
    #expect(findings.allSatisfy { $0.help?.isEmpty == false })
    let others = report.diagnostics.filter { $0.rule != id && $0.severity != .note }
    #expect(others.map { "\($0.rule): \($0.message)" } == [])
  }

  @Test(arguments: RuleSet.all.rules.map(\.id)) func acceptsTheGoodExample(id: String) throws {
    let rule = try #require(RuleSet.all.rule(id))
    let report = Self.validate(rule.good)
    #expect(report.diagnostics.filter { $0.severity != .note }.map(\.message) == [])
    #expect(report.diagnostics.allSatisfy { $0.rule != id })
  }

  @Test(arguments: RuleSet.all.rules.map(\.id)) func turnsTheBadExampleIntoTheGoodOne(id: String) throws {
    let rule = try #require(RuleSet.all.rule(id))
    let fixed = Self.validate(rule.bad).diagnostics.filter { $0.rule == id && $0.fix != nil }
    guard !fixed.isEmpty else { return }
    for file in rule.bad.files {
      let edits = fixed.filter { $0.place.source.name == file.name }.flatMap { $0.fix?.edits ?? [] }
      let bytes = try SpanEdits.apply(edits, to: SourceText(name: file.name, text: file.text))
      let good = try #require(rule.good.files.first { $0.name == file.name })
      #expect(String(decoding: bytes, as: UTF8.self) == good.text)
    }
  }

  @Test func listsEveryRuleInTheFolder() throws {
    let folder = ProjectFiles.directory.appending(path: "Sources/Validation/Rules")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let files = paths.filter { $0.hasSuffix(".swift") }.compactMap { $0.split(separator: "/").last.map(String.init) }
    let listed = RuleSet.all.rules.map { "\(type(of: $0)).swift" }
    #expect(Set(files) == Set(listed))
    #expect(Set(listed).count == listed.count)
  }

  @Test("lists every severity that occurs in samples", arguments: SampleLabel.all)
  func severities(label: SampleLabel) throws {
    for finding in try SampleValidation.validate(label.sample).diagnostics {
      guard let rule = RuleSet.all.rule(finding.rule) else { continue }
      #expect(rule.otherSeverities.union([rule.severity]).contains(finding.severity), "\(finding.rule)")
    }
  }

  @Test func hasWellFormedIDsAndTexts() {
    let rules = RuleSet.all.rules
    #expect(Set(rules.map(\.id)).count == rules.count)
    for rule in rules {
      #expect(rule.id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil)
      #expect(!rule.summary.isEmpty && !rule.summary.contains("\n") && rule.explanation.count > 40)
    }
  }
}
