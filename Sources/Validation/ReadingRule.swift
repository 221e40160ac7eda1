import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// A rule whose findings come from reading and decoding a file. These rules cover syntax, declared keys, and the
/// workflow language.
package struct ReadingRule: Sendable {
  package let id: String
  /// A one-line description of the defect.
  package let summary: String
  package let severity: Diagnostic.Severity

  init(_ id: String, _ summary: String, _ severity: Diagnostic.Severity = .error) {
    self.id = id
    self.summary = summary
    self.severity = severity
  }

  /// All rules for syntax, declared keys, the workflow language, directories, settings, and complete workflows.
  package static let all: [ReadingRule] = [syntax, keys, language, directory, settings, checks].flatMap { $0 }

  private static let checks: [ReadingRule] = WorkflowChecks.all.map { ReadingRule($0.id, $0.summary, $0.severity) }

  package static func named(_ id: String) -> ReadingRule? { byID[id] }

  private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  private static let syntax: [ReadingRule] = [
    ReadingRule("empty-document", "empty file"),
    ReadingRule("too-large", "file larger than the size limit"),
    ReadingRule("too-deep", "document with too many nesting levels"),
    ReadingRule("encoding", "binary data, or text that does not match its declared encoding"),
    ReadingRule("json-syntax", "invalid JSON (RFC 8259)"),
    ReadingRule("comment-in-json", "comment in JSON"),
    ReadingRule("trailing-comma", "comma before a closing bracket"),
    ReadingRule("yaml-syntax", "invalid YAML 1.2, or an unsupported YAML feature"),
    ReadingRule("yaml-unavailable", "YAML on a platform without libyaml, such as iOS"),
    ReadingRule("unknown-tag", "unknown YAML tag", .note),
    ReadingRule("alias-expansion", "recursive or excessively large YAML aliases"),
    ReadingRule("plist-syntax", "invalid property list"),
    ReadingRule(
      PreprocessedPropertyList.rule,
      "property list that is only partially checked because of preprocessor directives", .note),
    ReadingRule("xml-syntax", "XML that is not well-formed"),
    ReadingRule("xcconfig-syntax", "`.xcconfig` line that is not a setting or an include"),
    ReadingRule("env-syntax", "`.env` line that does not have the form `NAME=value`"),
    ReadingRule("duplicate-key", "duplicate key"),
    ReadingRule("cannot-write", "value that the output format does not support"),
    ReadingRule("unreadable-file", "file that cannot be read"),
    ReadingRule("outside-project", "reference to a file outside the project"),
  ]

  private static let keys: [ReadingRule] = [
    ReadingRule("unknown-key", "unknown or misspelled key"),
    ReadingRule(RenamedKeyword.rule, "former name of a keyword"),
    ReadingRule("missing-key", "missing required key"),
    ReadingRule("key-spelling", "key with the wrong letter case", .note),
    ReadingRule("wrong-type", "value of the wrong type"),
    ReadingRule("unknown-value", "unknown value for a key"),
    ReadingRule("empty-value", "empty value for a required key"),
    ReadingRule("missing-value", "missing value for a required key"),
    ReadingRule("out-of-range", "number or time out of range"),
    ReadingRule("bad-duration", "malformed duration, which must be a value such as `90s`, `5m`, or `2h`"),
    ReadingRule("unresolved-variable", "undefined variable in a reference such as `$(NAME)`"),
    ReadingRule("contradiction", "contradicting keys"),
    ReadingRule("list-separator", "invalid list separator"),
    ReadingRule("duplicate-id", "duplicate ID"),
  ]

  private static let language: [ReadingRule] = [
    ReadingRule("language-version", "unsupported version of the workflow language"),
    ReadingRule("missing-step-type", "step without a type"),
    ReadingRule("multiple-step-types", "step with more than one type"),
    ReadingRule("bare-step-type", "step type and ID that YAML reads as one string"),
    ReadingRule("split-at-comma", "unquoted string that YAML ends at a comma"),
    ReadingRule("not-a-fallback", "step that cannot be a fallback"),
    ReadingRule("invalid-id", "ID with characters other than letters, digits, `-`, and `_`"),
    ReadingRule("reserved-id", "reserved word used as an ID"),
    ReadingRule("invalid-name", "invalid variable name"),
    ReadingRule("input-type", "input value of the wrong type"),
    ReadingRule("input-default", "default value that is never used", .warning),
    ReadingRule("missing-input", "missing input for a nested workflow"),
    ReadingRule("template", "invalid reference in `${…}`"),
    ReadingRule("unresolved-value", "undefined name in `${…}`"),
    ReadingRule("jsonpath", "invalid JSONPath (RFC 9535)"),
    ReadingRule("i-regexp", "invalid I-Regexp (RFC 9485)"),
    ReadingRule("graph-path", "invalid Microsoft Graph path"),
    ReadingRule("output-path", "output path that leads outside the output folder"),
    ReadingRule("prompt-name", "prompt name from MSAL for another platform", .note),
    ReadingRule("proof-of-possession", "incomplete proof-of-possession request"),
    ReadingRule("scope-with-space", "scope with a space"),
    ReadingRule("path-entry", "invalid entry in an expected path"),
    ReadingRule("result-path", "invalid result field or path"),
    ReadingRule("unknown-event", "unknown event"),
    ReadingRule("event", "invalid value for a simulated event"),
    ReadingRule("instant", "time that is not in RFC 3339 format"),
    ReadingRule("matcher", "unknown matcher"),
    ReadingRule("wrong-issuer", "invalid issuer for a misbehavior"),
    ReadingRule("matrix-size", "matrix with too many rows"),
    ReadingRule("too-many-steps", "workflow with too many steps"),
    ReadingRule("use-file", "nested workflow that cannot be read"),
    ReadingRule("use-cycle", "workflow that uses itself"),
    ReadingRule("use-depth", "too many levels of nested workflows"),
    ReadingRule("scenarios-file", "scenarios file that cannot be read or does not match its workflow"),
    ReadingRule("no-successful-path", "step after which the workflow always fails"),
    ReadingRule("beyond-max-steps", "step that can be reached only with more steps than `maxSteps` allows"),
    ReadingRule("truncated-line", "recording whose last line is incomplete", .warning),
    ReadingRule("not-recorded", "request without a recorded response"),
  ]

  private static let directory: [ReadingRule] = [
    ReadingRule("no-guid", "ID that is not a GUID"),
    ReadingRule("unsafe-redirect", "redirect URI with a scheme that browsers reject"),
    ReadingRule("unknown-directory", "unknown built-in directory"),
    ReadingRule("wrong-header", "invalid HTTP header name"),
    ReadingRule("duplicate-identity", "duplicate record"),
    ReadingRule("unknown-role", "app role that is not defined by its API"),
    ReadingRule("unknown-user", "username that is not in the directory"),
    ReadingRule("unknown-group", "group that is not in the directory"),
    ReadingRule("unknown-tenant", "tenant that is not in the directory"),
  ]

  private static let settings: [ReadingRule] = [
    ReadingRule("not-settings", "settings file without settings"),
    ReadingRule("not-info-plist", "file that is not an Info.plist"),
    ReadingRule("unknown-kind", "unknown file type", .note),
  ]
}
