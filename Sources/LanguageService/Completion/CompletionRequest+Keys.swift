import AppRegistration
import Directory
import Documents
import Validation
import WorkflowModel

extension CompletionRequest {
  /// Returns the keys that are possible in a mapping.
  /// - Parameter siblings: The keys that the mapping already contains.
  func keyCandidates(siblings: [String]) -> [Candidate] {
    let present = Set(walk.ignoresCase ? siblings.map { $0.lowercased() } : siblings)
    return (placeKeys(siblings: siblings) + schemaKeys(siblings: siblings)).filter {
      !present.contains(walk.ignoresCase ? $0.text.lowercased() : $0.text)
    }
  }

  // MARK: Schemas

  private func schemaKeys(siblings: [String]) -> [Candidate] {
    switch walk.place {
    // The keys at these locations depend on the workflow.
    case .handlers, .rules, .before, .clients, .scenarioInputs, .useInputs: return []
    case .expectations, .conditions: return []
    default: break
    }
    var properties = walk.keySchema.properties.filter { !$0.isAlias }
    if case .step = walk.place {
      let hasType = siblings.contains { StepKind.named($0) != nil }
      properties = properties.filter { !hasType || StepKind.named($0.name) == nil }
    }
    if case .events = walk.place, !siblings.isEmpty { return [] }
    let aliases = isSettingsPlace ? presentSettings(siblings) : []
    return properties.filter { !aliases.contains($0.name) }.map { property in
      let isType = isStepPlace && StepKind.named(property.name) != nil
      let view = SchemaView(property.schema)
      return .key(
        property.name, isType ? .keyword : .key, types: Self.types(property, view), detail: Self.detail(view),
        documentation: Self.documentation(property, view), rank: property.isRequired || isType ? 10 : 20)
    }
  }

  private var isStepPlace: Bool {
    if case .step = walk.place { true } else { false }
  }

  private var isSettingsPlace: Bool {
    switch walk.place {
    case .settings, .settingsSource: true
    default: false
    }
  }

  /// Returns the settings that are already present, in any spelling.
  private func presentSettings(_ siblings: [String]) -> Set<String> {
    Set(siblings.compactMap { AppSettings.fields.field(named: $0)?.key })
  }

  private static func types(_ property: SchemaView.Property, _ view: SchemaView) -> [String] {
    if property.schema["$ref"] == "#/$defs/scenario" { return ["object"] }
    return view.types.filter { $0 != "null" }
  }

  /// Returns the type of a value and its default.
  static func detail(_ view: SchemaView) -> String? {
    let types = view.types.filter { $0 != "null" }.map(typeName)
    var parts = types.isEmpty ? [] : [types.joined(separator: " or ")]
    if let value = view.defaultValue { parts.append("default \(value.string ?? value.text())") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func typeName(_ type: String) -> String {
    switch type {
    case "object": "mapping"
    case "array": "list"
    default: type
    }
  }

  static func documentation(_ property: SchemaView.Property, _ view: SchemaView) -> String? {
    var text = property.description.map(Markdown.sentence) ?? ""
    let values = view.values.filter { $0.bool == nil }
    if !values.isEmpty, values.count <= 12 {
      text += "\n\nValues: " + values.map { "`\($0.string ?? $0.text())`" }.joined(separator: ", ") + "."
    }
    if let value = view.defaultValue { text += "\n\nDefault: `\(value.string ?? value.text())`." }
    if property.isRequired { text += "\n\nRequired." }
    return text.isEmpty ? nil : text
  }

  // MARK: Places

  private func placeKeys(siblings: [String]) -> [Candidate] {
    switch walk.place {
    case .handlers: return outcomeKeys()
    case .expectations: return addresses(own: step, form: .key(types: ["string"]))
    case .conditions: return addresses(own: nil, form: .key(types: ["string"]))
    case .scenarioExpect: return addresses(own: nil, form: .key(types: ["string"]), rank: 40)
    case .matcher(let address): return members(of: address)
    case .before:
      return (facts?.stepIDs ?? []).map { id, step in
        .key(id, .step, types: ["array"], detail: step.kind?.summary)
      }
    case .useInputs:
      guard let facts, let step, let used = facts.used(by: step, in: facts.workflow) else { return [] }
      return inputKeys(of: used)
    case .scenarioInputs: return facts.map { inputKeys(of: $0.workflow) } ?? []
    case .matrix:
      let user: Candidate = .key("user", types: ["array"], detail: "list of user behaviors", rank: 30)
      return (facts.map { inputKeys(of: $0.workflow) } ?? []) + [user]
    case .clients:
      guard context.path.count > 1 else { return [] }
      return (facts?.workflow.clients ?? []).map { .key($0, .value) }
    case .rules: return RuleCompletion.candidates(isKey: true)
    case .appsettings:
      guard context.path.isEmpty else { return [] }
      return [.key("AzureAd", types: ["object"], detail: "Microsoft.Identity.Web section", rank: 10)]
    default: return []
    }
  }

  private func inputKeys(of workflow: WorkflowOutline) -> [Candidate] {
    workflow.inputs.map { name, declaration in
      let type = declaration?["type"]?.scalar ?? "string"
      let isRequired = declaration?["required"]?.scalar == "true"
      return .key(
        name, .variable, types: [type == "array" ? "array" : "string"],
        detail: isRequired ? "\(type), required" : type,
        documentation: declaration?["description"]?.scalar.map(Markdown.plain), rank: isRequired ? 10 : 20)
    }
  }

  /// Returns the possible outcomes of the step, as keys of `on`.
  private func outcomeKeys() -> [Candidate] {
    outcomes().map { outcome in
      .key(
        outcome.name.rawValue, .outcome, detail: "default: \(Self.target(outcome))",
        documentation: Markdown.sentence(outcome.summary), rank: outcome.standard == .next ? 30 : 10)
    } + [
      .key("internal", .keyword, documentation: "All internal MSAL errors that `on` does not list.", rank: 35),
      .key("error", .keyword, documentation: "All failures that `on` does not list.", rank: 35),
    ]
  }

  /// Returns the outcomes of the step at the cursor.
  func outcomes() -> [Outcome] {
    guard let facts, let step else { return [] }
    return facts.outcomes(of: step)
  }

  static func target(_ outcome: Outcome) -> String {
    switch outcome.standard {
    case .next: "next step"
    case .fallback: "fallback"
    case .detour: "a silent request with the claims, then this step again"
    case .fail: "fail"
    }
  }

  /// Returns the members of a result field, as keys of its expectation.
  private func members(of address: String) -> [Candidate] {
    guard let name = address.split(separator: ".").last, let field = ResultField(rawValue: String(name)) else {
      return []
    }
    return ExpectedValues.members(of: field).map { .key($0, .field, rank: 10) }
  }
}
