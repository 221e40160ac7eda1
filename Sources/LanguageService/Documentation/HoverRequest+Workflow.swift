import Diagnostics
import Documents
import WorkflowModel

extension HoverRequest {
  /// Returns the description of the step with this ID.
  func step(named id: String) -> String? {
    let name = id.prefix { $0 != "[" }
    return facts?.stepIDs.first { $0.id == name }.map { StepHover.markdown(of: $0.step, facts) }
  }

  /// Returns the description of an outcome of the step at the cursor, or of any step.
  func outcome(_ name: String) -> String? {
    switch name {
    case "internal": return "All internal MSAL errors that `on` does not list."
    case "error": return "All failures that `on` does not list."
    default: break
    }
    guard let name = OutcomeName(rawValue: name),
      let outcome = request.outcomes().first(where: { $0.name == name }) ?? StepKind.outcomesByName[name]
    else { return nil }
    var markdown = "**\(name)** (outcome)\n\n\(Markdown.sentence(outcome.summary))\n\n"
    markdown += "Default target: \(CompletionRequest.target(outcome))."
    if let advice = IdentityHover.advice(forOutcome: name) { markdown += "\n\n" + Markdown.sentence(advice) }
    return markdown
  }

  /// Returns the description of a result field, such as `silent.error.code`, or of a variable.
  func address(_ text: String) -> String? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, !first.isEmpty else { return nil }
    if ResultField(rawValue: first) != nil || first.hasPrefix("$") {
      return field(text, of: request.step, address: request.step.map { "\($0.id).\(text)" })
    }
    let id = String(first.prefix { $0 != "[" })
    if let step = facts?.stepIDs.first(where: { $0.id == id })?.step {
      return parts.count == 2 ? field(parts[1], of: step, address: text) : StepHover.markdown(of: step, facts)
    }
    return variable(first)
  }

  /// - Parameter address: The complete address, for finding the value in the last run.
  func field(_ text: String, of step: WorkflowOutline.StepEntry?, address: String? = nil) -> String? {
    let name = String(text.prefix { $0 != "." && $0 != "[" })
    var description: String
    if name.hasPrefix("$") {
      description = "Value of the result, selected by a JSONPath (RFC 9535)."
    } else if let field = ResultField(rawValue: name) {
      description = Markdown.sentence(field.summary)
      // For all other fields, the summary lists the values.
      if field == .screens || field == .webview {
        description += "\n\nValues: " + field.values.map(Markdown.code).joined(separator: ", ") + "."
      }
    } else {
      return nil
    }
    let owner = step.map { " of step \(Markdown.code($0.id))" } ?? ""
    return "\(Markdown.code(text))\(owner)\n\n\(description)" + (address.map(lastValue) ?? "")
  }

  /// Returns a sentence about the value at an address in the last run, or an empty string if there is none.
  private func lastValue(of address: String) -> String {
    guard let facts,
      let value = results.text(
        of: address, in: request.document, at: context.span.start, scenarios: facts.scenarios.path)
    else { return "" }
    return "\n\nIn the last run: \(Markdown.code(String(value.prefix(200))))."
  }

  /// Returns the description of a capture or an input.
  func variable(_ name: String) -> String? {
    if let capture = facts?.captures.first(where: { $0.name == name }) {
      let address = capture.address.map { $0.scalars.map(Markdown.code).joined(separator: ", ") } ?? ""
      let source = address.isEmpty ? "" : " from \(address)"
      return "\(Markdown.code(name)) (variable)\n\nCaptured by step \(Markdown.code(capture.step))\(source)."
        + lastValue(of: name)
    }
    return facts.flatMap { input(name, of: $0.workflow) }.map { $0 + lastValue(of: name) }
  }

  /// Returns the declaration of an input.
  func input(_ name: String, of workflow: WorkflowOutline) -> String? {
    guard let declaration = workflow.inputs.first(where: { $0.name == name })?.declaration else { return nil }
    var markdown = "\(Markdown.code(name)) (input, \(Markdown.plain(declaration["type"]?.scalar ?? "string")))"
    if let description = declaration["description"]?.scalar { markdown += "\n\n" + Markdown.plain(description) }
    if let standard = declaration["default"]?.scalar { markdown += "\n\nDefault: \(Markdown.code(standard))." }
    if declaration["required"]?.scalar == "true" { markdown += "\n\nRequired." }
    return markdown
  }

  /// Returns the description of a scenario and its latest result.
  func scenario(_ name: String) -> String? {
    guard let facts, let body = facts.scenarios.node?[name] else { return nil }
    var markdown = "**\(Markdown.plain(name))** (scenario)"
    if let description = body["description"]?.scalar { markdown += "\n\n" + Markdown.plain(description) }
    let path = facts.scenarios.path
    let outcomes = results.outcome(of: name, inFile: path).map { [$0] } ?? results.rows(of: name, inFile: path)
    if !outcomes.isEmpty {
      markdown += "\n\n" + outcomes.prefix(10).map { "- " + Markdown.plain($0.summary) }.joined(separator: "\n")
    }
    return markdown
  }

  /// Returns the description of the `${…}` at the cursor, or nil if there is no such placeholder.
  func template() -> Hover? {
    guard context.role != .key, let open = context.prefix.ranges(of: "${").last,
      !context.prefix[open.upperBound...].contains("}")
    else { return nil }
    let before = context.prefix[..<open.lowerBound].utf8.count
    guard let rest = String(text.utf8.dropFirst(before)), let close = rest.firstIndex(of: "}") else { return nil }
    let content = String(rest.dropFirst(2).prefix(upTo: close))
    let start = context.innerSpan.start + before
    let span = SourceSpan(start: start, end: min(start + rest[...close].utf8.count, context.innerSpan.end))
    let parts = content.split(separator: ":", maxSplits: 1).map(String.init)
    let markdown: String? =
      switch (parts.first, parts.count) {
      case ("env", 2): "\(Markdown.code(parts[1])) (environment variable)"
      case ("secret", 2):
        "\(Markdown.code(parts[1])) (secret)\n\nEnvironment variable whose value is masked in all output."
      default: variable(content)
      }
    return markdown.map { Hover(span: span, markdown: $0) }
  }
}

/// The descriptions of steps and step types.
enum StepHover {
  static func markdown(of kind: StepKind, spelling: String) -> String {
    var markdown = "**\(spelling)** (step type)\n\n\(Markdown.sentence(kind.summary))"
    if spelling != kind.key {
      markdown += " Runs only as a fallback."
    }
    for call in GlossaryHover.calls(ofStep: kind.key) { markdown += "\n\n" + Markdown.sentence(call) }
    let keys = kind.parameterKeys()
    if !keys.isEmpty { markdown += "\n\nKeys: " + keys.map(Markdown.code).joined(separator: ", ") + "." }
    return markdown + "\n\n" + outcomes(kind.outcomes, targets: [:])
  }

  /// Returns the description of a step and the targets of its outcomes.
  static func markdown(of step: WorkflowOutline.StepEntry, _ facts: WorkflowFacts?) -> String {
    var markdown = "**\(Markdown.plain(step.id))** (step"
    if let spelling = step.spelling, spelling != step.id { markdown += " of type \(Markdown.code(spelling))" }
    markdown += ")"
    if let kind = step.kind { markdown += "\n\n" + Markdown.sentence(kind.summary) }
    if let description = step.node["description"]?.scalar { markdown += "\n\n" + Markdown.plain(description) }
    var targets: [String: String] = [:]
    for entry in step.node["on"]?.entries ?? [] { targets[entry.key.text] = entry.value?.scalar }
    return markdown + "\n\n" + outcomes(facts?.outcomes(of: step) ?? step.kind?.outcomes ?? [], targets: targets)
  }

  private static func outcomes(_ outcomes: [Outcome], targets: [String: String]) -> String {
    func target(_ outcome: Outcome) -> String {
      let named =
        targets[outcome.name.rawValue] ?? (outcome.sort == .internalFailure ? targets["internal"] : nil)
        ?? (outcome.isFailure ? targets["error"] : nil)
      return named.map(Markdown.code) ?? CompletionRequest.target(outcome)
    }
    let shown = outcomes.filter { $0.sort != .internalFailure || targets[$0.name.rawValue] != nil }
    var lines = shown.map { "- \(Markdown.code($0.name.rawValue)) → \(target($0)): \(Markdown.sentence($0.summary))" }
    let hidden = outcomes.count - shown.count
    if hidden > 0 {
      let target = targets["internal"] ?? targets["error"]
      lines.append("- \(hidden) internal errors → \(target.map(Markdown.code) ?? "fail")")
    }
    return lines.joined(separator: "\n")
  }
}
