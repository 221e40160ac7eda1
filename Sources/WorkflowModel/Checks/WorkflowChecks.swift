import Diagnostics
import Documents

/// One thing that can be told of a workflow without running it.
package struct WorkflowCheck: Sendable {
  /// The stable name of the rule.
  package let id: String
  /// The severity that most of its findings have.
  package let severity: Diagnostic.Severity
  /// One line: what is looked for, and why it matters.
  package let words: String
  /// Whether it also speaks about a workflow that another one uses.
  let speaksOfUsed: Bool
  /// Whether it needs all steps: with one that could not be read, the ways through the workflow are not known.
  let needsEveryStep: Bool
  let find: @Sendable (CheckedWorkflow) -> [Diagnostic]

  init(
    _ id: String, _ severity: Diagnostic.Severity, speaksOfUsed: Bool = true, needsEveryStep: Bool = false,
    _ words: String, find: @escaping @Sendable (CheckedWorkflow) -> [Diagnostic]
  ) {
    self.id = id
    self.severity = severity
    self.words = words
    self.speaksOfUsed = speaksOfUsed
    self.needsEveryStep = needsEveryStep
    self.find = find
  }
}

/// A workflow with what several checks look at.
package struct CheckedWorkflow: Sendable {
  let workflow: Workflow
  /// The platform that it is about to run on.
  let platform: Workflow.Platform
  /// What else is known; nil where the workflow is looked at alone.
  let surroundings: CheckContext?
  let main: StepGraph
  let last: StepGraph
  /// For each step of both lists whether it can break apart from its outcomes.
  let mayBreak: [Bool]
  let mayBreakLast: [Bool]
  /// Every scenario as it is run, the rows of a matrix one by one.
  let cases: [Scenario]

  /// - Parameters:
  ///   - platform: the platform of the run.
  ///   - surroundings: other known files; nil if only the workflow is known.
  package init(_ workflow: Workflow, platform: Workflow.Platform, surroundings: CheckContext? = nil) {
    self.workflow = workflow
    self.platform = platform
    self.surroundings = surroundings
    main = StepGraph(workflow.steps)
    last = StepGraph(workflow.finally)
    mayBreak = workflow.steps.map(\.mayBreak)
    mayBreakLast = workflow.finally.map(\.mayBreak)
    cases = workflow.scenarios.flatMap(\.cases)
  }

  /// Every step, members of `parallel` included, with the steps whose ids it may name.
  var everyStep: [Step] { workflow.everyStep }
}

extension Workflow {
  /// All steps in order, with the members of `parallel` steps.
  package var everyStep: [Step] { (steps + finally).flatMap(\.withMembers) }

  /// This workflow and all workflows that it uses, each once.
  package var withUsed: [Workflow] {
    var all = [self]
    var names: Set<String> = [document.source.name]
    var waiting = used
    while let next = waiting.popLast() {
      guard names.insert(next.document.source.name).inserted else { continue }
      all.append(next)
      waiting += next.used
    }
    return all
  }
}

extension Step {
  /// The step, and those that it does together.
  var withMembers: [Step] {
    if case .parallel(let members) = action { [self] + members } else { [self] }
  }
}

/// What can be told of a workflow before anything runs.
package enum WorkflowChecks {
  /// All checks, in the order in which they speak.
  package static let all: [WorkflowCheck] = [
    .settingsAndClients, .unknownClient, .unknownTarget, .unknownOutcome, .unknownWord, .unknownName, .unreachableStep,
    .fallbackNeverEntered, .missingFallback, .callBeforeToken, .interactiveBeforeSilent, .endlessLoop, .happensOnLive,
    .timeoutWithoutEffect, .scenarioName, .scenarioInput, .scenarioUser, .scenarioGiven, .scenarioFile, .scenarioBefore,
    .scenarioPath, .scenarioOutcome, .scenarioWord,
  ]

  /// Runs every check, on the workflows that it uses too.
  /// - Parameters:
  ///   - platform: where it is about to run; by default what the workflow says.
  ///   - surroundings: the directory and the files, for what cannot be told from the workflow alone.
  package static func run(
    _ workflow: Workflow, platform: Workflow.Platform? = nil, surroundings: CheckContext? = nil
  ) -> [Diagnostic] {
    let platform = platform ?? workflow.platform ?? .emulated
    var diagnostics = run(CheckedWorkflow(workflow, platform: platform, surroundings: surroundings), isUsed: false)
    for used in workflow.withUsed.dropFirst() {
      // Its scenarios run with a directory of its own, which is not read here.
      diagnostics += run(CheckedWorkflow(used, platform: platform), isUsed: true)
    }
    return diagnostics
  }

  private static func run(_ checked: CheckedWorkflow, isUsed: Bool) -> [Diagnostic] {
    // With a step or a target missing, what is said about the ways through the workflow would be guesses.
    let isWhole = checked.workflow.lostSteps.isEmpty && WorkflowCheck.unknownTarget.find(checked).isEmpty
    let applicable = all.filter { (!isUsed || $0.speaksOfUsed) && (!$0.needsEveryStep || isWhole) }
    return applicable.flatMap { $0.find(checked) }.inReadingOrder()
  }
}

extension Workflow {
  /// The workflows that its steps use.
  var used: [Workflow] {
    (steps + finally).compactMap { step in
      if case .use(let use) = step.action { use.workflow } else { nil }
    }
  }
}
