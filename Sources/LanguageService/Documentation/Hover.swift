import AppRegistration
import Diagnostics
import Documents
import Directory
import WorkflowModel

/// The description of the text at a cursor.
package struct Hover: Sendable {
  package var span: SourceSpan
  /// The description in Markdown.
  package var markdown: String

  package init(span: SourceSpan, markdown: String) {
    self.span = span
    self.markdown = markdown
  }
}

extension WorkspaceSnapshot {
  /// Returns the description of the key or value at an offset, or nil if there is none.
  /// - Parameter results: The latest scenario results.
  package func hover(
    in document: SnapshotDocument, at offset: Int, results: ScenarioResults = ScenarioResults()
  ) -> Hover? {
    guard let context = CursorContext(document.source, at: offset) else {
      return CommentContext(document.source, at: offset).flatMap { RuleHover.hover(in: $0, document.source) }
    }
    guard !context.text.isEmpty, let format = EditedFormat(document, context.outline) else {
      return nil
    }
    let hover = HoverRequest(
      request: CompletionRequest(
        snapshot: self, document: document, format: format, context: context, results: results))
    if hover.facts != nil, let template = hover.template() { return template }
    return hover.markdown().map { Hover(span: context.span, markdown: $0) }
  }
}

/// The location to describe.
struct HoverRequest: Sendable {
  let request: CompletionRequest

  var context: CursorContext { request.context }
  var text: String { context.text }
  var snapshot: WorkspaceSnapshot { request.snapshot }
  var facts: WorkflowFacts? { request.facts }
  var results: ScenarioResults { request.results }
  var place: CompletionPlace { request.walk.place }

  func markdown() -> String? {
    let isKey = context.role == .key
    return (isKey ? placeKey() : placeValue()) ?? (isKey ? schemaKey() : generalValue())
  }

  // MARK: Keys

  private func placeKey() -> String? {
    switch place {
    case .step: return StepKind.named(text).map { StepHover.markdown(of: $0, spelling: text) }
    case .handlers: return outcome(text)
    case .expectations, .conditions: return address(text)
    case .scenarioExpect: return text.contains(".") ? address(text) : nil
    case .before: return step(named: text)
    case .inputs, .scenarioInputs: return facts.flatMap { input(text, of: $0.workflow) }
    case .useInputs:
      guard let facts, let step = request.step, let used = facts.used(by: step, in: facts.workflow) else { return nil }
      return input(text, of: used)
    case .captures: return variable(text)
    case .scenarios: return scenario(text)
    case .events:
      return EventKind(rawValue: text).map {
        "**\($0.rawValue)** (simulated event)\n\n" + Markdown.sentence($0.summary)
      }
    case .rules: return RuleHover.markdown(of: text)
    case .matcher: return ResultField(rawValue: text).map { field($0.rawValue, of: nil) } ?? nil
    default: return nil
    }
  }

  /// Returns the schema's description of a key.
  private func schemaKey() -> String? {
    guard let property = request.walk.keySchema.property(text, ignoresCase: request.walk.ignoresCase) else {
      return nil
    }
    let view = SchemaView(property.schema)
    let type = CompletionRequest.detail(view).map { " (\(Markdown.plain($0)))" } ?? ""
    guard let documentation = CompletionRequest.documentation(property, view) else { return nil }
    return "**\(Markdown.plain(property.name))**\(type)\n\n\(documentation)"
  }

  // MARK: Values

  private func placeValue() -> String? {
    if context.path.last == .key("id"), case .plain = place, let step = request.step, step.id == text,
      step.path.count + 1 == context.path.count
    {
      return StepHover.markdown(of: step, facts)
    }
    switch place {
    case .step, .stepList: return StepKind.named(text).map { StepHover.markdown(of: $0, spelling: text) }
    case .target: return target()
    case .outcomeNames, .scenarioOutcome: return outcome(text)
    case .pathEntry, .pathList: return pathEntry()
    case .captureAddress: return address(text)
    case .events:
      return EventKind(rawValue: text).map {
        "**\($0.rawValue)** (simulated event)\n\n" + Markdown.sentence($0.summary)
      }
    case .eventValue(let kind):
      if kind == .misbehaves || kind == .stopsMisbehaving, let summary = ExpectedValues.misbehavior(text) {
        return "**\(text)** (emulator misbehavior)\n\n" + Markdown.sentence(summary)
      }
      return kind.subjectKeys?.first == .user ? user() : nil
    case .matcher(let address): return matched(address)
    case .user, .username, .picks: return user()
    case .settingsSource, .scenarios, .file: return file()
    case .directorySource: return text == "contoso" ? Self.contoso : file()
    case .parameters(let kind) where kind.key == "use": return file()
    case .ruleID: return RuleHover.markdown(of: text)
    case .scope: return IdentityHover.scope(text)
    case .authority: return IdentityHover.authority(text)
    case .tenant: return IdentityHover.tenant(text) ?? tenant()
    case .errorCode, .oauthError: return GlossaryHover.markdown(of: text)
    default: return nil
    }
  }

  private static let contoso =
    "**contoso** (built-in directory)\n\nSample tenants with users, groups, mail, and calendars."

  /// Returns the description of a value that is recognized by its format.
  private func generalValue() -> String? {
    IdentityHover.general(text) ?? (text.contains("@") ? user() : nil) ?? app() ?? tenant() ?? enumerated()
  }

  /// Returns the description of the key that an enumeration value belongs to.
  private func enumerated() -> String? {
    guard let standard = request.walk.schema.defaultValue,
      request.walk.schema.values.contains(where: { $0.string == text })
    else { return nil }
    let value = standard.string ?? standard.text()
    return value == text ? "Default value." : "Default: \(Markdown.code(value))."
  }

  private func target() -> String? {
    switch text {
    case "next": "The next step in the list."
    case "end": "The workflow succeeds."
    case "fail": "The workflow fails."
    default: step(named: text)
    }
  }

  private func pathEntry() -> String? {
    if text == "..." { return "Any number of entries." }
    guard let dot = text.lastIndex(of: "."), let facts else { return nil }
    let id = String(text[..<dot])
    let name = String(text[text.index(after: dot)...])
    guard let step = facts.stepIDs.first(where: { $0.id == id })?.step,
      let outcome = facts.outcomes(of: step).first(where: { $0.name.rawValue == name })
    else { return step(named: id) }
    return "\(Markdown.code(name)) of step \(Markdown.code(id))\n\n\(Markdown.sentence(outcome.summary))"
  }

  private func matched(_ address: String) -> String? {
    let name = address.split(separator: ".").last.map(String.init) ?? ""
    switch name {
    case "outcome": return outcome(text)
    case "code", "msal", "oauth", "suberror", "msalCode", "internalCode": return GlossaryHover.markdown(of: text)
    case "scopes": return IdentityHover.scope(text)
    case "username", "preferred_username": return user()
    default: return nil
    }
  }

  // MARK: The directory

  private func user() -> String? {
    let users = snapshot.users(for: context.outline, path: request.document.path, facts)
    return users.first { $0.username.lowercased() == text.lowercased() }.map(DirectoryHover.markdown)
  }

  private func app() -> String? {
    let directory = snapshot.directory(for: context.outline, path: request.document.path, facts)
    return directory.apps.first { $0.appId.lowercased() == text.lowercased() }.map {
      "**\(Markdown.plain($0.name ?? "App"))** (app in the directory)\n\nClient ID \(Markdown.code($0.appId))."
    }
  }

  private func tenant() -> String? {
    let directory = snapshot.directory(for: context.outline, path: request.document.path, facts)
    let tenant = directory.tenants.first {
      $0.id.lowercased() == text.lowercased() || $0.domains.contains(text.lowercased())
    }
    return tenant.map {
      "**\(Markdown.plain($0.name))** (tenant in the directory)\n\n"
        + Markdown.facts([("ID", Markdown.code($0.id)), ("users", "\($0.users.count)")])
    }
  }

  // MARK: Files

  private func file() -> String? {
    guard !text.isEmpty, !text.contains("${") else { return nil }
    let path = FilePath.join(FilePath.folder(of: request.document.path), text)
    guard let document = snapshot.document(at: path) else {
      return "\(Markdown.code(text))\n\nThe file does not exist, or it is outside the project."
    }
    let kind = document.reading.kind
    let description = kind == .unknown ? "unknown file type" : kind.description
    return "\(Markdown.code(document.name))\n\n\(Markdown.sentence(description))"
  }
}
