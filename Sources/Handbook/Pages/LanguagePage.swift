import Directory
import Documents
import OrderedCollections
import WorkflowModel

/// The reference page for the workflow language, generated from the language's declarations.
package enum LanguagePage {
  package static var markdown: String {
    let schema = Workflow.schema
    let definitions = schema["$defs"] ?? .null
    let kinds = Set(StepKind.keys)
    let stepKeys = SchemaRows.of(definitions["step"] ?? .null).filter { !kinds.contains($0.root) }
    return [
      "# Workflow language",
      """
      All keys, step types, events, expectations, and matchers for workflows. `authflow schema workflow` prints the \
      language as JSON Schema, and `authflow explain KEYWORD` describes one keyword. Strings in steps can contain \
      references such as `${top}`.
      """,
      "## Workflow", table(SchemaRows.of(schema)),
      "## Step",
      """
      A step consists of a step type, alone (`- silent`) or with a value or keys (`- silent: {forceRefresh: true}`), and \
      any of these keys.
      """,
      table(stepKeys), "## Step types", StepKind.all.map(section).joined(separator: "\n\n"),
      "## Events",
      "Events for `given` and `before` in scenarios, and for `simulate` steps: a name, or a mapping with one name as its key.",
      table(SchemaRows.of(definitions["events"] ?? .null), heading: "Event"),
      "## Misbehaviors", "Protocol violations and unusual behavior of the emulator, for `misbehaves`.",
      table(Misbehavior.allCases.map { ($0.rawValue, $0.summary) }, heading: ("Misbehavior", "Description")),
      "## User",
      "The behavior of the simulated user: a username, a mapping, or a list of them for successive interactions.",
      table(SchemaRows.of(definitions["user"] ?? .null)),
      "## Scenarios", table(SchemaRows.of(definitions["scenario"] ?? .null)),
      "## Scenarios file",
      """
      A separate file that contains scenarios. In the workflow, the value of `scenarios` is the path of this file. \
      `authflow schema scenarios` prints its JSON Schema.
      """,
      table(SchemaRows.of(Workflow.scenariosFileSchema)),
      "## Expectations",
      "For `expect` and `capture`: a field of the result, `step.field` for another step, or a JSONPath expression.",
      table(ResultField.allCases.map { ($0.rawValue, $0.summary) }, heading: ("Field", "Description")),
      "## Matchers", "The value of an expectation: the expected value itself, or one of these matchers.",
      table(SchemaRows.of(definitions["matcher"] ?? .null), heading: "Matcher"),
    ].joined(separator: "\n\n") + "\n"
  }

  private static func section(_ kind: StepKind) -> String {
    var parts = ["### \(kind.key)", Markdown.sentence(kind.summary)]
    if let fallback = kind.fallbackKey {
      parts.append(
        "`\(fallback)` is the same step with `when: fallback`. It runs only if an earlier step falls back to it.")
    }
    let keys = SchemaRows.of(kind.schema())
    if !keys.isEmpty { parts.append(table(keys)) }
    let outcomes = kind.outcomes.map { outcome in
      ["`\(outcome.name)`", Markdown.escaped(Glossary.target(outcome)), Markdown.escaped(outcome.summary)]
    }
    parts.append(Markdown.table(["Outcome", "Default target", "Description"], outcomes))
    return parts.joined(separator: "\n\n")
  }

  private static func table(_ rows: [SchemaRows.Row], heading: String = "Key") -> String {
    Markdown.table(
      [heading, "Type", "Description"],
      rows.map { row in
        ["`\(row.key)`", Markdown.escaped(row.type), Markdown.escaped(row.description)]
      })
  }

  private static func table(_ rows: [(String, String)], heading: (String, String)) -> String {
    Markdown.table([heading.0, heading.1], rows.map { ["`\($0.0)`", Markdown.escaped($0.1)] })
  }
}

/// The keys in a schema, as table rows. Keys in nested mappings appear as `parent.key`.
enum SchemaRows {
  struct Row {
    var key: String
    var type: String
    var description: String

    /// The outermost key.
    var root: String { String(key.prefix { $0 != "." }) }
  }

  static func of(_ schema: JSON, under prefix: String = "", depth: Int = 0) -> [Row] {
    properties(of: schema).flatMap { name, value -> [Row] in
      guard var description = value["description"]?.string, AliasNote.key(in: description) == nil else { return [] }
      let key = prefix + name
      if let standard = value["default"] { description += " (default \(standard.string ?? standard.text()))" }
      let row = Row(key: key, type: type(of: value), description: description)
      return [row] + (depth < 3 ? of(value, under: key + ".", depth: depth + 1) : [])
    }
  }

  /// Returns the properties of a mapping. The mapping can be one of several possible types or the element type of a
  /// list.
  private static func properties(of schema: JSON) -> OrderedDictionary<String, JSON> {
    var all = schema["properties"]?.object ?? [:]
    for type in (schema["anyOf"]?.array ?? []) + [schema["items"]].compactMap({ $0 }) {
      for (key, value) in properties(of: type) where all[key] == nil { all[key] = value }
    }
    return all
  }

  /// Returns the type of a value, such as `string, mapping, or list of strings`.
  static func type(of schema: JSON) -> String { joined(names(of: schema), "or") }

  /// Returns the names of the possible types, such as `string` and `list of strings`.
  private static func names(of schema: JSON) -> [String] {
    if let reference = schema["$ref"]?.string {
      return [references[String(reference.split(separator: "/").last ?? "")] ?? "a value"]
    }
    if let value = schema["const"] { return [value.string ?? value.text()] }
    if let values = schema["enum"]?.array {
      return values.count > 8 ? ["one of \(values.count) values"] : values.map { $0.string ?? $0.text() }
    }
    if let types = schema["anyOf"]?.array {
      var unique: OrderedSet<String> = []
      // An expression can replace any value. A key without a value means an empty mapping.
      for type in types where type["pattern"]?.string != #"\$\{"# && type["type"]?.string != "null" {
        for name in names(of: type) { unique.append(name) }
      }
      // Put compound types last, because `list of strings or string` would be ambiguous.
      let all = Array(unique)
      return all.filter { !isCompound($0) } + all.filter(isCompound)
    }
    let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string].compactMap { $0 }
    switch types.first {
    case "string": return [schema["pattern"]?.string?.contains("(ms|s|m|h|d)") == true ? "duration" : string(schema)]
    case "integer": return ["integer"]
    case "number": return ["number"]
    case "boolean": return ["boolean"]
    case "array":
      // Use "and", because a second "or" in a list of alternatives would be ambiguous.
      return ["list of \(schema["items"].map { joined(names(of: $0).map(plural), "and") } ?? "values")"]
    case "object":
      guard let element = schema["additionalProperties"], element.object != nil, schema["properties"] == nil else {
        return ["mapping"]
      }
      let elements = names(of: element).map(plural)
      return [elements.count == 1 ? "mapping of \(elements[0])" : "mapping whose values are \(joined(elements, "or"))"]
    default: return ["any value"]
    }
  }

  /// Whether the name of a type contains the names of other types.
  private static func isCompound(_ name: String) -> Bool { name.contains(" of ") || name.contains(" whose ") }

  /// Joins names, such as `string, mapping, or list of strings`.
  private static func joined(_ names: [String], _ conjunction: String) -> String {
    switch names.count {
    case 0: return ""
    case 1: return names[0]
    case 2: return names[0] + (isCompound(names[0]) ? "," : "") + " \(conjunction) \(names[1])"
    default: return names.dropLast().joined(separator: ", ") + ", \(conjunction) " + names[names.count - 1]
    }
  }

  /// Returns the plural of a type name, such as `lists of strings` for `list of strings`.
  private static func plural(_ name: String) -> String {
    if name == "any value" { return "values" }
    for kind in ["list", "mapping"] where name.hasPrefix("\(kind) ") { return kind + "s" + name.dropFirst(kind.count) }
    return name.last == "s" ? name : name + "s"
  }

  private static func string(_ schema: JSON) -> String {
    schema["format"]?.string == "date-time" ? "date and time" : "string"
  }

  private static let references = [
    "step": "step", "scenario": "scenario", "events": "events", "expectations": "expectations",
    "matcher": "matcher", "user": "user",
  ]
}
