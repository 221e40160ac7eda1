import Diagnostics
import Documents
import OrderedCollections

/// A workflow as it was written.
package struct Workflow: Sendable {
  /// Where something stands that may also be written in place.
  package enum Source: Sendable {
    /// A file, relative to the workflow.
    case file(Positioned<String>)
    /// Written right here.
    case inline(Node)
  }

  package enum Platform: Sendable, Hashable {
    case emulated, live
    /// A recording, relative to the workflow.
    case replay(String)
  }

  package enum DirectorySource: Sendable {
    /// The built-in Contoso.
    case contoso
    case file(Positioned<String>)
    case inline(Node)
  }

  package var name: String?
  package var description: String?
  package var tags: [String] = []
  package var settings: Source?
  /// Several apps, by name; the first is the default.
  package var clients: OrderedDictionary<String, Source> = [:]
  package var directory: DirectorySource?
  package var platform: Platform?
  package var user: UserBehaviors?
  package var inputs: OrderedDictionary<String, InputDeclaration> = [:]
  package var steps: [Step] = []
  /// Steps that run however the workflow ended.
  package var finally: [Step] = []
  /// How many steps a workflow may have.
  package static let mostSteps = 2_000
  package var scenarios: [Scenario] = []
  /// The scenarios file that they are read from; nil if they are in the workflow itself.
  package internal(set) var scenarioFile: String?
  /// The document of the scenarios file; nil if there is none, or it cannot be read.
  package internal(set) var scenarioDocument: Document?
  package var maxSteps: Int = 100
  /// The names of steps that could not be read, which was told.
  package var lostSteps: Set<String> = []
  /// What others ask of its inside.
  package internal(set) var summary = WorkflowSummary()
  package var document: Document
  /// Where the list of steps stands.
  package var stepsPlace: FileSpan

  init(_ document: Document) {
    self.document = document
    stepsPlace = document.root.place
  }

  /// The ids of all steps, members of `parallel` and `finally` included.
  package var stepIDs: Set<String> {
    var ids = lostSteps
    for step in steps + finally {
      ids.insert(step.id)
      if case .parallel(let members) = step.action { ids.formUnion(members.map(\.id)) }
    }
    return ids
  }

  /// Its name; where it has none, its file's own, wherever that lies.
  package var title: String { name ?? FilePath.name(of: document.source.name) }

  /// The settings of each app by its name; a single app is called `app`.
  package var settingsSources: OrderedDictionary<String, Source> {
    if !clients.isEmpty { return clients }
    return settings.map { ["app": $0] } ?? [:]
  }

  /// The same with what a scenario lays over them, the nearest last.
  package func settingsSources(of scenario: Scenario) -> OrderedDictionary<String, [Source]> {
    var sources = settingsSources.mapValues { [$0] }
    for (number, name) in sources.keys.enumerated() {
      sources[name]?.append(
        contentsOf: (number == 0 ? scenario.body.settings : []) + (scenario.body.clients[name] ?? []))
    }
    return sources
  }

  /// The values of the inputs: what is set, else the default, else null.
  package func inputValues(_ set: OrderedDictionary<String, JSON> = [:]) -> OrderedDictionary<String, JSON> {
    var values: OrderedDictionary<String, JSON> = [:]
    for input in inputs.values { values[input.name] = set[input.name] ?? input.defaultValue }
    return values
  }

  /// The values that `--set name=value` gives, checked against the declarations.
  /// - Returns: the values, and a sentence for each that does not fit.
  package func inputs(
    parsing assignments: [String]
  ) -> (values: OrderedDictionary<String, JSON>, problems: [String]) {
    var values: OrderedDictionary<String, JSON> = [:]
    var problems: [String] = []
    for assignment in assignments {
      guard let equals = assignment.firstIndex(of: "=") else {
        problems.append("--set \(assignment): write name=value")
        continue
      }
      let name = String(assignment[..<equals])
      let text = String(assignment[assignment.index(after: equals)...])
      guard let input = inputs[name] else {
        let meant = Suggestion.nearest(to: name, among: inputs.keys).map { "; did you mean \"\($0)\"?" } ?? ""
        problems.append("--set \(name): the workflow has no such input\(meant)")
        continue
      }
      guard let value = input.value(parsing: text) else {
        problems.append("--set \(name): \"\(text)\" is not of the type \(input.type.rawValue)")
        continue
      }
      values[name] = value
    }
    for input in inputs.values where input.isRequired && values[input.name] == nil {
      problems.append("the input \"\(input.name)\" is required: --set \(input.name)=…")
    }
    return (values, problems)
  }
}

/// What can be said of a workflow as a whole, computed once: workflows use workflows that use workflows.
package struct WorkflowSummary: Sendable {
  /// How its steps can fail: so a `use` of it can end.
  package var failures: [Outcome] = []
  /// The names that its steps capture.
  package var capturedNames: Set<String> = []
  /// Whether some step acquires a token.
  package var acquiresToken = false

  init() {}

  init(_ steps: [Step]) {
    var seen: Set<String> = []
    for step in steps {
      for outcome in step.outcomes where outcome.sort == .failure || outcome.sort == .internalFailure {
        if seen.insert(outcome.name).inserted { failures.append(outcome) }
      }
      capturedNames.formUnion(step.capturedNames)
      acquiresToken = acquiresToken || step.acquiresToken
    }
  }
}

extension Step {
  /// The names that it binds, those of a workflow that it uses included.
  var capturedNames: Set<String> {
    var names = Set(capture.map(\.name))
    switch action {
    case .parallel(let members): for member in members { names.formUnion(member.capturedNames) }
    case .use(let use): names.formUnion(use.workflow?.summary.capturedNames ?? [])
    default: break
    }
    return names
  }

  /// Whether it leaves a token behind when it succeeds.
  var acquiresToken: Bool {
    switch action {
    case .silent, .interactive, .deviceCode: true
    case .parallel(let members): members.contains { $0.acquiresToken }
    case .use(let use): use.workflow?.summary.acquiresToken ?? false
    default: false
    }
  }
}
