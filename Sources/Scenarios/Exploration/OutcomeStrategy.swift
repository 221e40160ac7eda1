import Documents
import OrderedCollections
import WorkflowModel

/// One way to make a step end in a certain outcome on the emulated platform.
package struct OutcomeStrategy: Sendable {
  /// What is given before the first step, besides who is signed in.
  var given: [JSON] = []
  /// What happens right before the step.
  var before: [JSON] = []
  /// How the user behaves who sits there during the step.
  var user: JSON?
  /// What happens before the next step, so that it is not hit too.
  var undo: [JSON] = []
  /// What is laid over the settings of the step's app.
  var settings: JSON?
}

extension OutcomeStrategy {
  /// The same for several calls at the same time, which share what a fault strikes.
  func repeated(_ count: Int) -> OutcomeStrategy {
    var recipe = self
    recipe.before = before.map { event in
      guard let times = event["fault"]?["times"]?.integer, var fault = event["fault"] else { return event }
      fault["times"] = .integer(times * Int64(count))
      return ["fault": fault]
    }
    return recipe
  }

  /// The same with something that happens before everything else.
  func after(_ events: [JSON]) -> OutcomeStrategy {
    var recipe = self
    recipe.before = events + recipe.before
    return recipe
  }

  /// Lays what it says of settings over a scenario's, for the app of the step.
  func settle(_ scenario: inout JSON, for step: Step, of workflow: Workflow) {
    guard let settings else { return }
    func laid(over under: JSON?) -> JSON { under.map { .array(($0.array ?? [$0]) + [settings]) } ?? settings }
    guard workflow.clients.count > 1, let name = step.clientName ?? workflow.clients.keys.first else {
      scenario["settings"] = laid(over: scenario["settings"])
      return
    }
    var clients = scenario["clients"] ?? [:]
    clients[name] = laid(over: clients[name])
    scenario["clients"] = clients
  }

  /// Something that goes wrong at one place.
  static func fault(_ place: String, _ answer: JSON, _ times: Int64 = 1) -> JSON {
    var fault: JSON = ["response": answer, "at": .string(place)]
    if times > 1 { fault["times"] = .integer(times) }
    return ["fault": fault]
  }
}
