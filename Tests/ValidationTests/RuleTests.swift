import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// Every rule is held to its own two examples: it complains about the bad one exactly at the mark, and lets the good one pass.
@Suite struct RuleTests {
  static let infoPlist = #"{"CFBundleIdentifier": "com.contoso.app"}"#

  static func validate(_ text: String) -> ValidationReport {
    let validator = ProjectValidator { path, options in
      DocumentReader.read(Array(infoPlist.utf8), named: path, options: options)
    }
    return validator.validate([NamedFile(name: "example.yaml", bytes: Array(text.utf8))])
  }

  @Test(arguments: RuleSet.all.rules.map(\.id)) func aRuleComplainsAtItsMark(id: String) throws {
    let rule = try #require(RuleSet.all.rule(id))
    let marked = MarkedText(rule.bad)
    let report = Self.validate(marked.text)
    let findings = report.diagnostics.filter { $0.rule == id }
    #expect(findings.map { $0.place.span?.start } == marked.offsets.map(Optional.some))
    #expect(findings.allSatisfy { $0.severity == rule.severity })
    #expect(findings.allSatisfy { $0.help?.isEmpty == false })
    let others = report.diagnostics.filter { $0.rule != id && $0.severity != .note }
    #expect(others.map(\.rule) == [])
  }

  @Test(arguments: RuleSet.all.rules.map(\.id)) func aRuleLetsTheMendedFilePass(id: String) throws {
    let rule = try #require(RuleSet.all.rule(id))
    let report = Self.validate(MarkedText(rule.good).text)
    #expect(report.diagnostics.filter { $0.severity != .note }.map(\.message) == [])
    #expect(report.diagnostics.allSatisfy { $0.rule != id })
  }

  @Test func everyFileOfTheFolderIsListed() throws {
    let folder = Corpus.projectDirectory.appending(path: "Sources/Validation/Rules")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let listed = RuleSet.all.rules.map { "\(type(of: $0)).swift" }
    #expect(Set(files) == Set(listed))
    #expect(Set(listed).count == listed.count)
  }

  @Test func idsAndWordsAreInOrder() {
    let rules = RuleSet.all.rules
    #expect(Set(rules.map(\.id)).count == rules.count)
    for rule in rules {
      #expect(rule.id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil)
      #expect(!rule.words.isEmpty && !rule.words.contains("\n") && rule.help.count > 40)
    }
  }
}

/// A text with marks taken out, and where they stood.
struct MarkedText {
  var text = ""
  /// Byte offsets.
  var offsets: [Int] = []

  init(_ marked: String) {
    for piece in marked.split(separator: "1️⃣", omittingEmptySubsequences: false) {
      if piece.startIndex != marked.startIndex { offsets.append(text.utf8.count) }
      text += piece
    }
  }
}
