import Diagnostics
import Documents
import OrderedCollections

/// What a project's `.authflow.yaml` says about its validation.
package struct ValidationConfiguration: Sendable {
  /// How a rule's findings count here.
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

  /// Findings that are known and accepted.
  package struct Ignored: Sendable {
    package var rule = Positioned("", at: .file(""))
    package var path: String?
    package var reason = ""

    static let fields = Fields<Ignored>(
      "an entry of ignore",
      [
        Field("rule", Codec.nonEmptyString.located, into: \.rule, required: true, "The rule whose findings are meant."),
        Field("path", .nonEmptyString, into: \.path, "Which files are meant, such as samples/**; by default all."),
        Field("reason", .nonEmptyString, into: \.reason, required: true, "Why these findings are accepted."),
      ])
  }

  /// What people call the files.
  package static let fileNames = [".authflow.yaml", ".authflow.yml"]

  package var rules: OrderedDictionary<String, Positioned<Level>> = [:]
  package var ignore: [Ignored] = []
  /// Files that are not looked at.
  package var exclude: [String] = []
  /// Values for build-setting references.
  package var definitions: OrderedDictionary<String, String> = [:]
  /// The folder that it speaks for, as an absolute path.
  package var folder = "/"

  package init() {}

  package static let fields = Fields<ValidationConfiguration>(
    "the configuration",
    [
      Field(
        "rules", .map(of: Codec<Level>.enumeration().located), into: \.rules,
        "How each rule counts here: off, note, warning or error."),
      Field(
        "ignore", .list(of: .record(Ignored.fields, empty: Ignored())), into: \.ignore,
        "Findings that are known and accepted, each with its reason."),
      Field(
        "exclude", .list(of: .nonEmptyString), into: \.exclude,
        "Files and folders that are not looked at, as in .gitignore: build/, **/fixtures/*.json."),
      Field(
        "definitions", .map(of: .string), into: \.definitions,
        "Values for build-setting references, such as PRODUCT_BUNDLE_IDENTIFIER; --define overrides them."),
    ])

  package static var schema: JSON { fields.schema }

  /// Reads the configuration; what is wrong with it is among the diagnostics.
  package static func read(_ reading: ReadResult, folder: String) -> (ValidationConfiguration, [Diagnostic]) {
    var configuration = ValidationConfiguration()
    configuration.folder = folder
    var problems = DiagnosticCollector()
    var told = reading.diagnostics
    // A file of nothing but comments says nothing, which is no mistake.
    if told.count == 1, told[0].rule == "empty-document" { told = [] }
    guard let root = reading.document?.root, root.kind != .null else { return (configuration, told) }
    _ = fields.read(root, into: &configuration, &problems)
    for (id, level) in configuration.rules where !RuleNames.areKnown(id) {
      problems.add(RuleNames.unknown(id, at: root["rules"]?.entry(id)?.key.place ?? level.place, .error))
    }
    for entry in configuration.ignore where !RuleNames.areKnown(entry.rule.value) {
      problems.add(RuleNames.unknown(entry.rule.value, at: entry.rule.place, .error))
    }
    return (configuration, told + problems.diagnostics)
  }

  /// A path relative to the configuration's folder; nil for one outside.
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
