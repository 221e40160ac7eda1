import Diagnostics
import Documents
import OrderedCollections

/// A workflow.
package struct Workflow: Sendable {
  /// The source of a value that is in a separate file or inline.
  package enum Source: Sendable {
    /// A file, relative to the workflow.
    case file(Positioned<String>)
    /// A value in the workflow itself.
    case inline(Node)
  }

  package enum Platform: Sendable, Hashable {
    case emulated, live
    /// A recording, relative to the workflow.
    case replay(String)
  }

  package enum DirectorySource: Sendable {
    /// The built-in Contoso directory.
    case contoso
    case file(Positioned<String>)
    case inline(Node)
  }

  package var name: String?
  package var description: String?
  package var tags: [String] = []
  package var settings: Source?
  /// The settings of several apps by name. The first app is the default.
  package var clients: OrderedDictionary<String, Source> = [:]
  package var directory: DirectorySource?
  package var platform: Platform?
  package var user: UserBehaviors?
  package var inputs: OrderedDictionary<String, InputDeclaration> = [:]
  package var steps: [Step] = []
  /// Steps that run at the end, regardless of the result.
  package var finally: [Step] = []
  /// The maximum length of the step list.
  package static let stepLimit = 2_000
  package var scenarios: [Scenario] = []
  /// The file that contains the scenarios. Nil if the scenarios are in the workflow itself.
  package internal(set) var scenarioFile: String?
  /// The document of the scenarios file. Nil if there is no such file or it cannot be read.
  package internal(set) var scenarioDocument: Document?
  package var maxSteps: Int = 100
  /// The invalid steps, which diagnostics report.
  package var unreadableSteps = UnreadableSteps()
  /// Properties of this workflow for the workflows that use it.
  package internal(set) var summary = WorkflowSummary()
  package var document: Document
  /// The location of the step list.
  package var stepsPlace: FileSpan

  init(_ document: Document) {
    self.document = document
    stepsPlace = document.root.place
  }

  /// The IDs of all steps, including members of `parallel` and steps in `finally`.
  package var stepIDs: Set<String> {
    var ids = unreadableSteps.ids
    for step in steps + finally {
      ids.insert(step.id)
      if case .parallel(let members) = step.action { ids.formUnion(members.map(\.id)) }
    }
    return ids
  }

  /// The name of the workflow, or the name of its file if the workflow has no name.
  package var title: String { name ?? FilePath.name(of: document.source.name) }

  /// Each client's settings, by client name. A single client is named `app`.
  package var settingsSources: OrderedDictionary<String, Source> {
    if !clients.isEmpty { return clients }
    return settings.map { ["app": $0] } ?? [:]
  }

  /// Returns the settings of each client followed by the overrides of a scenario, in merge order.
  package func settingsSources(of scenario: Scenario) -> OrderedDictionary<String, [Source]> {
    var sources = settingsSources.mapValues { [$0] }
    for (number, name) in sources.keys.enumerated() {
      sources[name]?.append(
        contentsOf: (number == 0 ? scenario.body.settings : []) + (scenario.body.clients[name] ?? []))
    }
    return sources
  }

  /// Returns the values of all inputs. An input that is not in `assigned` has its default value, or null.
  package func inputValues(_ assigned: OrderedDictionary<String, JSON> = [:]) -> OrderedDictionary<String, JSON> {
    var values: OrderedDictionary<String, JSON> = [:]
    for input in inputs.values { values[input.name] = assigned[input.name] ?? input.defaultValue }
    return values
  }

  /// Parses the values of `--set name=value` options and checks them against the declared types.
  /// - Returns: The values, and a message for each invalid option.
  package func inputs(
    parsing assignments: [String]
  ) -> (values: OrderedDictionary<String, JSON>, problems: [String]) {
    var values: OrderedDictionary<String, JSON> = [:]
    var problems: [String] = []
    for assignment in assignments {
      guard let equals = assignment.firstIndex(of: "=") else {
        problems.append("invalid `--set \(assignment)`: use `--set NAME=VALUE`")
        continue
      }
      let name = String(assignment[..<equals])
      let text = String(assignment[assignment.index(after: equals)...])
      guard let input = inputs[name] else {
        let suggestion = Suggestion.nearest(to: name, among: inputs.keys).map { "; did you mean `\($0)`?" } ?? ""
        problems.append("unknown input `\(name)` in `--set`\(suggestion)")
        continue
      }
      guard let value = input.value(parsing: text) else {
        problems.append("invalid value for input `\(name)`: `\(text)` is not of type \(input.type.rawValue)")
        continue
      }
      values[name] = value
    }
    for input in inputs.values where input.isRequired && values[input.name] == nil {
      problems.append("missing required input `\(input.name)`: use `--set \(input.name)=VALUE`")
    }
    return (values, problems)
  }
}

/// Properties of an entire workflow. They are computed once for each workflow, because several levels of nested
/// workflows use them.
package struct WorkflowSummary: Sendable {
  /// The failures of the workflow's steps, which are also outcomes of `use` steps that run the workflow.
  package var failures: [Outcome] = []
  /// The variables that the workflow's steps capture.
  package var capturedNames: Set<String> = []
  /// Whether any of the workflow's steps acquires a token.
  package var acquiresToken = false

  init() {}

  init(_ steps: [Step]) {
    var failureNames: Set<OutcomeName> = []
    for step in steps {
      for outcome in step.outcomes where outcome.isFailure {
        if failureNames.insert(outcome.name).inserted { failures.append(outcome) }
      }
      capturedNames.formUnion(step.capturedNames)
      acquiresToken = acquiresToken || step.acquiresToken
    }
  }
}

extension Step {
  /// The variables that the step captures, including captures of a nested workflow.
  var capturedNames: Set<String> {
    var names = Set(capture.map(\.name))
    switch action {
    case .parallel(let members): for member in members { names.formUnion(member.capturedNames) }
    case .use(let use): names.formUnion(use.workflow?.summary.capturedNames ?? [])
    default: break
    }
    return names
  }

  /// Whether a token is available after the step succeeds.
  var acquiresToken: Bool {
    switch action {
    case .silent, .interactive, .deviceCode: true
    case .parallel(let members): members.contains { $0.acquiresToken }
    case .use(let use): use.workflow?.summary.acquiresToken ?? false
    default: false
    }
  }
}
