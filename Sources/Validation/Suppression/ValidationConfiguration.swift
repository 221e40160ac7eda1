import Diagnostics
import Documents
import OrderedCollections

/// The validation configuration in a project's `.authflow.yaml`.
package struct ValidationConfiguration: Sendable {
  /// The severity that the project assigns to a rule's findings.
  package enum Level: String, CaseIterable, Sendable {
    case off, note, warning, error

    var severity: Diagnostic.Severity? {
      switch self {
      case .off: nil
      case .note: .note
      case .warning: .warning
      case .error: .error
      }
    }
  }

  /// An `ignore` entry, which suppresses findings.
  package struct Ignored: Sendable {
    package var rule = Positioned("", at: .file(""))
    package var path: String?
    package var reason = ""

    static let fields = Fields<Ignored>(
      "an `ignore` entry",
      [
        Field(
          "rule", Codec.nonEmptyString.located, into: { $0.rule = $1 }, required: true,
          "ID of the rule whose findings are suppressed"),
        Field(
          "path", .nonEmptyString, into: { $0.path = $1 },
          "pattern for files, such as `samples/**`; all files by default"),
        Field("reason", .nonEmptyString, into: { $0.reason = $1 }, required: true, "reason for the suppression"),
      ])
  }

  /// The possible names of the configuration file.
  package static let fileNames = [".authflow.yaml", ".authflow.yml"]

  package var rules: OrderedDictionary<String, Positioned<Level>> = [:]
  package var ignore: [Ignored] = []
  /// Patterns for files that are not validated.
  package var exclude: [String] = []
  /// The values for build setting references.
  package var definitions: OrderedDictionary<String, String> = [:]
  /// The folder that contains the configuration, as an absolute path.
  package var folder = "/"

  package init() {}

  package static let fields = Fields<ValidationConfiguration>(
    "the configuration",
    [
      Field(
        "rules", .map(of: Codec<Level>.enumeration().located), into: { $0.rules = $1 },
        "severity of each rule: `off`, `note`, `warning`, or `error`"),
      Field(
        "ignore", .list(of: .record(Ignored.fields, empty: Ignored())), into: { $0.ignore = $1 },
        "suppressed findings, each with a reason"),
      Field(
        "exclude", .list(of: .nonEmptyString), into: { $0.exclude = $1 },
        "files and folders to skip, as `.gitignore` patterns: `build/`, `**/fixtures/*.json`"),
      Field(
        "definitions", .map(of: .string), into: { $0.definitions = $1 },
        "values for build setting references, such as `PRODUCT_BUNDLE_IDENTIFIER`; `--define` overrides them"),
    ])

  package static var schema: JSON { fields.schema }

  /// Reads a configuration.
  /// - Returns: The configuration with all valid values, and diagnostics for the invalid values.
  package static func read(_ result: ReadResult, folder: String) -> (ValidationConfiguration, [Diagnostic]) {
    var configuration = ValidationConfiguration()
    configuration.folder = folder
    var problems = DiagnosticCollector()
    var diagnostics = result.diagnostics
    // A file that contains only comments is valid.
    if diagnostics.count == 1, diagnostics[0].rule == "empty-document" { diagnostics = [] }
    guard let root = result.document?.root, root.kind != .null else { return (configuration, diagnostics) }
    _ = fields.read(root, into: &configuration, &problems)
    for (id, level) in configuration.rules where !RuleNames.contains(id) {
      problems.add(RuleNames.unknown(id, at: root["rules"]?.entry(id)?.key.place ?? level.place, .error))
    }
    for entry in configuration.ignore where !RuleNames.contains(entry.rule.value) {
      problems.add(RuleNames.unknown(entry.rule.value, at: entry.rule.place, .error))
    }
    return (configuration, diagnostics + problems.diagnostics)
  }

  /// Returns the path relative to the configuration's folder, or nil if the path is outside that folder.
  package func relative(_ absolute: String) -> String? {
    if folder == "/" { return String(absolute.drop { $0 == "/" }) }
    guard absolute.hasPrefix(folder + "/") else { return nil }
    return String(absolute.dropFirst(folder.count + 1))
  }

  package func excludes(_ absolute: String) -> Bool {
    guard !exclude.isEmpty, let path = relative(absolute) else { return false }
    return exclude.contains { PathGlob($0).matches(path) }
  }
}
