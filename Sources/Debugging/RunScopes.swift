import Documents
import Effects
import OrderedCollections
import WorkflowModel
import WorkflowRunner

extension RunStop {
  /// Returns the scopes of a frame with their values, in the order in which a client shows them.
  package func scopes(of frame: RunInspection.Frame?, emulator: JSON?) -> [(name: String, hint: String?, value: JSON)] {
    let context = run.context(of: frame)
    let workflow = frame?.workflow ?? run.mainWorkflow
    let inputs = context.scope.names.filter { workflow.inputs[$0.key] != nil }
    let captures = context.scope.names.filter { workflow.inputs[$0.key] == nil }
    var scopes: [(name: String, hint: String?, value: JSON)] = [
      ("Captures", "locals", run.mask(.object(captures))),
      ("Step results", nil, run.mask(stepResults)),
      ("Account", nil, run.accounts),
      ("Token claims", nil, run.tokenClaims),
      ("Token cache", nil, run.cacheEntries),
      ("Clock", nil, clock),
      ("Emulator", nil, emulator.map(run.mask) ?? [:]),
    ]
    if !inputs.isEmpty { scopes.insert(("Inputs", "arguments", run.mask(.object(inputs))), at: 1) }
    return scopes
  }

  /// The results of all steps. For a step that ran several times, the value is a list of results.
  private var stepResults: JSON {
    .object(
      run.facts.runs.mapValues { results in
        if results.count == 1, let result = results.first { return result }
        return .array(results)
      })
  }

  private var clock: JSON {
    ["now": .string(run.now.rfc3339(fractionDigits: 3)), "path": .array(run.path.map { .string($0) })]
  }
}
