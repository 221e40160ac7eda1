import WorkflowModel

/// The words on the arrows of a drawing.
enum DiagramLabel {
  /// All outcomes of an arrow; of many that fail only the first three and how many more there are.
  static func short(_ transition: MachineDiagram.Transition) -> String {
    lines(transition).joined(separator: ", ")
  }

  /// The same, one outcome for each line.
  static func lines(_ transition: MachineDiagram.Transition) -> [String] {
    let most = transition.sort == .failure || transition.sort == .said ? 2 : 6
    guard transition.outcomes.count > most + 1 else { return transition.outcomes }
    return Array(transition.outcomes.prefix(most)) + ["\(transition.outcomes.count - most) others"]
  }

  /// Text that fits a box.
  static func cut(_ text: String, to length: Int = 40) -> String {
    text.count > length ? "\(text.prefix(length - 1))…" : text
  }
}
