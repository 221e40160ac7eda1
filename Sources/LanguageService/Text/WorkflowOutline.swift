import Documents
import Synchronization
import WorkflowModel

/// The steps, inputs, and scenarios of a workflow that may contain errors.
package struct WorkflowOutline: Sendable {
  /// A step with its location in the document.
  package struct StepEntry: Sendable {
    /// The ID, or the key of the step type if the step has no `id`.
    package var id: String
    /// The key of the step type, such as `interactive-fallback`. Nil if the step does not have a type.
    package var spelling: String?
    package var kind: StepKind?
    package var path: [PathElement]
    package var node: OutlineNode
    /// The steps of a `parallel` step.
    package var members: [StepEntry]

    /// The value of the step type, or nil if the step consists only of the key.
    package var parameters: OutlineNode? { spelling.flatMap { node[$0] } }

    /// The variables that the step captures.
    package var captures: [(name: String, address: OutlineNode?)] {
      (node["capture"]?.entries ?? []).map { ($0.key.text, $0.value) }
    }

    /// The path of the workflow that a `use` step runs.
    package var usedPath: String? {
      guard kind?.key == "use" else { return nil }
      return parameters?.scalar ?? parameters?["workflow"]?.scalar
    }
  }

  /// The absolute path of the file.
  package let path: String
  package let root: OutlineNode
  /// The steps in `steps` and `finally`.
  package let steps: [StepEntry]

  package init(_ root: OutlineNode, path: String) {
    self.path = path
    self.root = root
    steps = ["steps", "finally"].flatMap { Self.steps(root[$0], at: [.key($0)]) }
  }

  private static func steps(_ list: OutlineNode?, at path: [PathElement]) -> [StepEntry] {
    (list?.elements ?? []).enumerated().map { index, node in step(node, at: path + [.index(index)]) }
  }

  private static func step(_ node: OutlineNode, at path: [PathElement]) -> StepEntry {
    let spelling = node.scalar ?? node.keys.first { StepKind.named($0) != nil }
    let kind = spelling.flatMap(StepKind.named)
    let members =
      kind?.key == "parallel" ? steps(spelling.flatMap { node[$0] }, at: path + [.key(spelling ?? "")]) : []
    return StepEntry(
      id: node["id"]?.scalar ?? spelling ?? "", spelling: spelling, kind: kind, path: path, node: node, members: members
    )
  }

  /// All steps, including the members of `parallel` steps.
  package var everyStep: [StepEntry] { steps.flatMap { [$0] + $0.members } }

  package func step(named id: String) -> StepEntry? { everyStep.first { $0.id == id } }

  /// Returns the step that contains a path.
  package func step(at path: [PathElement]) -> StepEntry? {
    everyStep.last { path.starts(with: $0.path) }
  }

  /// The inputs with their declarations.
  package var inputs: [(name: String, declaration: OutlineNode?)] {
    (root["inputs"]?.entries ?? []).map { ($0.key.text, $0.value) }
  }

  /// The names of the clients. A single client is named `app`.
  package var clients: [String] {
    let names = root["clients"]?.keys ?? []
    return names.isEmpty ? ["app"] : names
  }
}

/// A workflow and the files that it refers to.
package struct WorkflowFacts: Sendable {
  package let workflow: WorkflowOutline
  /// The mapping from names to scenarios, and the absolute path of its file.
  package let scenarios: (node: OutlineNode?, path: String)
  private let snapshot: WorkspaceSnapshot
  private let usedWorkflows = UsedWorkflows()

  /// Reads the workflow in the file or, for a scenarios file, the workflow that it belongs to.
  package init?(_ root: OutlineNode, path: String, in snapshot: WorkspaceSnapshot) {
    self.snapshot = snapshot
    func outline(_ name: String) -> (OutlineNode, String)? {
      let path = FilePath.join(FilePath.folder(of: path), name)
      return snapshot.document(at: path).flatMap { OutlineNode.read($0.source) }.map { ($0, path) }
    }
    if root["steps"] == nil, let name = root["workflow"]?.scalar {
      scenarios = (root["scenarios"], path)
      workflow = outline(name).map { WorkflowOutline($0, path: $1) } ?? WorkflowOutline(root, path: path)
    } else {
      workflow = WorkflowOutline(root, path: path)
      if let name = root["scenarios"]?.scalar, let (other, otherPath) = outline(name) {
        scenarios = (other["scenarios"], otherPath)
      } else {
        scenarios = (root["scenarios"], path)
      }
    }
  }

  /// Returns the workflow that a `use` step runs, or nil for other steps or if the workflow cannot be read.
  package func used(by step: WorkflowOutline.StepEntry, in workflow: WorkflowOutline) -> WorkflowOutline? {
    guard let name = step.usedPath, !name.isEmpty else { return nil }
    let path = FilePath.join(FilePath.folder(of: workflow.path), name)
    guard path != workflow.path else { return nil }
    return usedWorkflows.workflow(at: path) {
      snapshot.document(at: path).flatMap { OutlineNode.read($0.source) }.map { WorkflowOutline($0, path: path) }
    }
  }

  /// Returns all outcomes of a step, including the failures of inner steps.
  package func outcomes(of step: WorkflowOutline.StepEntry) -> [Outcome] { outcomes(of: step, in: workflow, depth: 0) }

  private func outcomes(of step: WorkflowOutline.StepEntry, in workflow: WorkflowOutline, depth: Int) -> [Outcome] {
    guard let kind = step.kind else { return [] }
    var inner: [Outcome] = []
    if depth < 4, let used = used(by: step, in: workflow) {
      inner = used.everyStep.flatMap { self.outcomes(of: $0, in: used, depth: depth + 1) }
    } else {
      inner = step.members.flatMap { self.outcomes(of: $0, in: workflow, depth: depth + 1) }
    }
    var outcomes = kind.outcomes
    for outcome in inner where outcome.isFailure {
      if !outcomes.contains(where: { $0.name == outcome.name }) { outcomes.append(outcome) }
    }
    return outcomes
  }

  /// All steps with their IDs. In nested workflows, IDs have a prefix, such as `login/silent`.
  package var stepIDs: [(id: String, step: WorkflowOutline.StepEntry)] {
    stepIDs(of: workflow, prefix: "", depth: 0)
  }

  private func stepIDs(
    of workflow: WorkflowOutline, prefix: String, depth: Int
  ) -> [(id: String, step: WorkflowOutline.StepEntry)] {
    var found: [(id: String, step: WorkflowOutline.StepEntry)] = []
    for step in workflow.everyStep where !step.id.isEmpty {
      found.append((prefix + step.id, step))
      if depth < 3, let used = used(by: step, in: workflow) {
        found += stepIDs(of: used, prefix: "\(prefix)\(step.id)/", depth: depth + 1)
      }
    }
    return found
  }

  /// The variables that steps capture, including captures of nested workflows, with the first step that sets each one.
  package var captures: [(name: String, step: String, address: OutlineNode?)] {
    var found: [(name: String, step: String, address: OutlineNode?)] = []
    for (id, step) in stepIDs {
      for capture in step.captures where !found.contains(where: { $0.name == capture.name }) {
        found.append((capture.name, id, capture.address))
      }
    }
    return found
  }

  /// The names of the scenarios.
  package var scenarioNames: [String] { scenarios.node?.keys ?? [] }
}

/// A cache of the workflows that steps use.
private final class UsedWorkflows: Sendable {
  private let workflows = Mutex<[String: WorkflowOutline?]>([:])

  func workflow(at path: String, read: () -> WorkflowOutline?) -> WorkflowOutline? {
    if let workflow = workflows.withLock({ $0[path] }) { return workflow }
    let workflow = read()
    workflows.withLock { $0[path] = .some(workflow) }
    return workflow
  }
}
