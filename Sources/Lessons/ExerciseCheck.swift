import AppRegistration
import Diagnostics
import Documents
import Scenarios
import WorkflowModel
import WorkflowRunner

/// A check that runs the scenarios of a chapter on the learner's file. The check ignores the file's `scenarios`,
/// `settings`, and `directory` keys, so that the result depends only on the steps.
package struct ExerciseCheck: Sendable {
  /// The scenarios to run. The list is empty if the file is invalid.
  package private(set) var cases: [ScenarioCase] = []
  /// The findings in the file.
  package private(set) var diagnostics: [Diagnostic]
  /// Whether `authflow run FILE --scenario NAME` has the same result as the check, because the check does not ignore
  /// any of the file's keys.
  package private(set) var canBeRun = false
  /// Notes about ignored keys.
  package private(set) var notes: [String] = []

  /// - Parameters:
  ///   - path: The learner's file.
  ///   - load: A closure that reads the file.
  package init(_ chapter: Chapter, file path: String, load: @escaping DocumentLoader) {
    // Only findings in the steps are relevant here. The run reports problems in scenarios.
    let (read, told) = LoadedWorkflow.read(path, load: chapter.load(chapter.exerciseText, others: load))
    let relevant = read?.workflow.separate(told).relevant ?? told
    diagnostics = relevant.filter { !$0.rule.hasPrefix("scenario-") && $0.severity > .note }
    guard var checked = read, let own = chapter.own(chapter.exerciseText).loaded else { return }
    diagnostics += Self.changesOfTheWorld(in: checked.workflow, beside: own.workflow)
    guard !diagnostics.hasErrors else { return }
    let (root, given) = (checked.workflow.document.root, own.workflow.document.root)
    let ignored = ["settings", "clients", "directory", "user", "platform"].filter { root[$0]?.json != given[$0]?.json }
    if !ignored.isEmpty {
      let keys = ignored.map { "`\($0)`" }.joined(separator: ", ")
      notes.append("\(keys) in your file \(ignored.count == 1 ? "is" : "are") ignored here. Only the steps count.")
    }
    checked.situation = own.situation
    checked.workflow.settings = own.workflow.settings
    checked.workflow.clients = own.workflow.clients
    checked.workflow.directory = own.workflow.directory
    checked.workflow.user = own.workflow.user
    checked.workflow.platform = own.workflow.platform
    if root["scenarios"]?.json != given["scenarios"]?.json {
      notes.append("Your scenarios differ from the chapter's. Only the chapter's scenarios count.")
      checked.workflow.replaceScenarios(of: own.workflow)
    }
    canBeRun = notes.isEmpty && !told.hasErrors
    cases = checked.cases().cases
  }

  /// Reports steps that change the environment or the user behavior instead of the app.
  private static func changesOfTheWorld(in workflow: Workflow, beside own: Workflow) -> [Diagnostic] {
    let given = (own.steps + own.finally).map(\.node.json)
    return (workflow.steps + workflow.finally).flatMap(\.withMembers).compactMap { step in
      let isOfTheWorld = ["simulate", "wait", "use"].contains(step.kind.key)
      guard isOfTheWorld || step.user != nil, !given.contains(step.node.json) else { return nil }
      return Diagnostic(
        .error, rule: "exercise-world",
        isOfTheWorld
          ? "`\(step.kind.key)` is not allowed in this exercise" : "the chapter defines the user behavior",
        help: "fix the app's behavior and leave the environment unchanged", at: step.place)
    }
  }
}

extension Step {
  /// The step and, for `parallel`, its members.
  fileprivate var withMembers: [Step] {
    if case .parallel(let members) = action { [self] + members } else { [self] }
  }
}
