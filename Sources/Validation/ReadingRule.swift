import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// A rule that is spoken while a file is read and decoded, before any of the rules of an app's files: what a syntax, a declared key or
/// the workflow language demands.
package struct ReadingRule: Sendable {
  package let id: String
  /// What it finds, in one line.
  package let words: String
  package let severity: Diagnostic.Severity

  init(_ id: String, _ words: String, _ severity: Diagnostic.Severity = .error) {
    self.id = id
    self.words = words
    self.severity = severity
  }

  /// Every one there is: of syntax, of declared keys, of the workflow language, of directories, of settings, and the checks of a
  /// workflow as a whole.
  package static let all: [ReadingRule] = [syntax, keys, language, directory, settings, checks].flatMap { $0 }

  private static let checks: [ReadingRule] = WorkflowChecks.all.map { ReadingRule($0.id, $0.words, $0.severity) }

  package static func named(_ id: String) -> ReadingRule? { byID[id] }

  private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  private static let syntax: [ReadingRule] = [
    ReadingRule("empty-document", "the file holds nothing"),
    ReadingRule("too-large", "the file is larger than what is read"),
    ReadingRule("too-deep", "the document nests deeper than what is read"),
    ReadingRule("encoding", "the bytes are no text, or not in the encoding that they say"),
    ReadingRule("json-syntax", "the file is not JSON (RFC 8259)"),
    ReadingRule("comment-in-json", "a comment stands where strict JSON knows none"),
    ReadingRule("trailing-comma", "a comma stands before a closing bracket"),
    ReadingRule("yaml-syntax", "the file is not YAML 1.2, or uses what is not read here"),
    ReadingRule("unknown-tag", "a YAML tag means nothing here", .note),
    ReadingRule("alias-expansion", "aliases hold themselves, or grow beyond all measure"),
    ReadingRule("plist-syntax", "the file is not a property list"),
    ReadingRule(PreprocessedPropertyList.rule, "property list with preprocessor directives, checked in part", .note),
    ReadingRule("xml-syntax", "the file is not well-formed XML"),
    ReadingRule("xcconfig-syntax", "a line of an .xcconfig file is neither a setting nor an include"),
    ReadingRule("env-syntax", "a line of a .env file is no NAME=value"),
    ReadingRule("duplicate-key", "a key stands twice in a mapping"),
    ReadingRule("cannot-write", "a value has no form in the syntax that is to be written"),
    ReadingRule("unreadable-file", "a file cannot be opened"),
    ReadingRule("outside-project", "reference to a file outside the project"),
  ]

  private static let keys: [ReadingRule] = [
    ReadingRule("unknown-key", "a key that means nothing, most often misspelled"),
    ReadingRule(RenamedKeyword.rule, "a keyword has a new name"),
    ReadingRule("missing-key", "a key is needed and absent"),
    ReadingRule("key-spelling", "a key is spelled in another letter case", .note),
    ReadingRule("wrong-type", "a value is of another kind than its key asks for"),
    ReadingRule("unknown-value", "a value is none of those that its key knows"),
    ReadingRule("empty-value", "a value is needed and empty"),
    ReadingRule("missing-value", "a value is needed and absent"),
    ReadingRule("out-of-range", "a number or instant is beyond its bounds"),
    ReadingRule("bad-duration", "a duration is not written like 90s, 5m, or 2h"),
    ReadingRule("unresolved-variable", "a reference such as $(NAME) has no value"),
    ReadingRule("contradiction", "two keys exclude each other"),
    ReadingRule("list-separator", "a list in one text is separated by something else"),
    ReadingRule("duplicate-id", "two things have the same id"),
  ]

  private static let language: [ReadingRule] = [
    ReadingRule("language-version", "the workflow is of a version that is not known"),
    ReadingRule("missing-kind", "a step says not what it does"),
    ReadingRule("multiple-step-types", "a step is of two kinds at once"),
    ReadingRule("bare-kind", "YAML reads a step's kind and its id as one text"),
    ReadingRule("split-at-comma", "YAML ends an unquoted text at a comma"),
    ReadingRule("not-a-fallback", "a step is marked as fallback and cannot be one"),
    ReadingRule("invalid-id", "an id is not made of letters, digits, - and _"),
    ReadingRule("reserved-id", "an id is a word of the language"),
    ReadingRule("invalid-name", "a name cannot be used as a variable"),
    ReadingRule("input-type", "an input's value is not of its declared type"),
    ReadingRule("input-default", "a default is never taken", .warning),
    ReadingRule("missing-input", "a used workflow needs an input that it is not given"),
    ReadingRule("template", "the text in ${…} is no reference"),
    ReadingRule("unresolved-value", "the text in ${…} names nothing that there is"),
    ReadingRule("jsonpath", "a text is no JSONPath (RFC 9535)"),
    ReadingRule("i-regexp", "a pattern is no I-Regexp (RFC 9485)"),
    ReadingRule("graph-path", "a text is no path of Microsoft Graph"),
    ReadingRule("output-path", "output name that leads out of the output folder"),
    ReadingRule("prompt-name", "a prompt is called by its name on another platform", .note),
    ReadingRule("proof-of-possession", "proof of possession is half asked for"),
    ReadingRule("scope-with-space", "a scope holds a blank"),
    ReadingRule("path-entry", "an entry of an expected path cannot be read"),
    ReadingRule("unknown-event", "nothing of that name can happen"),
    ReadingRule("wrong-issuer", "an issuer for a misbehavior is none"),
    ReadingRule("matrix-size", "a matrix has more rows than are run"),
    ReadingRule("too-many-steps", "a workflow has more steps than are read"),
    ReadingRule("use-file", "a workflow that is used cannot be read"),
    ReadingRule("use-cycle", "a workflow uses itself"),
    ReadingRule("use-depth", "workflows use workflows too deep"),
    ReadingRule("scenarios-file", "a workflow and its scenarios file that do not fit together, or cannot be read"),
  ]

  private static let directory: [ReadingRule] = [
    ReadingRule("no-guid", "an id that is a GUID at Microsoft is none"),
    ReadingRule("unsafe-redirect", "a redirect URI has a scheme that browsers refuse"),
    ReadingRule("unknown-directory", "no built-in directory has that name"),
    ReadingRule("wrong-header", "a name is no HTTP header"),
    ReadingRule("duplicate-identity", "the same record stands in a list twice"),
    ReadingRule("unknown-role", "role of an app that its API does not have"),
    ReadingRule("unknown-user", "username that the directory does not have"),
    ReadingRule("unknown-group", "group that the directory does not have"),
    ReadingRule("unknown-tenant", "tenant that the directory does not have"),
  ]

  private static let settings: [ReadingRule] = [
    ReadingRule("not-settings", "a file that is used as settings holds none"),
    ReadingRule("not-info-plist", "a file that is used as Info.plist is none"),
    ReadingRule("unknown-kind", "the file is of no kind that is checked", .note),
  ]
}
