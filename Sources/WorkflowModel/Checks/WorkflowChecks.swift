import Diagnostics
import Documents

/// A static check of workflows.
package struct WorkflowCheck: Sendable {
  /// The stable rule ID.
  package let id: String
  /// The severity of the findings, unless a finding has its own severity.
  package let severity: Diagnostic.Severity
  /// A one-line description of the defect.
  package let summary: String
  /// Whether the check also applies to nested workflows.
  let appliesToUsedWorkflows: Bool
  /// Whether the check runs only if all steps are valid, because it follows the paths through the workflow.
  let needsEveryStep: Bool
  let find: @Sendable (CheckedWorkflow) -> [Diagnostic]

  init(
    _ id: String, _ severity: Diagnostic.Severity, appliesToUsedWorkflows: Bool = true, needsEveryStep: Bool = false,
    _ summary: String, find: @escaping @Sendable (CheckedWorkflow) -> [Diagnostic]
  ) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.appliesToUsedWorkflows = appliesToUsedWorkflows
    self.needsEveryStep = needsEveryStep
    self.find = find
  }
}

/// A workflow and related data that several checks use.
package struct CheckedWorkflow: Sendable {
  let workflow: Workflow
  /// The platform of the run.
  let platform: Workflow.Platform
  /// The directory and other files. Nil if only the workflow itself is known.
  let context: CheckContext?
  /// The graph of the main step list.
  let main: StepGraph
  /// The graph of the steps in `finally`.
  let finally: StepGraph
  /// For each step of the main list, whether it can end the run regardless of its outcome.
  let canAbort: [Bool]
  /// For each step in `finally`, whether it can end the run regardless of its outcome.
  let canAbortInFinally: [Bool]
  /// All scenarios, with each matrix row as a separate scenario.
  let cases: [Scenario]

  /// - Parameters:
  ///   - platform: The platform of the run.
  ///   - context: The directory and other files. Nil if only the workflow itself is known.
  package init(_ workflow: Workflow, platform: Workflow.Platform, context: CheckContext? = nil) {
    self.workflow = workflow
    self.platform = platform
    self.context = context
    main = StepGraph(workflow.steps)
    finally = StepGraph(workflow.finally)
    canAbort = workflow.steps.map(\.canAbort)
    canAbortInFinally = workflow.finally.map(\.canAbort)
    cases = workflow.scenarios.flatMap(\.cases)
  }

  /// All steps, including members of `parallel`.
  var everyStep: [Step] { workflow.everyStep }

  var graphs: [StepGraph] { [main, finally] }
}

extension Workflow {
  /// All steps in order, including members of `parallel`.
  package var everyStep: [Step] { (steps + finally).flatMap(\.withMembers) }

  /// This workflow and all workflows that it uses directly or indirectly, without duplicates.
  package var withUsed: [Workflow] {
    var workflows = [self]
    var names: Set<String> = [document.source.name]
    var waiting = used
    while let workflow = waiting.popLast() {
      guard names.insert(workflow.document.source.name).inserted else { continue }
      workflows.append(workflow)
      waiting += workflow.used
    }
    return workflows
  }
}

extension Step {
  /// The step, followed by its members if it is a `parallel` step.
  package var withMembers: [Step] {
    if case .parallel(let members) = action { [self] + members } else { [self] }
  }
}

/// The static checks of workflows.
package enum WorkflowChecks {
  /// All checks, in execution order.
  package static let all: [WorkflowCheck] = [
    .settingsAndClients, .unknownClient, .unknownTarget, .unknownOutcome, .unknownResultField, .unknownName,
    .unreachableStep,
    .fallbackNeverEntered, .missingFallback, .callBeforeToken, .interactiveBeforeSilent, .endlessLoop, .simulateOnLive,
    .timeoutWithoutEffect, .scenarioName, .scenarioInput, .scenarioUser, .scenarioGiven, .scenarioFile, .scenarioBefore,
    .scenarioPath, .scenarioOutcome, .scenarioResultField,
  ]

  /// Runs all checks on a workflow and the workflows that it uses.
  /// - Parameters:
  ///   - platform: The platform of the run. The default is the platform of the workflow.
  ///   - context: The directory and other files, for checks that require more than the workflow itself.
  package static func run(
    _ workflow: Workflow, platform: Workflow.Platform? = nil, context: CheckContext? = nil
  ) -> [Diagnostic] {
    let platform = platform ?? workflow.platform ?? .emulated
    var diagnostics = run(CheckedWorkflow(workflow, platform: platform, context: context), isUsed: false)
    for used in workflow.withUsed.dropFirst() {
      // The scenarios of a nested workflow use its own directory, which is not loaded.
      diagnostics += run(CheckedWorkflow(used, platform: platform), isUsed: true)
    }
    return diagnostics
  }

  private static func run(_ checked: CheckedWorkflow, isUsed: Bool) -> [Diagnostic] {
    // If a step is invalid or a target is unknown, findings about the paths through the workflow would be unreliable.
    let isComplete = checked.workflow.unreadableSteps.isEmpty && WorkflowCheck.unknownTarget.find(checked).isEmpty
    let applicable = all.filter { (!isUsed || $0.appliesToUsedWorkflows) && (!$0.needsEveryStep || isComplete) }
    return applicable.flatMap { $0.find(checked) }.inReadingOrder()
  }
}

extension Workflow {
  /// The workflows that the steps use directly.
  var used: [Workflow] {
    (steps + finally).compactMap { step in
      if case .use(let use) = step.action { use.workflow } else { nil }
    }
  }
}
