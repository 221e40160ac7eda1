import Diagnostics
import Documents

extension WorkflowCheck {
  /// A violation of the silent-first pattern: an interactive step that no silent step precedes.
  static let interactiveBeforeSilent = WorkflowCheck(
    "interactive-before-silent", .warning, appliesToUsedWorkflows: false, needsEveryStep: true,
    "sign-in page shown without trying the token cache first"
  ) { checked in
    let steps = checked.workflow.steps
    let firstSilent = steps.firstIndex { $0.isSilent }
    var targets: Set<String> = []
    for case .step(let id) in steps.flatMap({ $0.on.map(\.target) }) { targets.insert(id) }
    let silentRequests = steps.compactMap { step -> (client: Positioned<String>?, scopes: [String]?)? in
      guard case .silent(let silent) = step.action else { return nil }
      return (step.client, silent.token.scopes?.literal)
    }
    return steps.indices.compactMap { position in
      let step = steps[position]
      guard case .interactive(let interactive) = step.action, case .always = step.when, interactive.prompt == nil,
        checked.main.isPerformed(position), firstSilent.map({ $0 > position }) ?? true, !targets.contains(step.id)
      else { return nil }
      // All silent steps come after this step. If they request other scopes, the workflow follows the pattern for those
      // scopes and shows this page on purpose.
      let scopes = interactive.token.scopes?.literal
      let hasSameRequest = silentRequests.contains { $0.client == step.client && $0.scopes == scopes }
      guard hasSameRequest || firstSilent == nil else { return nil }
      return .interactiveBeforeSilent(step)
    }
  }
}

extension Step {
  fileprivate var isSilent: Bool {
    switch action {
    case .silent, .use: true
    case .parallel(let members): members.contains { $0.isSilent }
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func interactiveBeforeSilent(_ step: Step) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.interactiveBeforeSilent.id,
      "`\(step.id)` shows the sign-in page on every run, even if a token is cached",
      help: "use `loadAccount`, `silent`, and `interactive-fallback` to show the page only if necessary", at: step.place
    )
  }
}
