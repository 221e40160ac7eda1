import Diagnostics
import Documents

/// The expected path through a workflow: one entry per step, such as `loadAccount.notFound`. `...` matches any number
/// of entries.
package struct PathPattern: Sendable {
  package enum Element: Hashable, Sendable {
    case anything
    case entry(step: String, outcome: OutcomeSelector)

    package var text: String {
      switch self {
      case .anything: "..."
      case .entry(let step, let outcome): "\(step).\(outcome)"
      }
    }
  }

  package var elements: [Positioned<Element>]
  package var place: FileSpan

  package init(elements: [Positioned<Element>], place: FileSpan) {
    self.elements = elements
    self.place = place
  }

  /// Returns whether the pattern matches the complete path.
  package func matches(_ path: [String]) -> Bool {
    Wildcards.match(
      elements.map(\.value), path, isAny: { $0 == .anything }, matchesOne: { $0.text == $1 })
  }

  /// Returns the number of leading entries that are the same in the pattern and the path, up to the first `...`.
  private func commonPrefixLength(with path: [String]) -> Int {
    var count = 0
    for element in elements.map(\.value) {
      guard element != .anything, count < path.count, element.text == path[count] else { break }
      count += 1
    }
    return count
  }

  /// Compares the path with the pattern. The result's location is the first pattern entry that differs from the path.
  package func evaluate(_ path: [String]) -> ExpectationResult {
    let firstDifference = commonPrefixLength(with: path)
    let place = elements.indices.contains(firstDifference) ? elements[firstDifference].place : self.place
    return ExpectationResult(
      subject: "path",
      result: MatchResult(
        holds: matches(path), expected: "[\(elements.map(\.value.text).joined(separator: ", "))]",
        actual: "[\(path.joined(separator: ", "))]"),
      place: place)
  }
}

extension Codec where Value == PathPattern {
  static var path: Self {
    Self(
      expecting: "a list of entries such as `silent.success`",
      schema: ["type": "array", "items": ["type": "string", "pattern": "^(\\.\\.\\.|[A-Za-z0-9_/#-]+\\.[A-Za-z]+)$"]]
    ) { node, problems in
      guard node.kind == .array else {
        problems.mismatch(node, expected: "a list of entries such as `silent.success`")
        return nil
      }
      var elements: [Positioned<PathPattern.Element>] = []
      for element in node.elements {
        guard let text = Codec<String>.nonEmptyString.read(element, &problems) else { continue }
        if text == "..." || text == "…" {
          elements.append(Positioned(.anything, at: element.place))
          continue
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
          problems.error(
            "path-entry", "invalid path entry `\(text)`",
            help: "use `step.outcome`, such as `silent.success`, or `...`", at: element)
          continue
        }
        elements.append(Positioned(.entry(step: parts[0], outcome: OutcomeSelector(parts[1])), at: element.place))
      }
      return PathPattern(elements: elements, place: node.place)
    }
  }
}
