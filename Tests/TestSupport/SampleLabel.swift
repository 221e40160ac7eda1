import Foundation

/// The expected results for a sample, from `Tests/Fixtures/expected.json` or `outside-corpus.json`.
package struct SampleLabel: Decodable, Sendable, CustomStringConvertible {
  /// An expected finding. Tests ignore nil values.
  package struct Finding: Decodable, Sendable {
    package var rule: String
    /// The path of the file in a complete app.
    package var file: String?
    package var line: Int?
    /// The text at the position of the finding.
    package var text: String?
  }

  package var sample: SampleFile
  /// The raw value of `AppRegistrationKind`.
  package var kind: String?
  /// Whether the reader reports errors.
  package var isUnreadable: Bool
  /// The values of build settings.
  package var definitions: [String: String]
  /// The expected errors and warnings.
  package var findings: [Finding]
  /// The expected notes, or nil if tests do not compare notes.
  package var notes: [Finding]?
  /// The rules of the errors that loading the settings reports, for files in `authsettings`.
  package var loadErrors: Set<String>

  package var description: String { sample.description }
  package var isClean: Bool { findings.isEmpty && !isUnreadable }

  private enum CodingKeys: String, CodingKey {
    case file, kind, unreadable, definitions, findings, notes, loadErrors
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    sample = SampleFile(origin: .fixtures, path: try values.decode(String.self, forKey: .file))
    kind = try values.decodeIfPresent(String.self, forKey: .kind)
    isUnreadable = try values.decodeIfPresent(Bool.self, forKey: .unreadable) ?? false
    definitions = try values.decodeIfPresent([String: String].self, forKey: .definitions) ?? [:]
    if let word = try? values.decode(String.self, forKey: .findings) {
      guard word == "clean" else {
        throw DecodingError.dataCorruptedError(forKey: .findings, in: values, debugDescription: "expected \"clean\"")
      }
      findings = []
    } else {
      findings = try values.decodeIfPresent([Finding].self, forKey: .findings) ?? []
    }
    notes = try values.decodeIfPresent([Finding].self, forKey: .notes) ?? []
    loadErrors = Set(try values.decodeIfPresent([String].self, forKey: .loadErrors) ?? [])
  }

  private init(cleanOutside sample: SampleFile) {
    self.sample = sample
    isUnreadable = false
    definitions = [:]
    findings = []
    loadErrors = []
  }
}

extension SampleLabel {
  /// The labels from both origins.
  package static let all = fixtures + outside

  package static let fixtures: [SampleLabel] = (try? decode("expected.json")) ?? []

  /// The labels of the external corpus. Files without an entry have no findings.
  package static let outside: [SampleLabel] = {
    let labeled = Dictionary(
      ((try? decode("outside-corpus.json")) ?? []).map { ($0.sample.path, $0) }, uniquingKeysWith: { first, _ in first }
    )
    let contexts = Dictionary(
      OutsideCorpus.expectations.map { ($0.file, $0.context) }, uniquingKeysWith: { first, _ in first })
    return SampleFile.all.filter { $0.origin == .outsideCorpus }.map { sample in
      var label = labeled[sample.path] ?? SampleLabel(cleanOutside: sample)
      label.sample = sample
      label.notes = nil
      if let bundleID = contexts[sample.path]??.bundleId {
        label.definitions["PRODUCT_BUNDLE_IDENTIFIER"] = bundleID
      }
      return label
    }
  }()

  package static func all(in folder: String) -> [SampleLabel] { all.filter { $0.sample.folder == folder } }

  /// Decodes a label file in `Tests/Fixtures`.
  package static func decode(_ name: String) throws -> [SampleLabel] {
    try JSONDecoder().decode(
      [SampleLabel].self, from: Data(contentsOf: ProjectFiles.directory.appending(path: "Tests/Fixtures/\(name)")))
  }
}
