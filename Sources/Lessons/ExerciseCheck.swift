import AppRegistration
import Diagnostics
import Documents
import Scenarios
import WorkflowModel
import WorkflowRunner

/// The learner's file, set before the chapter's own scenarios: what is written under `scenarios`, `settings` or `directory`
/// decides nothing, so that the only way out is through the steps.
package struct ExerciseCheck: Sendable {
  /// What is run; empty where the file cannot be used.
  package private(set) var cases: [ScenarioCase] = []
  /// What is wrong with the file, and what a warning says of it.
  package private(set) var diagnostics: [Diagnostic]
  /// Whether `authflow run FILE --scenario NAME` shows the same run: nothing of the file is left out here.
  package private(set) var canBeRun = false
  /// What does not count, a sentence each.
  package private(set) var notes: [String] = []

  /// - Parameters:
  ///   - path: the learner's file.
  ///   - load: reads it.
  package init(_ chapter: Chapter, file path: String, load: @escaping DocumentLoader) {
    // Anything but the steps may be wrong in it, and what a scenario says is for the run to tell.
    let (read, told) = LoadedWorkflow.read(path, load: chapter.load(chapter.exerciseText, others: load))
    let relevant = read?.workflow.separate(told).relevant ?? told
    diagnostics = relevant.filter { !$0.rule.hasPrefix("scenario-") && $0.severity > .note }
    guard var judged = read, let own = chapter.own(chapter.exerciseText).loaded else { return }
    diagnostics += Self.changesOfTheWorld(in: judged.workflow, beside: own.workflow)
    guard !diagnostics.hasErrors else { return }
    let (root, given) = (judged.workflow.document.root, own.workflow.document.root)
    let ignored = ["settings", "clients", "directory", "user", "platform"].filter { root[$0]?.json != given[$0]?.json }
    if !ignored.isEmpty {
      let keys = ignored.map { "`\($0)`" }.joined(separator: ", ")
      notes.append("\(keys) of your file \(ignored.count == 1 ? "does" : "do") not count here: only the steps do.")
    }
    judged.situation = own.situation
    judged.workflow.settings = own.workflow.settings
    judged.workflow.clients = own.workflow.clients
    judged.workflow.directory = own.workflow.directory
    judged.workflow.user = own.workflow.user
    judged.workflow.platform = own.workflow.platform
    if root["scenarios"]?.json != given["scenarios"]?.json {
      notes.append("Your scenarios are not the chapter's any more; the chapter's own are what counts.")
      judged.workflow.takeScenarios(of: own.workflow)
    }
    canBeRun = notes.isEmpty && !told.hasErrors
    cases = judged.cases().cases
  }

  /// Steps that change the world, or who sits there, in place of the app.
  private static func changesOfTheWorld(in workflow: Workflow, beside own: Workflow) -> [Diagnostic] {
    let given = (own.steps + own.finally).map(\.node.json)
    return (workflow.steps + workflow.finally).flatMap(\.withMembers).compactMap { step in
      let isOfTheWorld = ["simulate", "wait", "use"].contains(step.kind.key)
      guard isOfTheWorld || step.user != nil, !given.contains(step.node.json) else { return nil }
      return Diagnostic(
        .error, rule: "exercise-world",
        isOfTheWorld
          ? "a step `\(step.kind.key)` is not for this exercise" : "who sits there is for the chapter to say",
        help: "repair what the app does; the world stays as it is", at: step.place)
    }
  }
}

extension Step {
  /// The step, and the members of `parallel`.
  fileprivate var withMembers: [Step] {
    if case .parallel(let members) = action { [self] + members } else { [self] }
  }
}
