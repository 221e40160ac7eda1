import WorkflowModel

/// The labels of transitions.
enum DiagramLabel {
  /// The outcomes of a transition. For many failures, only the first three with the number of others.
  static func short(_ transition: MachineDiagram.Transition) -> String {
    lines(transition).joined(separator: ", ")
  }

  /// The same with one outcome on each line.
  static func lines(_ transition: MachineDiagram.Transition) -> [String] {
    let most = transition.sort == .failure || transition.sort == .explicit ? 2 : 6
    guard transition.outcomes.count > most + 1 else { return transition.outcomes }
    return Array(transition.outcomes.prefix(most)) + ["\(transition.outcomes.count - most) others"]
  }

  /// Truncates a text for a box.
  static func cut(_ text: String, to length: Int = 40) -> String {
    text.count > length ? "\(text.prefix(length - 1))…" : text
  }
}
