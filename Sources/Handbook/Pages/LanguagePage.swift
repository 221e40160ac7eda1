import Directory
import Documents
import OrderedCollections
import WorkflowModel

/// The reference of the workflow language, made of the declarations that read it.
package enum LanguagePage {
  package static var markdown: String {
    let schema = Workflow.schema
    let definitions = schema["$defs"] ?? .null
    let kinds = Set(StepKind.keys)
    let beside = SchemaRows.of(definitions["step"] ?? .null).filter { !kinds.contains($0.root) }
    return [
      "# The language of workflows",
      """
      Every key that a workflow may hold, every kind of step with its outcomes, and every word for situations and \
      expectations. This page is made of the declarations that read workflows; `authflow schema workflow` has the same as \
      JSON Schema, and `authflow explain WORD` tells one of them. A value may hold `${…}` where a text is read.
      """,
      "## A workflow", table(SchemaRows.of(schema)),
      "## A step",
      """
      A step is its kind, alone (`- silent`) or with a value or keys (`- silent: {forceRefresh: true}`), and beside it any \
      of these keys.
      """,
      table(beside), "## Kinds of steps", StepKind.all.map(section).joined(separator: "\n\n"),
      "## Situations",
      "What can happen, in a scenario's `given` and `before` and in a `simulate` step: a word, or a mapping of one word.",
      table(SchemaRows.of(definitions["events"] ?? .null), heading: "event"),
      "## Misbehaviors", "Ways in which the emulated platform breaks the protocol, for `misbehaves`.",
      table(Misbehavior.allCases.map { ($0.rawValue, $0.words) }, heading: ("misbehavior", "meaning")),
      "## People",
      "Who sits at the keyboard: a username, or a mapping, or a list of them for one sitting after the other.",
      table(SchemaRows.of(definitions["user"] ?? .null)),
      "## Scenarios", table(SchemaRows.of(definitions["scenario"] ?? .null)),
      "## A scenarios file",
      """
      Scenarios in a file of their own, which `scenarios` in the workflow names. `authflow schema scenarios` prints its JSON \
      Schema.
      """,
      table(SchemaRows.of(Workflow.scenariosFileSchema)),
      "## Expectations",
      "The left side of an `expect` or a `capture`: a word, `step.word` of another step, or a JSONPath into the value.",
      table(ResultField.allCases.map { ($0.rawValue, $0.words) }, heading: ("word", "meaning")),
      "## Matchers", "The right side of an expectation: a value that must be equal, or one of these.",
      table(SchemaRows.of(definitions["matcher"] ?? .null), heading: "matcher"),
    ].joined(separator: "\n\n") + "\n"
  }

  private static func section(_ kind: StepKind) -> String {
    var parts = ["### \(kind.key)", Markdown.sentence(kind.words)]
    if let fallback = kind.fallbackKey {
      parts.append("`\(fallback)` is the same with `when: fallback`: done only where an earlier step falls back on it.")
    }
    let keys = SchemaRows.of(kind.schema())
    if !keys.isEmpty { parts.append(table(keys)) }
    let outcomes = kind.outcomes.map { outcome in
      ["`\(outcome.name)`", Markdown.escaped(Glossary.target(outcome)), Markdown.escaped(outcome.words)]
    }
    parts.append(Markdown.table(["outcome", "leads by default to", "meaning"], outcomes))
    return parts.joined(separator: "\n\n")
  }

  private static func table(_ rows: [SchemaRows.Row], heading: String = "key") -> String {
    Markdown.table(
      [heading, "form", "meaning"],
      rows.map { row in
        ["`\(row.key)`", Markdown.escaped(row.form), Markdown.escaped(row.words)]
      })
  }

  private static func table(_ rows: [(String, String)], heading: (String, String)) -> String {
    Markdown.table([heading.0, heading.1], rows.map { ["`\($0.0)`", Markdown.escaped($0.1)] })
  }
}

/// The keys of a schema as rows of a table; those of a mapping inside stand below it with a dot.
enum SchemaRows {
  struct Row {
    var key: String
    var form: String
    var words: String

    /// The outermost key.
    var root: String { String(key.prefix { $0 != "." }) }
  }

  static func of(_ schema: JSON, under prefix: String = "", depth: Int = 0) -> [Row] {
    properties(of: schema).flatMap { name, value -> [Row] in
      guard let words = value["description"]?.string, !words.contains("(another name of ") else { return [] }
      let key = prefix + name
      var meaning = words
      if let standard = value["default"] { meaning += " (default \(standard.string ?? standard.text()))" }
      let row = Row(key: key, form: form(of: value), words: meaning)
      return [row] + (depth < 3 ? of(value, under: key + ".", depth: depth + 1) : [])
    }
  }

  /// Also where the mapping is one of several forms, or what a list holds.
  private static func properties(of schema: JSON) -> OrderedDictionary<String, JSON> {
    var all = schema["properties"]?.object ?? [:]
    for form in (schema["anyOf"]?.array ?? []) + [schema["items"]].compactMap({ $0 }) {
      for (key, value) in properties(of: form) where all[key] == nil { all[key] = value }
    }
    return all
  }

  /// What may be written, in words.
  static func form(of schema: JSON) -> String {
    if let reference = schema["$ref"]?.string {
      return references[String(reference.split(separator: "/").last ?? "")] ?? "a value"
    }
    if let value = schema["const"] { return value.string ?? value.text() }
    if let words = schema["enum"]?.array {
      let texts = words.map { $0.string ?? $0.text() }
      return texts.count > 8 ? "one of \(texts.count) words" : texts.joined(separator: " or ")
    }
    if let forms = schema["anyOf"]?.array {
      var seen: OrderedSet<String> = []
      // A template may stand for any value, and a bare key for a mapping without keys.
      for form in forms where form["pattern"]?.string != #"\$\{"# && form["type"]?.string != "null" {
        seen.append(self.form(of: form))
      }
      return seen.joined(separator: " or ")
    }
    let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string].compactMap { $0 }
    switch types.first {
    case "string": return schema["pattern"]?.string?.contains("(ms|s|m|h|d)") == true ? "duration" : text(schema)
    case "integer": return "whole number"
    case "number": return "number"
    case "boolean": return "true or false"
    case "array": return "list of \(schema["items"].map(form) ?? "values")"
    case "object":
      guard let inside = schema["additionalProperties"], inside.object != nil, schema["properties"] == nil else {
        return "mapping"
      }
      return "mapping to \(form(of: inside))"
    default: return "anything"
    }
  }

  private static func text(_ schema: JSON) -> String { schema["format"]?.string == "date-time" ? "instant" : "text" }

  private static let references = [
    "step": "step", "scenario": "scenario", "events": "situations", "expectations": "expectations",
    "matcher": "matcher", "user": "user",
  ]
}
