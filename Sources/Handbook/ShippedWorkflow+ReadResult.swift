import Directory
import Documents
import IdentityEmulator
import IdentityPlatform
import OrderedCollections
import WorkflowModel

extension ShippedWorkflow {
  /// Collects the expected paths and error codes from a workflow's scenarios.
  package init(_ workflow: Workflow, file: String) {
    self.file = file
    title = workflow.title
    scenarios = [:]
    let kinds = Self.kinds(workflow.steps + workflow.finally)
    for scenario in workflow.scenarios {
      var shows: OrderedSet<String> = []
      for row in scenario.cases { Self.collect(row.body, workflow, kinds, &shows) }
      scenarios[scenario.name] = ScenarioSummary(size: shows.count, shows: shows.sorted())
    }
  }

  private static func kinds(_ steps: [Step]) -> [String: Step] {
    var kinds: [String: Step] = [:]
    for step in steps {
      kinds[step.id] = step
      if case .parallel(let members) = step.action { kinds.merge(Self.kinds(members)) { first, _ in first } }
    }
    return kinds
  }

  private static func collect(
    _ body: ScenarioBody, _ workflow: Workflow, _ steps: [String: Step], _ shows: inout OrderedSet<String>
  ) {
    for event in body.given ?? [] { collect(event, &shows) }
    guard let expect = body.expect else { return }
    for element in expect.path?.elements ?? [] {
      guard case .entry(let id, let outcome) = element.value else { continue }
      let bare = id.split(separator: "#").first.map(String.init) ?? id
      guard let step = steps[id] ?? steps[bare] else { continue }
      shows.append("\(step.kind.key).\(outcome)")
      guard outcome != .outcome(.skipped) else { continue }
      if case .simulate(let events) = step.action { for event in events { collect(event, &shows) } }
      if case .holds(let conditions) = step.when { collect(conditions, &shows) }
      collect(step.expect, &shows)
    }
    if let outcome = expect.outcome?.value, outcome != .success, outcome != .failed {
      // If the scenario does not expect a path, the step with this outcome is unknown.
      if !shows.contains(where: { $0.hasSuffix(".\(outcome)") }) { shows.append(outcome.text) }
    }
    collect(expect.facts, &shows)
  }

  /// Collects the errors in expectations.
  private static func collect(_ expectations: [Expectation], _ shows: inout OrderedSet<String>) {
    for expectation in expectations {
      for value in (expectation.matcher.constants ?? []).compactMap(\.string) {
        let isError = expectation.address.field == "error"
        // An expectation for a captured code contains the name of the capture instead of `error`.
        guard isError || SignInCode(value) != nil else { continue }
        if isError, !["code", "oauth", "suberror", "msal"].contains(expectation.address.member ?? "") { continue }
        add(value, &shows)
      }
    }
  }

  private static func collect(_ event: WorkflowModel.ScriptedEvent, _ shows: inout OrderedSet<String>) {
    shows.append(event.kind.rawValue)
    switch event.kind {
    case .misbehaves: if let word = event.details?.string { shows.append(word) }
    case .fault:
      let answer = event.details?["response"]
      for key in ["error", "suberror"] {
        if let word = answer?[key]?.string { shows.append(word) }
      }
      if let code = answer?["code"] { add(code.string ?? code.text(), &shows) }
    default: break
    }
  }

  /// Adds an error code, with the error and suberror that the emulator returns for the code.
  private static func add(_ word: String, _ shows: inout OrderedSet<String>) {
    guard let code = SignInCode(word) ?? Int(word).map({ SignInCode(number: $0) }) else {
      shows.append(word)
      return
    }
    shows.append(code.code)
    guard !code.isCustomer, let row = ErrorTable.emulatedRow(code.number) else { return }
    shows.append(row.error)
    if let suberror = row.suberror { shows.append(suberror) }
  }
}
