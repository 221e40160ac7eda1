import Diagnostics
import Documents
import WorkflowModel

extension WorkspaceSnapshot {
  /// Returns the completion proposals at an offset in a document, in no particular order.
  /// - Parameter results: The latest scenario results, which determine the proposed members of values.
  package func completions(
    in document: SnapshotDocument, at offset: Int, results: ScenarioResults = ScenarioResults()
  ) -> [CompletionItem] {
    guard let context = CursorContext(document.source, at: offset) else {
      return CommentContext(document.source, at: offset).map { RuleCompletion.items(in: $0) } ?? []
    }
    guard let format = EditedFormat(document, context.outline) else { return [] }
    let request = CompletionRequest(
      snapshot: self, document: document, format: format, context: context, results: results)
    return CompletionRendering(context: context).items(request.candidates())
  }
}

/// The location for which candidates are collected.
struct CompletionRequest: Sendable {
  let snapshot: WorkspaceSnapshot
  let document: SnapshotDocument
  let format: EditedFormat
  let context: CursorContext
  let results: ScenarioResults
  /// The location of the key's mapping, or of the value.
  let walk: PlaceWalk
  /// The workflow that the workflow or scenarios file belongs to.
  let facts: WorkflowFacts?

  init(
    snapshot: WorkspaceSnapshot, document: SnapshotDocument, format: EditedFormat, context: CursorContext,
    results: ScenarioResults
  ) {
    self.snapshot = snapshot
    self.document = document
    self.format = format
    self.context = context
    self.results = results
    walk = PlaceWalk(context.path, in: format, context.outline)
    facts =
      format == .workflow || format == .scenarios
      ? WorkflowFacts(context.outline, path: document.path, in: snapshot) : nil
  }

  /// The outline of the document.
  var outline: OutlineNode { context.outline }

  /// The step that contains the cursor.
  var step: WorkflowOutline.StepEntry? {
    guard format == .workflow else { return nil }
    return facts?.workflow.step(at: context.path)
  }

  func candidates() -> [Candidate] {
    if facts != nil, let candidates = templateCandidates() { return candidates }
    switch context.role {
    case .key: return keyCandidates(siblings: context.siblings)
    case .value: return valueCandidates()
    case .keyOrValue:
      let values = valueCandidates()
      // A bare step type or event takes precedence over the key with parameters.
      let names = Set(values.map(\.text))
      return values + keyCandidates(siblings: []).filter { !names.contains($0.text) }
    }
  }
}
