import AppRegistration
import Diagnostics
import Documents
import EditorProtocols
import Effects
import Handbook
import IdentityPlatform
import Lessons
import OAuth
import OrderedCollections
import Reports
import Synchronization
import Validation

/// The resources of the MCP server: the handbook, schemas, errors, rules, and the last trace.
final class MCPResources: Sendable {
  struct Resource: Sendable {
    var uri: String
    /// The name, which is the title in Markdown.
    var name: String
    var description: String
    var type = "text/markdown"
    let text: @Sendable () -> String

    /// The resource as an entry in the `resources/list` result.
    var json: JSON {
      [
        "uri": .string(uri), "name": .string(name), "title": .string(name), "description": .string(description),
        "mimeType": .string(type),
      ]
    }
  }

  static let lastTrace = "authflow://trace/last"

  private let trace = Mutex<String?>(nil)

  /// Stores the trace of the last run.
  /// - Returns: Whether this is the first trace, which adds a resource.
  func keep(_ newTrace: String) -> Bool {
    trace.withLock { trace in
      defer { trace = newTrace }
      return trace == nil
    }
  }

  // MARK: Lists

  /// All resources without a template, by URI.
  private static let fixed: OrderedDictionary<String, Resource> = {
    let all =
      HandbookPage.all.map(page) + Chapter.all.map(chapter) + SchemaCommand.Name.allCases.map(schema)
      + [errorList, ruleList]
    return OrderedDictionary(all.map { ($0.uri, $0) }) { first, _ in first }
  }()

  var list: JSON {
    var all = Self.fixed.values.map(\.json)
    if let trace = lastTrace { all.append(trace.json) }
    return ["resources": .array(all)]
  }

  static let templates: JSON = [
    "resourceTemplates": [
      template("authflow://errors/{code}", "Error code", "An error code from Microsoft Entra ID or MSAL"),
      template(
        "authflow://rules/{rule}", "Validation rule", "A validation rule, with an example and its correction"),
      template("authflow://handbook/{page}", "Handbook page", "A page of the authflow handbook"),
      template("authflow://handbook/lessons/{lesson}", "Lesson", "A chapter of `authflow learn`"),
      template(
        "authflow://schema/{format}", "JSON Schema", "The JSON Schema for a file format",
        type: "application/schema+json"),
    ]
  ]

  private static func template(
    _ uri: String, _ name: String, _ description: String, type: String = "text/markdown"
  ) -> JSON {
    [
      "uriTemplate": .string(uri), "name": .string(name), "title": .string(name),
      "description": .string(description), "mimeType": .string(type),
    ]
  }

  /// Returns the values for a template's variable, or nil for an unknown template.
  static func values(of template: String) -> (variable: String, values: [String])? {
    switch template {
    case "authflow://errors/{code}": ("code", errors.map(\.name))
    case "authflow://rules/{rule}": ("rule", RuleSet.all.rules.map(\.id))
    case "authflow://handbook/{page}": ("page", HandbookPage.all.map(\.name))
    case "authflow://handbook/lessons/{lesson}": ("lesson", Chapter.all.map(\.name))
    case "authflow://schema/{format}": ("format", SchemaCommand.Name.allCases.map(\.rawValue))
    default: nil
    }
  }

  // MARK: Reading

  /// Returns the result of `resources/read`.
  func read(_ uri: String) throws(MCPError) -> JSON {
    guard let resource = find(uri) else {
      let shown = CaretFrame.visible(String(uri.prefix(200)))
      throw MCPError(.resourceNotFound, "unknown resource `\(shown)`", data: ["uri": .string(String(uri.prefix(200)))])
    }
    // A trace is shortened by removing entire lines.
    let limit = MCPToolResult.sizeLimit - (4 << 10)
    let text = uri == Self.lastTrace ? TraceExcerpt.text(resource.text(), limit: limit) : resource.text()
    return [
      "contents": [
        [
          "uri": .string(uri), "mimeType": .string(resource.type),
          "text": .string(BoundedJSON.shortened(text, to: limit)),
        ]
      ]
    ]
  }

  private var lastTrace: Resource? {
    trace.withLock { $0 }.map { text in
      Resource(
        uri: Self.lastTrace, name: "Trace of the last run",
        description: "All steps, decisions, and requests in the last call to `run`, as JSON Lines",
        type: "application/jsonl"
      ) { text }
    }
  }

  private func find(_ uri: String) -> Resource? {
    if let resource = Self.fixed[uri] { return resource }
    if uri == Self.lastTrace { return lastTrace }
    func value(after prefix: String) -> String? {
      guard uri.hasPrefix(prefix), uri.utf8.count <= prefix.utf8.count + 200 else { return nil }
      return PercentEncoding.decode(uri.dropFirst(prefix.count))
    }
    if let code = value(after: "authflow://errors/") { return Self.error(code, uri) }
    if let id = value(after: "authflow://rules/"), let rule = RuleSet.all.rule(id) {
      return Resource(uri: uri, name: id, description: rule.summary) { RulePage(rule).markdown }
    }
    return nil
  }

  private static let errorTopics: Set<GlossaryEntry.Topic> = [
    .msalError, .msalInternalError, .signInError, .customerError, .oauthError, .suberror, .libraryError,
    .identityCoreError, .userInfoKey,
  ]

  private static var errors: [GlossaryEntry] { Glossary.whole.entries.filter { errorTopics.contains($0.topic) } }

  private static func error(_ code: String, _ uri: String) -> Resource? {
    guard case .known(let entries) = Glossary.lookUp(code), entries.contains(where: { errorTopics.contains($0.topic) })
    else { return nil }
    return Resource(uri: uri, name: code, description: entries[0].meaning, type: "text/plain") {
      ExplanationText(style: TerminalStyle(color: false, unicode: true, width: 100))
        .explanation(Explanation(lookingUp: [code]))
    }
  }

  // MARK: Resources

  private static func page(_ page: HandbookPage) -> Resource {
    Resource(uri: "authflow://handbook/\(page.name)", name: page.title, description: page.summary) { page.markdown }
  }

  private static func chapter(_ chapter: Chapter) -> Resource {
    Resource(
      uri: "authflow://handbook/lessons/\(chapter.name)", name: "Lesson \(chapter.number): \(chapter.title)",
      description: chapter.summary
    ) { chapter.markdown }
  }

  private static func schema(_ name: SchemaCommand.Name) -> Resource {
    Resource(
      uri: "authflow://schema/\(name.rawValue)", name: "Schema: \(name.rawValue)",
      description: "The JSON Schema for the format `\(name.rawValue)`", type: "application/schema+json"
    ) { name.published.text(pretty: true) }
  }

  private static let errorList = Resource(
    uri: "authflow://errors", name: "List of error codes",
    description: "The names and meanings of all error codes; authflow://errors/CODE explains a code"
  ) {
    errors.map { "- `\($0.name)`\($0.number.map { " (\($0))" } ?? ""): \($0.meaning)\n" }.joined()
  }

  private static let ruleList = Resource(
    uri: "authflow://rules", name: "List of validation rules",
    description: "The rules of `validate`; authflow://rules/RULE explains a rule"
  ) {
    RuleSet.all.rules.map { "- `\($0.id)` (\($0.severityDescription)): \($0.summary)\n" }.joined()
  }
}

/// Shortens a trace in JSON Lines.
private enum TraceExcerpt {
  /// Keeps the start and the end of the trace, with the number of omitted events between them.
  static func text(_ trace: String, limit: Int) -> String {
    guard BoundedJSON.size(of: .string(trace)) > limit else { return trace }
    let lines = trace.split(separator: "\n").map { (text: $0, size: BoundedJSON.size(of: .string(String($0))) + 2) }
    var (start, end, remaining) = (0, lines.count, limit - 100)
    while start < end {
      // Keep as many events from the end as from the start, because the end of a trace explains a failure.
      let index = start <= lines.count - end ? start : end - 1
      remaining -= lines[index].size
      guard remaining > 0 else { break }
      if index == start { start += 1 } else { end -= 1 }
    }
    let note: JSON = ["truncated": true, "omitted": .integer(Int64(end - start))]
    let kept = lines[..<start].map(\.text) + [Substring(note.text())] + lines[end...].map(\.text)
    return kept.joined(separator: "\n") + "\n"
  }
}

extension Chapter {
  /// The chapter as Markdown, without the results of its demonstrations.
  fileprivate var markdown: String {
    var text = "# \(title)\n\n\(summary)\n"
    for part in parts {
      switch part {
      case .text(let paragraphs): text += "\n\(paragraphs)\n"
      case .workflow: text += "\n```yaml\n\(shownWorkflow)\n```\n"
      case .demonstration(let name): text += "\nDemonstration: the scenario `\(name)`\n"
      }
    }
    text += "\n## Exercise\n\n\(exercise.task)\n\n```yaml\n\(exerciseText)\n```\n\n## Hints\n\n"
    text += exercise.hints.enumerated().map { "\($0 + 1). \($1)\n" }.joined()
    return text + "\n## Solution\n\n```yaml\n\(solutionText)\n```\n"
  }
}
