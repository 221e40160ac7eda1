import Diagnostics
import Documents
import WorkflowModel

/// The rules in a SARIF run. They include all validation rules and the rules for reading and decoding files.
struct SARIFRules {
  private(set) var json: [JSON] = []
  private var positions: [String: Int] = [:]

  init(findings: [Diagnostic]) {
    for (group, rules) in RuleSet.groups {
      for rule in rules {
        add(
          rule.id, name: "\(type(of: rule))", summary: rule.summary,
          help: rule.explanation.split(whereSeparator: \.isNewline).joined(separator: " "), rule.severity, tags: [group]
        )
      }
    }
    let checks = Set(WorkflowChecks.all.map(\.id))
    for finding in findings where positions[finding.rule] == nil {
      let rule = ReadingRule.named(finding.rule)
      let summary =
        rule?.summary ?? RuleNames.suppressionSummaries[finding.rule] ?? Self.defaultSummary(finding.rule)
      let isReading = RuleNames.reading.contains(finding.rule)
      add(
        finding.rule, name: Self.name(finding.rule), summary: summary, help: finding.help ?? summary,
        rule?.severity ?? finding.severity,
        tags: [checks.contains(finding.rule) ? "workflow" : isReading ? "syntax" : "structure"])
    }
  }

  func position(of id: String) -> Int? { positions[id] }

  private mutating func add(
    _ id: String, name: String, summary: String, help: String, _ severity: Diagnostic.Severity, tags: [String]
  ) {
    guard positions[id] == nil else { return }
    positions[id] = json.count
    let sentence = summary.prefix(1).uppercased() + summary.dropFirst() + "."
    var properties: JSON = [
      "tags": .array((tags + ["msal"]).map { .string($0) }), "precision": .string(Self.precision(severity)),
      "problem.severity": .string(severity == .note ? "recommendation" : severity.rawValue),
    ]
    if tags.contains("secrets") || Self.aboutSecrets.contains(id) {
      properties["tags"] = ["security", "secrets", "msal"]
      properties["security-severity"] = severity == .error ? "8.0" : "6.0"
    }
    json.append([
      "id": .string(id), "name": .string(name), "shortDescription": ["text": .string(sentence)],
      "fullDescription": ["text": .string(help)],
      "help": ["text": .string(help), "markdown": .string("**\(Self.markdown(sentence))**\n\n\(Self.markdown(help))")],
      "defaultConfiguration": ["level": .string(severity.rawValue)], "properties": properties,
    ])
  }

  /// Rules in other groups that also report exposed secrets.
  private static let aboutSecrets: Set<String> = [MSALJSSecret().id]

  /// Returns the SARIF precision for findings with a given severity.
  private static func precision(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "very-high"
    case .warning: "high"
    case .note: "medium"
    }
  }

  /// Converts a rule ID to a SARIF rule name: `json-syntax` becomes `JsonSyntax`.
  private static func name(_ id: String) -> String {
    id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func defaultSummary(_ id: String) -> String { id.split(separator: "-").joined(separator: " ") }

  /// Escapes `<` so that viewers do not interpret the text as a tag.
  private static func markdown(_ text: String) -> String {
    text.replacing("<", with: "&lt;")
  }
}

extension RuleSet {
  /// The rules by topic. SARIF contains the topic as a tag.
  static let groups: [(name: String, rules: [any Rule])] = [
    ("settings", settings), ("scopes", scopes), ("workflow", workflow), ("apple", apple), ("android", android),
    ("web", web), ("manifest", manifest), ("together", crossFile), ("migration", migration), ("secrets", secrets),
  ]
}
