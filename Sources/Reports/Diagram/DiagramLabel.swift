import WorkflowModel

/// Transition labels.
enum DiagramLabel {
  /// Returns a transition's outcomes as text. A long list is shortened to its first outcomes and the number of the
  /// others.
  static func short(_ transition: MachineDiagram.Transition) -> String {
    lines(transition).joined(separator: ", ")
  }

  /// Returns a transition's outcomes as lines of text, with one outcome on each line.
  static func lines(_ transition: MachineDiagram.Transition) -> [String] {
    let most = transition.sort == .failure || transition.sort == .explicit ? 2 : 6
    guard transition.outcomes.count > most + 1 else { return transition.outcomes }
    return Array(transition.outcomes.prefix(most)) + ["\(transition.outcomes.count - most) others"]
  }

  /// Returns text truncated to fit in a box.
  static func cut(_ text: String, to length: Int = 40) -> String {
    text.count > length ? "\(text.prefix(length - 1))…" : text
  }
}
