import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// Every rule is held to its own two examples: it complains about the bad one exactly at the marks, and lets the good one pass;
/// where there is a fix, it makes the good one of the bad one.
@Suite struct RuleTests {
  /// What examples name without holding it themselves.
  static let besides = ["Info.plist": #"{"CFBundleIdentifier": "com.contoso.app"}"#]
  /// 2026-01-01, for what expires.
  static let now: Int64 = 1_767_225_600

  static func validate(_ example: RuleExample) -> ValidationReport { validator(example).validate(files(of: example)) }

  static func files(of example: RuleExample) -> [NamedFile] {
    example.files.map { NamedFile(name: $0.name, bytes: Array($0.text.utf8), root: "") }
  }

  static func validator(_ example: RuleExample) -> ProjectValidator {
    let texts = besides.merging(example.files.map { ($0.name, $0.text) }) { $1 }
    return ProjectValidator(now: now) { path, options in
      guard let text = texts[path] else {
        return Reading(document: nil, diagnostics: [Diagnostic(.error, rule: "file-unreadable", path, at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
  }

  @Test(arguments: RuleSet.all.rules.map(\.id)) func aRuleComplainsAtItsMarks(id: String) throws {
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

  @Test(arguments: RuleSet.all.rules.map(\.id)) func aRuleLetsTheMendedFilePass(id: String) throws {
    let rule = try #require(RuleSet.all.rule(id))
    let report = Self.validate(rule.good)
    #expect(report.diagnostics.filter { $0.severity != .note }.map(\.message) == [])
    #expect(report.diagnostics.allSatisfy { $0.rule != id })
  }

  @Test(arguments: RuleSet.all.rules.map(\.id)) func aFixMakesTheGoodExampleOfTheBadOne(id: String) throws {
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

  @Test func everyFileOfTheFolderIsListed() throws {
    let folder = Corpus.projectDirectory.appending(path: "Sources/Validation/Rules")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let files = paths.filter { $0.hasSuffix(".swift") }.compactMap { $0.split(separator: "/").last.map(String.init) }
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
