import Diagnostics
import Documents
import TestSupport
import Validation

/// Validates samples and compares the findings with their labels.
enum SampleValidation {
  /// The current time, 2026-01-01, which determines whether credentials have expired.
  static let now: Int64 = 1_767_225_600

  /// Validates a single file or all files of an app together.
  static func validate(_ sample: SampleFile, definitions: [String: String] = [:]) throws -> ValidationReport {
    let paths = try sample.appFiles()
    guard !paths.isEmpty else {
      return validate([NamedFile(name: sample.name, bytes: try sample.bytes())], definitions: definitions)
    }
    return validate(
      try paths.map { path in
        let file = SampleFile(origin: sample.origin, path: "\(sample.path)/\(path)")
        return NamedFile(name: file.name, bytes: try file.bytes(), root: sample.path)
      }, definitions: definitions)
  }

  static func validate(_ files: [NamedFile], definitions: [String: String] = [:]) -> ValidationReport {
    let contents = Dictionary(files.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    return ProjectValidator(definitions: definitions, now: now) { path, options in
      guard let bytes = contents[path] else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
      }
      return DocumentReader.read(bytes, named: path, options: options)
    }.validate(files)
  }

  /// Returns the difference between a finding and its label, or nil if they match.
  static func mismatch(_ diagnostic: Diagnostic, _ expected: SampleLabel.Finding, in sample: SampleFile) -> String? {
    let place = diagnostic.place
    let file = expected.file.map { "\(sample.path)/\($0)" }
    let text = place.span.map(place.source.text(in:)) ?? ""
    guard diagnostic.rule == expected.rule, file == nil || file == place.source.name,
      expected.line == nil || expected.line == place.start.line, expected.text == nil || expected.text == text
    else {
      return "expected \(expected), findings \(place.source.name):\(place.start.line) \(diagnostic.rule): \(text)"
    }
    return nil
  }

  /// Compares findings with labels. Both lists must be in reading order.
  static func mismatches(_ findings: [Diagnostic], _ expected: [SampleLabel.Finding], in sample: SampleFile) -> [String]
  {
    let unexpected = findings.dropFirst(expected.count).map {
      "unexpected \($0.place.source.name):\($0.place.start.line) \($0.rule): \($0.message)"
    }
    let missing = expected.dropFirst(findings.count).map { "missing \($0)" }
    return zip(findings, expected).compactMap { mismatch($0, $1, in: sample) } + unexpected + missing
  }
}
