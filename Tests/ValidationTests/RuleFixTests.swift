import Diagnostics
import Documents
import Testing
import Validation

/// Tests that `FixSession` applies the fixes of every rule and does not skip any fix.
@Suite struct RuleFixTests {
  @Test(arguments: RuleSet.all.rules.map(\.id)) func appliesTheFixesOfARule(id: String) throws {
    let rule = try #require(RuleSet.all.rule(id))
    let files = rule.bad.files.map { NamedFile(name: $0.name, bytes: Array($0.text.utf8), root: "") }
    let validator = ProjectValidator(now: 1_767_225_600) { path, options in
      let text = #"{"CFBundleIdentifier": "com.contoso.app"}"#
      return path == "Info.plist"
        ? DocumentReader.read(Array(text.utf8), named: path, options: options)
        : ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", "no such file", at: .file(path))])
    }
    let outcome = FixSession { files in
      var report = ConfiguredValidator(validator: validator).check(files)
      // A configuration can turn notes into warnings, so that the session applies their fixes.
      for index in report.diagnostics.indices where report.diagnostics[index].rule == id {
        report.diagnostics[index].severity = max(report.diagnostics[index].severity, .warning)
      }
      return report
    }.run(files)
    #expect(outcome.skippedFixes.map { "\($0.diagnostic.rule): \($0.diagnostic.message)" } == [])
    #expect(outcome.report.diagnostics.allSatisfy { $0.rule != id || $0.fix == nil })
    if outcome.before.diagnostics.contains(where: { $0.rule == id && $0.fix != nil }) {
      #expect(outcome.files.contains { $0.fixed.contains { $0.rule == id } })
    }
  }
}
