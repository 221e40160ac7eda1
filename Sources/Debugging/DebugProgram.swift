import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import Scenarios
import Trust
import WorkflowModel
import WorkflowRunner

/// The program of a debug session: a scenario, or a workflow that runs without a scenario.
package struct DebugProgram: Sendable {
  /// The arguments of `launch`.
  package struct Arguments: Sendable {
    package var program: String
    package var scenario: String?
    package var inputs: JSON
    package var stopsOnEntry: Bool
    package var isDebugging: Bool

    fileprivate init(program: String, scenario: String?) {
      self.program = program
      self.scenario = scenario
      inputs = [:]
      stopsOnEntry = false
      isDebugging = true
    }

    package init(_ json: JSON) throws(DebugFailure) {
      guard let program = json["program"]?.string, !program.isEmpty else {
        throw DebugFailure("missing `program`: pass the path of a workflow or scenarios file")
      }
      self.program = program
      if let scenario = json["scenario"], !scenario.isNull {
        guard let name = scenario.string else { throw DebugFailure("`scenario` is not a string") }
        self.scenario = name
      }
      inputs = json["inputs"] ?? [:]
      guard inputs.object != nil else { throw DebugFailure("`inputs` is not an object") }
      stopsOnEntry = json["stopOnEntry"]?.bool ?? false
      isDebugging = json["noDebug"]?.bool != true
    }
  }

  /// Creates a program for a scenario that is already loaded.
  /// - Parameter hasScenario: Whether to evaluate the scenario's expectations.
  package init(_ test: ScenarioCase, hasScenario: Bool) {
    self.init(arguments: Arguments(program: test.workflowFile, scenario: hasScenario ? test.name : nil), test: test)
  }

  private init(arguments: Arguments, test: ScenarioCase) {
    self.arguments = arguments
    self.test = test
  }

  package let arguments: Arguments
  package let test: ScenarioCase
  package var loaded: LoadedWorkflow { test.loaded }

  /// Reads a program's files.
  package static func load(_ arguments: Arguments, definitions: Definitions, in world: World) throws(DebugFailure)
    -> DebugProgram
  {
    let path = arguments.program
    let reader = ProjectReader(inputs: [path], in: world)
    let (loaded, diagnostics) = LoadedWorkflow.read(
      path, definitions: definitions, options: arguments.scenario == nil ? .withoutScenarios : [],
      load: reader.projectDocument)
    var relevant = loaded?.workflow.separate(diagnostics, running: arguments.scenario).relevant ?? diagnostics
    // A scenario can expect that MSAL cannot create an application object.
    if arguments.scenario == nil { relevant += loaded?.situation.failures.map(\.diagnostic) ?? [] }
    guard let loaded, !relevant.hasErrors else { throw DebugFailure(relevant) }
    guard let name = arguments.scenario else {
      let inputs = try inputValues(arguments.inputs, of: loaded.workflow)
      return DebugProgram(arguments: arguments, test: loaded.caseWithoutScenario(inputs: inputs))
    }
    let (test, found) = loaded.scenarioCase(named: name)
    guard !found.hasErrors else { throw DebugFailure(found) }
    guard let test else {
      let suggestion = loaded.workflow.scenarioSuggestion(for: name).map { "; did you mean `\($0)`?" }
      let names = loaded.workflow.scenarios.isEmpty ? "; the workflow has no scenarios" : ""
      throw DebugFailure("no scenario `\(name.prefix(200))` in \(path)\(suggestion ?? names)")
    }
    return DebugProgram(arguments: arguments, test: test)
  }

  private static func inputValues(
    _ inputs: JSON, of workflow: Workflow
  ) throws(DebugFailure) -> OrderedDictionary<String, JSON> {
    var values: OrderedDictionary<String, JSON> = [:]
    for (name, value) in inputs.object ?? [:] {
      guard let input = workflow.inputs[name] else {
        let suggestion = Suggestion.nearest(to: name, among: workflow.inputs.keys).map { "; did you mean `\($0)`?" }
        throw DebugFailure("unknown input `\(name)`\(suggestion ?? "")")
      }
      guard input.accepts(value) else {
        throw DebugFailure("input `\(name)` expects type \(input.type.rawValue), found \(value.typeName)")
      }
      values[name] = value
    }
    for input in workflow.inputs.values where input.isRequired && values[input.name] == nil {
      throw DebugFailure(
        "missing required input `\(input.name)`: set `inputs` in the launch configuration, or run a scenario")
    }
    return values
  }

  package var hasScenario: Bool { arguments.scenario != nil }

  /// The documents of the program by name: the workflow, its scenarios file, and the workflows that its steps use.
  package var documents: OrderedDictionary<String, (workflow: Workflow, document: Document)> {
    var documents: OrderedDictionary<String, (workflow: Workflow, document: Document)> = [:]
    func add(_ workflow: Workflow, _ document: Document) {
      let name = document.source.name
      guard documents[name] == nil else { return }
      documents[name] = (workflow, document)
      for step in workflow.steps + workflow.finally {
        if case .use(let use) = step.action, let inner = use.workflow { add(inner, inner.document) }
      }
    }
    add(loaded.workflow, loaded.workflow.document)
    if let scenarios = loaded.workflow.scenarioDocument { add(loaded.workflow, scenarios) }
    return documents
  }
}

/// An error that explains why a request failed.
package struct DebugFailure: Error {
  package let message: String
  /// The diagnostics of the program's files.
  package var diagnostics: [Diagnostic] = []

  package static let notSuspended = DebugFailure("the run is not suspended")

  package init(_ message: String) { self.message = message }

  /// Creates a failure for a program whose files contain errors.
  package init(_ diagnostics: [Diagnostic]) {
    let errors = diagnostics.inReadingOrder().filter { $0.severity == .error }
    guard let first = errors.first else {
      self.init("workflow cannot be read")
      return
    }
    var message = first.place.source.name
    if first.place.span != nil { message += ":\(first.place.start.line):\(first.place.start.column)" }
    message += ": \(first.message)" + (first.help.map { "; \($0)" } ?? "")
    if errors.count > 1 { message += " (and \((errors.count - 1).counting("more error")))" }
    self.init(message)
    self.diagnostics = errors
  }
}
