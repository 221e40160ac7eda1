/// The comparison of two runs as text: both paths side by side, and the details of the first step that differs.
package enum ComparisonText {
  /// - Parameter names: The names of the compared traces.
  package static func render(
    _ comparison: RunComparison, names: (left: String, right: String), style: TerminalStyle
  ) -> String {
    var text = style.wrap("the runs \(comparison.parting == nil ? "are " : "")\(comparison.headline)", indent: 0)
    guard let parting = comparison.parting else { return style.shown(text) }
    text += PathTable(style: style, left: names.left, right: names.right).render(comparison.path)
    let details = comparison.details(ofRow: parting)
    for (name, list) in [(names.left, details.left), (names.right, details.right)] {
      text += style.wrap("\(name):", indent: 0, tone: .strong)
      if list.isEmpty { text += style.wrap("no decisions or requests", indent: 4, tone: .dim) }
      for detail in list {
        let sign = detail.differs ? style.unicode ? "≠ " : "! " : "  "
        text += style.wrap(sign + detail.text, indent: 2, hanging: 4, tone: detail.differs ? .attention : .dim)
      }
    }
    return style.shown(text)
  }
}
