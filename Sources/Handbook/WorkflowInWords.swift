import DeclaredFields
import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// A workflow told in words: what it needs, what each step does, and where each outcome leads.
package struct WorkflowInWords: Sendable {
  package struct Way: Hashable, Sendable {
    /// What becomes of the step.
    package var outcomes: [String]
    /// Where it leads: `on to silent`, `falls back on interactive-fallback`, `the workflow fails`.
    package var leads: String
    /// Whether it is the way of everything else, which needs no list.
    package var isRest: Bool
  }

  package struct StepInWords: Hashable, Sendable {
    package var id: String
    /// As it is written: `interactive-fallback`.
    package var kind: String
    /// What steps of this kind do.
    package var does: String
    package var description: String?
    /// What is said about this one: `scopes: User.Read`, `only where code is AADB2C90118`.
    package var details: [String]
    package var ways: [Way]
    package var isFinal: Bool
  }

  package var title: String
  package var description: String?
  /// Settings, platform, directory, person, inputs: a sentence each.
  package var circumstances: [String]
  package var steps: [StepInWords]
  package var scenarios: [(name: String, description: String?)]

  package init(_ workflow: Workflow) {
    title = workflow.title
    description = workflow.description
    circumstances = Self.circumstances(of: workflow)
    let diagram = MachineDiagram(workflow)
    let all = workflow.steps + workflow.finally
    steps = zip(diagram.states.indices, all).map { index, step in
      let ways = diagram.transitions.filter { $0.from == index }.map { Self.way($0, in: diagram) }
      return StepInWords(
        id: step.id, kind: step.spelling, does: step.kind.words, description: step.description,
        details: step.inWords, ways: Self.shortened(ways), isFinal: index >= workflow.steps.count)
    }
    scenarios = workflow.scenarios.map { ($0.name, $0.body.description) }
  }

  private static func circumstances(of workflow: Workflow) -> [String] {
    var lines: [String] = []
    if let settings = workflow.settings {
      lines.append("The app's settings \(Self.words(settings)).")
    }
    if !workflow.clients.isEmpty {
      let apps = workflow.clients.map { "\($0.key) (\(Self.words($0.value)))" }.joined(separator: ", ")
      lines.append("Several apps take part: \(apps).")
    }
    switch workflow.platform {
    case .live: lines.append("It runs on the real platform, with real accounts.")
    case .replay(let file): lines.append("It runs against the recording \(file).")
    case .emulated, nil: lines.append("It runs on the embedded platform, unless --platform says otherwise.")
    }
    switch workflow.directory {
    case .file(let file): lines.append("The tenants and users are those of \(file.value).")
    case .inline: lines.append("The tenants and users are written in the workflow itself.")
    case .contoso, nil: break
    }
    let users = workflow.user?.entries.compactMap { $0.username?.literal } ?? []
    if let first = users.first { lines.append("\(first) sits at the keyboard.") }
    for input in workflow.inputs.values {
      let standard =
        input.isRequired ? "must be given" : "default \(input.defaultValue.string ?? input.defaultValue.text())"
      lines.append("Input \(input.name): \(input.type.rawValue), \(standard) (--set \(input.name)=…).")
    }
    return lines
  }

  private static func words(_ source: Workflow.Source) -> String {
    switch source {
    case .file(let file): "stand in \(file.value)"
    case .inline: "stand in the workflow itself"
    }
  }

  private static func way(_ transition: MachineDiagram.Transition, in diagram: MachineDiagram) -> Way {
    let target: String
    switch transition.to {
    case .state(let index): target = diagram.states[index].id
    case .success: target = ""
    case .failure: target = ""
    }
    let leads: String
    switch (transition.to, transition.sort) {
    case (.failure, .said): leads = "the workflow fails, as `on` says"
    case (.failure, _): leads = "the workflow fails"
    case (.success, .said): leads = "the workflow ends with success, as `on` or `expect` says"
    case (.success, _): leads = "the workflow ends with success"
    case (.state, .fallback): leads = "falls back on \(target)"
    case (.state, .detour): leads = "asks \(target) again with the claims, then makes this call once more"
    case (.state, .said): leads = "on to \(target), as `on` or `expect` says"
    case (.state, _): leads = "on to \(target)"
    }
    return Way(
      outcomes: transition.outcomes, leads: leads,
      isRest: transition.sort == .failure && transition.outcomes.count > 1)
  }

  /// Of several lists only the longest is "everything else".
  private static func shortened(_ ways: [Way]) -> [Way] {
    var ways = ways
    guard
      let longest = ways.indices.filter({ ways[$0].isRest }).max(by: {
        ways[$0].outcomes.count < ways[$1].outcomes.count
      })
    else { return ways }
    for index in ways.indices where index != longest { ways[index].isRest = false }
    ways.append(ways.remove(at: longest))
    return ways
  }
}

extension Step {
  /// What is said about this very step, key by key.
  fileprivate var inWords: [String] {
    var lines: [String] = []
    if let parameters = node[spelling] {
      if parameters.kind == .mapping {
        for (key, value) in parameters.entries { lines.append("\(key.string ?? ""): \(value.shown)") }
      } else if parameters.kind != .null {
        lines.append(parameters.shown)
      }
    }
    if case .holds = when, let condition = node["when"] {
      lines.append("only where \(condition.conditions)")
    } else if isFallback, spelling != kind.fallbackKey {
      lines.append("only where an earlier step falls back on it, or `on` leads to it")
    }
    if let client { lines.append("as the app \(client.value)") }
    if let names = user?.entries.compactMap({ $0.username?.literal }), let first = names.first {
      lines.append("\(first) sits at the keyboard")
    }
    if let expected = node["expect"] { lines.append("expects \(expected.conditions)") }
    if !capture.isEmpty { lines.append("remembers \(capture.map(\.name).joined(separator: ", "))") }
    if let retry {
      lines.append(retry.isOff ? "never tries again" : "tries up to \(retry.attempts) times")
    }
    if let atMost { lines.append("runs at most \(atMost) times") }
    if let timeout { lines.append("may take \(DurationText.write(timeout))") }
    return lines
  }
}

extension Node {
  /// A value as it stands in a sentence; what is a secret by its name is left out.
  fileprivate var shown: String {
    switch kind {
    case .array:
      let parts = elements.map { $0.kind == .mapping ? $0.json.text() : $0.shown }
      return parts.joined(separator: " ")
    case .mapping:
      return entries.map { key, value in
        let name = key.string ?? key.scalarText ?? ""
        return "\(name): \(Self.secretNames.contains(name.lowercased()) ? "…" : value.shown)"
      }.joined(separator: ", ")
    default: return string ?? scalarText ?? json.text()
    }
  }

  private static let secretNames: Set<String> = ["authorization", "password", "cookie", "client_secret", "newpassword"]

  /// A mapping of expectations: `status is 200 and $.mail is there`.
  fileprivate var conditions: String {
    guard kind == .mapping else { return shown }
    return entries.map { key, value in
      "\(key.string ?? "") \(value.kind == .mapping ? "(\(value.shown))" : "is \(value.shown)")"
    }.joined(separator: " and ")
  }
}
