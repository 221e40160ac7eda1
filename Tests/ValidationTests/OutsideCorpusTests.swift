import AppRegistration
import Diagnostics
import Documents
import TestSupport
import Testing
import Validation

/// Compares the fixtures with the external corpus. Only this test reports a missing corpus. If the corpus exists, other
/// tests check its files in addition to the fixtures.
@Suite("External corpus") struct OutsideCorpusTests {
  /// The rules, file types, and syntaxes that a set of samples covers.
  private struct Coverage {
    var rules: Set<String> = []
    var kinds: Set<String> = []
    var syntaxes: Set<String> = []

    init(_ labels: [SampleLabel]) throws {
      for label in labels {
        let report = try SampleValidation.validate(label.sample, definitions: label.definitions)
        rules.formUnion(report.diagnostics.map { "\($0.severity) \($0.rule)" })
        kinds.formUnion(report.files.map(\.kind.rawValue))
        guard label.sample.folder != "projects" else { continue }
        let reading = DocumentReader.read(try label.sample.bytes(), named: label.sample.name)
        if let document = reading.document { syntaxes.insert("\(document.syntax)") }
      }
    }
  }

  @Test(
    "fixtures cover every rule, file type, and syntax that the external corpus covers",
    .enabled(if: OutsideCorpus.isPresent, "the external corpus is missing"))
  func coverage() throws {
    let fixtures = try Coverage(SampleLabel.fixtures)
    let corpus = try Coverage(SampleLabel.outside)
    #expect(corpus.rules.count > 50 && corpus.kinds.count > 5 && corpus.syntaxes.count > 3)
    #expect(corpus.rules.subtracting(fixtures.rules).sorted() == [])
    #expect(corpus.kinds.subtracting(fixtures.kinds).sorted() == [])
    #expect(corpus.syntaxes.subtracting(fixtures.syntaxes).sorted() == [])
    #expect(Set(SampleLabel.outside.map(\.sample.folder)).isSubset(of: SampleLabel.fixtures.map(\.sample.folder)))
    try labelsAgree()
  }

  /// Checks that the labels in this repository and in the corpus classify the same files as defective.
  private func labelsAgree() throws {
    let paths = Set(SampleLabel.outside.map(\.sample.path))
    #expect(try SampleLabel.decode("outside-corpus.json").map(\.sample.path).filter { !paths.contains($0) } == [])
    let listed = OutsideCorpus.expectations.filter { paths.contains($0.file) }
    #expect(listed.count > 100)
    let defective = Set(SampleLabel.outside.filter { !$0.findings.isEmpty }.map(\.sample.path))
    for expectation in listed {
      #expect(defective.contains(expectation.file) == !expectation.isClean, "\(expectation.file)")
    }
  }
}
