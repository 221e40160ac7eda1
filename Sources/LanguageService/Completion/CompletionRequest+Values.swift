import Diagnostics
import Directory
import Documents
import WorkflowModel

extension CompletionRequest {
  /// Returns the values that are possible at the cursor.
  func valueCandidates() -> [Candidate] {
    let candidates = placeValues()
    let texts = Set(candidates.map(\.text))
    return candidates + schemaValues().filter { !texts.contains($0.text) }
  }

  // MARK: Schemas

  private func schemaValues() -> [Candidate] {
    if case .stepList = walk.place { return [] }
    let standard = walk.schema.defaultValue
    return walk.schema.values.map { value in
      let name = value.string ?? ""
      var detail: String? = value == standard ? "default" : nil
      var documentation: String?
      var kind = CompletionItem.Kind.value
      if case .step = walk.place, let step = StepKind.named(name) {
        (kind, documentation) = (.keyword, Markdown.sentence(step.summary))
      } else if case .events = walk.place, let event = EventKind(rawValue: name) {
        (kind, documentation) = (.event, Markdown.sentence(event.summary))
      } else if case .eventValue(let event) = walk.place, event == .misbehaves || event == .stopsMisbehaving,
        let misbehavior = ExpectedValues.misbehavior(name)
      {
        documentation = Markdown.sentence(misbehavior)
      }
      if detail == nil, kind == .value, case .eventValue = walk.place { detail = "misbehavior" }
      var candidate = Candidate.value(
        value, detail: detail, documentation: documentation, rank: value == standard ? 9 : 10)
      candidate.kind = kind
      return candidate
    }
  }

  // MARK: Places

  private func placeValues() -> [Candidate] {
    switch walk.place {
    case .target, .outcomeNames, .pathList, .pathEntry, .scenarioOutcome, .clientName, .stepID, .inputValue, .matcher,
      .captures, .captureAddress, .eventValue:
      workflowValues()
    case .settingsSource, .directorySource, .scenarios, .file, .parameters, .graphPath: fileValues()
    default: identityValues()
    }
  }

  private func workflowValues() -> [Candidate] {
    switch walk.place {
    case .target: return targets()
    case .outcomeNames:
      return outcomes().map { .value($0.name.rawValue, .outcome, documentation: Markdown.sentence($0.summary)) } + [
        .value("internal", .keyword), .value("error", .keyword),
      ]
    case .pathEntry, .pathList: return pathEntries()
    case .scenarioOutcome: return scenarioOutcomes()
    case .clientName: return (facts?.workflow.clients ?? []).map { .value($0) }
    case .inputValue(let name): return inputValues(name)
    case .matcher(let address):
      return ExpectedValues.candidates(for: address, step: matchedStep(address), self)
    case .captureAddress: return addresses(own: step, form: .text)
    case .eventValue(let kind):
      switch kind.subjectKeys?.first {
      case .user: return usernames()
      case .client: return (facts?.workflow.clients ?? []).map { .value($0) }
      default: return kind == .wait || kind == .offline ? Self.durations : []
      }
    default: return []
    }
  }

  static let durations: [Candidate] = ["30s", "5m", "1h", "2h", "1d", "2d", "90d"].map {
    .value($0, detail: "duration")
  }

  /// Returns the targets of `on`.
  private func targets() -> [Candidate] {
    let own = step?.id
    let steps = (facts?.workflow.steps ?? []).filter { !$0.id.isEmpty && $0.id != own }
    return steps.map { .value($0.id, .step, detail: $0.kind?.summary, rank: 10) } + [
      .value("next", .keyword, documentation: "The next step in the list.", rank: 20),
      .value("end", .keyword, documentation: "The workflow succeeds.", rank: 20),
      .value("fail", .keyword, documentation: "The workflow fails.", rank: 20),
    ]
  }

  private func pathEntries() -> [Candidate] {
    guard let facts else { return [] }
    var candidates: [Candidate] = []
    for (id, step) in facts.stepIDs {
      for outcome in facts.outcomes(of: step) {
        let rank = outcome.sort == .success ? 10 : outcome.sort == .internalFailure ? 30 : 20
        candidates.append(.value("\(id).\(outcome.name)", .outcome, detail: outcome.summary, rank: rank))
      }
    }
    return candidates + [.value("...", .keyword, detail: "any number of entries", rank: 40)]
  }

  private func scenarioOutcomes() -> [Candidate] {
    guard let facts else { return [] }
    var candidates: [Candidate] = [
      .value("success", .outcome, detail: "default", rank: 10), .value("failed", .outcome, rank: 11),
      .value("violated", .outcome, detail: "an expectation failed", rank: 12),
    ]
    for step in facts.workflow.everyStep {
      for outcome in facts.outcomes(of: step) where outcome.isFailure {
        candidates.append(
          .value(outcome.name.rawValue, .outcome, detail: outcome.summary, rank: outcome.sort == .failure ? 20 : 30))
      }
    }
    return candidates
  }

  private func inputValues(_ name: String) -> [Candidate] {
    guard let facts else { return [] }
    let workflow = step.flatMap { facts.used(by: $0, in: facts.workflow) } ?? facts.workflow
    guard let declaration = workflow.inputs.first(where: { $0.name == name })?.declaration else { return [] }
    let standard = declaration["default"]?.scalar
    switch declaration["type"]?.scalar {
    case "boolean":
      return [true, false].map { .value(JSON.bool($0), detail: standard == "\($0)" ? "default" : nil) }
    case "duration": return Self.durations
    default: return standard.map { [.value($0, detail: "default")] } ?? []
    }
  }

  /// Returns the step that an address refers to: the step that contains the cursor, or the step at the start of the
  /// address.
  private func matchedStep(_ address: String) -> WorkflowOutline.StepEntry? {
    let first = String(address.prefix { $0 != "." })
    if ResultField(rawValue: first) != nil, let step { return step }
    let id = first.prefix { $0 != "[" }
    return facts?.stepIDs.first { $0.id == id }?.step
  }

  /// Returns the usernames in the directory.
  func usernames() -> [Candidate] {
    let users = snapshot.users(for: outline, path: document.path, facts)
    return users.map { user in
      .value(user.username, .user, detail: user.name, rank: 10)
    }
  }
}
