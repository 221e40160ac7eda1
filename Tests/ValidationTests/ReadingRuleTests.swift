import Diagnostics
import Foundation
import TestSupport
import Testing
import Validation
import WorkflowModel

/// Whatever a reader may say has its line in the table, so that it can be listed, explained and set to another severity.
@Suite struct ReadingRuleTests {
  /// The rules that the sources name where a diagnostic is made.
  static func spoken() throws -> Set<String> {
    var spoken: Set<String> = []
    for module in ["Documents", "WorkflowModel", "Directory", "AppRegistration"] {
      let folder = ProjectFiles.directory.appending(path: "Sources/\(module)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
        // What exploring finds is told by `explore` alone.
        if path.hasPrefix("Exploration/") { continue }
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        for match in text.matches(of: /(?:rule: |\.(?:error|warning|note)\(\s*)"([a-z0-9]+(?:-[a-z0-9]+)+)"/) {
          spoken.insert(String(match.1))
        }
      }
    }
    return spoken
  }

  @Test func everythingThatIsSpokenIsListed() throws {
    let listed = Set(ReadingRule.all.map(\.id)).union(RuleSet.all.rules.map(\.id))
    #expect(try Self.spoken().subtracting(listed) == [])
    #expect(try Self.spoken().count > 30)
  }

  @Test func eachIsListedOnce() {
    let ids = ReadingRule.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(ids).isDisjoint(with: RuleSet.all.rules.map(\.id)))
    #expect(ReadingRule.named("yaml-syntax")?.severity == .error)
  }
}
