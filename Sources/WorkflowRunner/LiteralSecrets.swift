import AppRegistration
import Diagnostics
import Documents
import OrderedCollections
import RunTrace
import WorkflowModel

/// Finds literal passwords and seeds in a workflow, its scenarios, or its inline directory. These secrets must be
/// registered before the first trace event, because that event contains the source of all workflows.
enum LiteralSecrets {
  private static let keys: [String: Secret.Kind] = [
    "password": .password, "newPassword": .password, "totp": .named, "secrets": .clientSecret,
    "TestServerClientSecret": .clientSecret,
  ]
  /// Settings keys are case-insensitive.
  private static let kinds = Dictionary(uniqueKeysWithValues: keys.map { ($0.key.lowercased(), $0.value) })

  /// Registers these secrets so that the trace masks them.
  static func register(in trace: TraceRecorder, of workflow: Workflow, _ setup: RunSetup) {
    for secret in of(workflow) + setup.clients.values.compactMap(\.testServerClientSecret) { trace.keepSecret(secret) }
  }

  private static func of(_ workflow: Workflow) -> [Secret] {
    var found: [Secret] = []
    collect(workflow.document.root, &found)
    if let scenarios = workflow.scenarioDocument { collect(scenarios.root, &found) }
    for case .use(let use) in (workflow.steps + workflow.finally).map(\.action) {
      // The recursion always ends, because authflow does not run workflows that use themselves.
      if let inner = use.workflow { found += of(inner) }
    }
    return found
  }

  private static func collect(_ node: Node, _ found: inout [Secret]) {
    for element in node.elements { collect(element, &found) }
    for (key, value) in node.entries {
      // Register the new password in a `passwordChanged` event.
      if key.string == "passwordChanged", let new = value["to"], new.kind == .string { take(new, .password, &found) }
      guard let kind = key.string.flatMap({ kinds[$0.lowercased()] }) else {
        collect(value, &found)
        continue
      }
      for text in value.kind == .array ? Array(value.elements) : [value] where text.kind == .string {
        take(text, kind, &found)
      }
    }
  }

  /// Registers the value, both unescaped and as written in the source.
  private static func take(_ node: Node, _ kind: Secret.Kind, _ found: inout [Secret]) {
    guard let value = node.string, !value.isEmpty, !value.contains("${") else { return }
    found.append(Secret(value, kind: kind))
    let spelled = node.document.source.text(in: node.innerSpan)
    if spelled != value, !spelled.isEmpty, !node.document.source.isBinary { found.append(Secret(spelled, kind: kind)) }
  }
}
