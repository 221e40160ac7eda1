import Diagnostics
import Foundation
import TestSupport
import Testing
import Validation
import WorkflowModel

/// Tests that the rule table contains the rule IDs of all readers, so that authflow can list, explain, and configure
/// each rule.
@Suite struct ReadingRuleTests {
  /// Returns the rule IDs in source code that creates diagnostics.
  static func reportedRules() throws -> Set<String> {
    var reportedRules: Set<String> = []
    for module in ["Documents", "WorkflowModel", "Directory", "AppRegistration"] {
      let folder = ProjectFiles.directory.appending(path: "Sources/\(module)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
        // Only `authflow explore` reports exploration findings.
        if path.hasPrefix("Exploration/") { continue }
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        for match in text.matches(of: /(?:rule: |\.(?:error|warning|note)\(\s*)"([a-z0-9]+(?:-[a-z0-9]+)+)"/) {
          reportedRules.insert(String(match.1))
        }
      }
    }
    return reportedRules
  }

  @Test func listsEveryRuleFromTheReaders() throws {
    let listed = Set(ReadingRule.all.map(\.id)).union(RuleSet.all.rules.map(\.id))
    #expect(try Self.reportedRules().subtracting(listed) == [])
    #expect(try Self.reportedRules().count > 30)
  }

  @Test func listsEachRuleOnce() {
    let ids = ReadingRule.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(ids).isDisjoint(with: RuleSet.all.rules.map(\.id)))
    #expect(ReadingRule.named("yaml-syntax")?.severity == .error)
  }
}
