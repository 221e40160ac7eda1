/// The normalized path of a node (RFC 9535 §2.7), such as `$['value'][0]['id']`.
package struct NormalizedPath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)
  }

  /// The steps from the root. Empty for the root.
  package var steps: [Step]

  package init(_ steps: [Step] = []) {
    self.steps = steps
  }
}

extension NormalizedPath: CustomStringConvertible {
  package var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .element(let index): text += "[\(index)]"
      case .member(let name):
        text += "['"
        for scalar in name.unicodeScalars { text += Self.escaped(scalar) }
        text += "']"
      }
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\u{8}": return "\\b"
    case "\t": return "\\t"
    case "\n": return "\\n"
    case "\u{C}": return "\\f"
    case "\r": return "\\r"
    case "'": return "\\'"
    case "\\": return "\\\\"
    case "\0"..<" ":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(Character(scalar))
    }
  }
}

/// The path of a node during evaluation. Paths with a common prefix share its links.
final class PathLink: Sendable {
  private let parent: PathLink?
  private let step: NormalizedPath.Step

  init(_ parent: PathLink?, _ step: NormalizedPath.Step) {
    self.parent = parent
    self.step = step
  }

  static func path(to link: PathLink?) -> NormalizedPath {
    var steps: [NormalizedPath.Step] = []
    var next = link
    while let link = next {
      steps.append(link.step)
      next = link.parent
    }
    return NormalizedPath(steps.reversed())
  }
}
