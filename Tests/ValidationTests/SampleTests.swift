import AppRegistration
import Diagnostics
import Foundation
import TestSupport
import Testing
import Validation

/// Validates the fixtures, and the external corpus if it exists.
@Suite("Validation of samples") struct SampleTests {
  @Test("reports exactly the labeled defects", arguments: SampleLabel.all)
  func findings(label: SampleLabel) throws {
    let report = try SampleValidation.validate(label.sample, definitions: label.definitions)
    var findings = report.diagnostics.filter { $0.severity != .note }
    if label.sample.origin == .outsideCorpus, label.sample.folder == "plist-generic" {
      // The tests of the readers check the syntax errors in these files.
      findings.removeAll { RuleSet.all.rule($0.rule) == nil }
    }
    #expect(SampleValidation.mismatches(findings, label.findings, in: label.sample) == [])
    if let notes = label.notes {
      let findings = report.diagnostics.filter { $0.severity == .note && $0.rule != "unknown-kind" }
      #expect(SampleValidation.mismatches(findings, notes, in: label.sample) == [])
    }
    if let kind = label.kind { #expect(report.files.map(\.kind.rawValue) == [kind]) }
  }

  @Test(
    "reports nothing for a valid file without its build settings",
    arguments: SampleLabel.all.filter { $0.isClean && !$0.definitions.isEmpty })
  func missingDefinitions(label: SampleLabel) throws {
    let findings = try SampleValidation.validate(label.sample).diagnostics.filter { $0.severity != .note }
    #expect(findings.map { "\($0.rule): \($0.message)" } == [])
  }

  @Test("reports every finding at a location inside the file and with an explanation", arguments: SampleLabel.all)
  func spans(label: SampleLabel) throws {
    for diagnostic in try SampleValidation.validate(label.sample).diagnostics {
      #expect(!diagnostic.message.isEmpty && !diagnostic.rule.isEmpty)
      let end = diagnostic.place.span?.end ?? 0
      #expect(end <= diagnostic.place.source.bytes.count, "\(diagnostic.rule)")
    }
  }

  @Test("labels every fixture exactly once")
  func labels() throws {
    let labels = try SampleLabel.decode("expected.json")
    let apps = try ProjectFiles.names(in: "Tests/Fixtures/projects").map { "projects/\($0)" }
    let files = SampleFile.all.filter { $0.origin == .fixtures }.map(\.path)
    #expect(labels.map(\.sample.path).sorted() == (apps + files).sorted())
    #expect(try !SampleLabel.decode("outside-corpus.json").isEmpty)
  }

  /// The rules that compare the files of one app.
  static let comparing: Set<String> = [
    "client-id-mismatch", "redirect-not-in-manifest", "redirect-not-in-app", "scope-not-in-manifest",
    "audience-contradiction", "bundle-id-contradiction", "device-code-not-allowed", "keychain-group-contradiction",
  ]

  /// The samples in each folder, and all samples from each origin.
  static let crowds: [[SampleFile]] = SampleFile.Origin.allCases.flatMap { origin in
    let files = SampleFile.all.filter { $0.origin == origin }
    let folders = Dictionary(grouping: files, by: \.folder)
    return (folders.keys.sorted().compactMap { folders[$0] } + [files]).filter { !$0.isEmpty }
  }

  /// Validates unrelated files as the contents of one folder.
  static func validateTogether(_ samples: [SampleFile]) throws -> ValidationReport {
    SampleValidation.validate(
      // Add a prefix, because a folder named `android` would make its parent folder an app.
      try samples.map { NamedFile(name: "samples-of-\($0.name)", bytes: try $0.bytes(), root: ".") })
  }

  @Test("does not compare files of unrelated apps", arguments: crowds.indices)
  func crowd(index: Int) throws {
    let findings = try Self.validateTogether(Self.crowds[index]).diagnostics.filter { Self.comparing.contains($0.rule) }
    #expect(findings.map { "\($0.place.source.name): \($0.message)" } == [])
  }

  @Test(
    "reports the same findings for unrelated manifests in one folder as for separate manifests",
    arguments: SampleFile.Origin.allCases)
  func manifests(origin: SampleFile.Origin) throws {
    let labels = SampleLabel.all(in: "manifest").filter { $0.sample.origin == origin }
    let findings = try Self.validateTogether(labels.map(\.sample)).diagnostics.filter { $0.severity != .note }
    // This rule requires bundle IDs from build settings, and the folder does not contain build settings.
    let expected = labels.flatMap(\.findings).map(\.rule).filter { $0 != "bundle-id-contradiction" }
    #expect(findings.map(\.rule).sorted() == expected.sorted())
  }
}
