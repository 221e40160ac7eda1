import DeclaredFields
import Diagnostics

extension WorkflowCheck {
  /// A sign-in page that is shown though nobody asked the cache: the mistake that the silent-first pattern prevents.
  static let interactiveBeforeSilent = WorkflowCheck(
    "interactive-before-silent", .warning, speaksOfUsed: false, needsEveryStep: true,
    "the cache is asked before the person: silent first, interactive as its fallback"
  ) { checked in
    let steps = checked.workflow.steps
    let hasSilent = steps.contains { $0.isSilent }
    return steps.indices.compactMap { position in
      let step = steps[position]
      guard case .interactive(let interactive) = step.action, case .always = step.when, interactive.prompt == nil,
        checked.main.isPerformed(position), !steps[..<position].contains(where: { $0.isSilent }),
        !steps.contains(where: { $0.on.contains { $0.target == .step(step.id) } })
      else { return nil }
      // A workflow that asks silently for something else knows the pattern, and shows this page on purpose.
      let asksTheSame = steps[position...].contains { later in
        guard case .silent(let silent) = later.action else { return false }
        return later.client == step.client && silent.token.scopes?.literal == interactive.token.scopes?.literal
      }
      guard asksTheSame || !hasSilent else { return nil }
      return .interactiveBeforeSilent(step)
    }
  }
}

extension Step {
  fileprivate var isSilent: Bool {
    switch action {
    case .silent, .use: true
    case .together(let members): members.contains { $0.isSilent }
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
