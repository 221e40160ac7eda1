import Documents
import OrderedCollections
import WorkflowModel

/// A strategy that forces a specific outcome of a step on the emulator.
package struct OutcomeStrategy: Sendable {
  /// Preconditions in addition to the signed-in accounts.
  var given: [JSON] = []
  /// The events immediately before the step.
  var before: [JSON] = []
  /// The user behavior during the step.
  var user: JSON?
  /// The events before the next step. They undo the effects of the strategy, so that the next step is not affected.
  var undo: [JSON] = []
  /// Overrides for the settings of the step's app.
  var settings: JSON?
}

extension OutcomeStrategy {
  /// Returns the strategy for several concurrent calls. All of these calls count toward a fault's limit.
  func repeated(_ count: Int) -> OutcomeStrategy {
    var recipe = self
    recipe.before = before.map { event in
      guard let times = event["fault"]?["times"]?.integer, var fault = event["fault"] else { return event }
      fault["times"] = .integer(times * Int64(count))
      return ["fault": fault]
    }
    return recipe
  }

  /// Returns the strategy with the given events added before its own events.
  func after(_ events: [JSON]) -> OutcomeStrategy {
    var recipe = self
    recipe.before = events + recipe.before
    return recipe
  }

  /// Adds the strategy's settings to a scenario, for the step's app.
  func settle(_ scenario: inout JSON, for step: Step, of workflow: Workflow) {
    guard let settings else { return }
    func merged(over under: JSON?) -> JSON { under.map { .array(($0.array ?? [$0]) + [settings]) } ?? settings }
    guard workflow.clients.count > 1, let name = step.clientName ?? workflow.clients.keys.first else {
      scenario["settings"] = merged(over: scenario["settings"])
      return
    }
    var clients = scenario["clients"] ?? [:]
    clients[name] = merged(over: clients[name])
    scenario["clients"] = clients
  }

  /// Returns a fault at an endpoint.
  static func fault(_ place: String, _ answer: JSON, _ times: Int64 = 1) -> JSON {
    var fault: JSON = ["response": answer, "at": .string(place)]
    if times > 1 { fault["times"] = .integer(times) }
    return ["fault": fault]
  }
}
