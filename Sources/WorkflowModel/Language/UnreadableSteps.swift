import Diagnostics
import Documents

/// The steps of a workflow that are invalid. References to these steps are not reported as unknown.
package struct UnreadableSteps: Sendable {
  /// The IDs that the steps would have.
  private(set) var ids: Set<String> = []
  /// Whether a step might have any ID, because its step type is not recognizable.
  private var hasUnknownIDs = false

  var isEmpty: Bool { ids.isEmpty && !hasUnknownIDs }

  /// Returns whether one of the steps might have this ID.
  func mayContain(_ id: String) -> Bool { hasUnknownIDs || ids.contains(id) }

  /// Adds an invalid element from a list of steps.
  mutating func insert(_ node: Node) {
    if let id = node["id"]?.scalarText {
      ids.insert(id)
      return
    }
    let keys = node.string.map { [$0] } ?? node.entries.compactMap(\.key.string)
    if let type = keys.first(where: { StepKind.named($0) != nil }) {
      ids.insert(type)
    } else if let key = keys.first(where: { !CommonKeys.keys.contains($0) }),
      let intended = Suggestion.nearest(to: key, among: StepKind.keys)
    {
      // References to the step can use the misspelled or the intended step type.
      ids.formUnion([key, intended])
    } else {
      hasUnknownIDs = true
    }
  }
}
