import Diagnostics
import Documents

extension WorkflowCheck {
  /// A sign-in page that is shown though nobody asked the cache: the mistake that the silent-first pattern prevents.
  static let interactiveBeforeSilent = WorkflowCheck(
    "interactive-before-silent", .warning, speaksOfUsed: false, needsEveryStep: true,
    "the cache is asked before the user: silent first, interactive as its fallback"
  ) { checked in
    let steps = checked.workflow.steps
    let firstSilent = steps.firstIndex { $0.isSilent }
    var targets: Set<String> = []
    for case .step(let id) in steps.flatMap({ $0.on.map(\.target) }) { targets.insert(id) }
    let silents = steps.compactMap { step -> (client: Positioned<String>?, scopes: [String]?)? in
      guard case .silent(let silent) = step.action else { return nil }
      return (step.client, silent.token.scopes?.literal)
    }
    return steps.indices.compactMap { position in
      let step = steps[position]
      guard case .interactive(let interactive) = step.action, case .always = step.when, interactive.prompt == nil,
        checked.main.isPerformed(position), firstSilent.map({ $0 > position }) ?? true, !targets.contains(step.id)
      else { return nil }
      // A workflow that asks silently for something else knows the pattern, and shows this page on purpose.
      // All silent steps are later ones here.
      let scopes = interactive.token.scopes?.literal
      let asksTheSame = silents.contains { $0.client == step.client && $0.scopes == scopes }
      guard asksTheSame || firstSilent == nil else { return nil }
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
      "\(step.id) shows the sign-in page on every run, also where the cache holds a token",
      help: "write loadAccount, silent, interactive-fallback: the page is shown only when it is needed", at: step.place)
  }
}
