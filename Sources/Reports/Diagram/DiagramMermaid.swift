import WorkflowModel

/// The state machine as a Mermaid state diagram (stateDiagram-v2), which GitHub and many editors render.
package struct DiagramMermaid {
  package static func render(_ diagram: MachineDiagram) -> String {
    var text = "---\ntitle: \(title(diagram.title))\n---\nstateDiagram-v2\n"
    for (position, state) in diagram.states.enumerated() {
      text += "  state \"\(label(state))\" as s\(position)\n"
    }
    if diagram.transitions.contains(where: { $0.to == .failure }) { text += "  state \"failed\" as failed\n" }
    // The `finally` steps are between the workflow's end and the final state.
    let end = diagram.mainCount < diagram.states.count ? "s\(diagram.mainCount)" : "[*]"
    text += diagram.states.isEmpty ? "  [*] --> [*]\n" : "  [*] --> s0\n"
    for transition in diagram.transitions {
      let target =
        switch transition.to {
        case .state(let position): "s\(position)"
        case .success: end
        case .failure: "failed"
        }
      text += "  s\(transition.from) --> \(target): \(escape(DiagramLabel.short(transition)))\(mark(transition))\n"
    }
    if let position = diagram.states.firstIndex(where: { $0.role == .finally }) {
      if diagram.transitions.contains(where: { $0.to == .failure }) { text += "  failed --> s\(position): finally\n" }
      for next in position..<diagram.states.count {
        text +=
          next + 1 < diagram.states.count ? "  s\(next) --> s\(next + 1): finally\n" : "  s\(next) --> [*]: finally\n"
      }
    }
    let fallbacks = diagram.states.indices.filter { diagram.states[$0].role == .fallback }.map { "s\($0)" }
    if !fallbacks.isEmpty {
      text += "  classDef fallback stroke-dasharray: 5 3\n  class \(fallbacks.joined(separator: ",")) fallback\n"
    }
    if diagram.transitions.contains(where: { $0.to == .failure }) {
      text += "  classDef failure stroke:#b3261e,color:#b3261e\n  class failed failure\n"
    }
    for (isCovered, name, style) in [
      (true, "covered", "fill:#e6f4ea,stroke:#1e7a3c,color:#14532b"),
      (false, "uncovered", "stroke:#8a6d00,color:#5c4900"),
    ] {
      let marked = diagram.states.indices.filter { diagram.states[$0].isCovered == isCovered }.map { "s\($0)" }
      guard !marked.isEmpty else { continue }
      text += "  classDef \(name) \(style)\n  class \(marked.joined(separator: ",")) \(name)\n"
    }
    return text
  }

  /// Returns the coverage mark for a transition. Mermaid cannot style transitions, so the label contains the mark.
  private static func mark(_ transition: MachineDiagram.Transition) -> String {
    switch transition.isCovered {
    case true?: " ✓"
    case false?: " (not covered)"
    case nil: ""
    }
  }

  private static func label(_ state: MachineDiagram.State) -> String {
    var words = escape(state.id)
    if state.kind != state.id { words += " (\(escape(state.kind)))" }
    if !state.detail.isEmpty { words += "<br/>\(escape(DiagramLabel.cut(state.detail)))" }
    return words
  }

  /// Returns the title as a double-quoted YAML scalar for the front matter.
  private static func title(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\\": return "\\\\"
      case "\"": return "\\\""
      case "<", ">", "&": return "\\x\(String(scalar.value, radix: 16))"
      default: return isHidden(scalar) ? " " : String(scalar)
      }
    }
    return "\"\(safe.joined())\""
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Escapes text for Mermaid as entity codes between `#` and `;`.
  private static func escape(_ text: String) -> String {
    text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "#", ";", "<", ">", "&", ":", "{", "}", "[", "]", "%", "`", "\\", "|": "#\(scalar.value);"
      default: isHidden(scalar) ? " " : String(scalar)
      }
    }.joined()
  }
}
