import Documents
import WorkflowModel

/// A breakpoint that a client has set.
package struct Breakpoint: Sendable {
  package enum Target: Sendable {
    /// Locations in a file, which is identified by its absolute path.
    case locations(file: String, [BreakpointLocation])
    /// Before a step, by its full ID.
    case step(String)
    /// After an outcome of a step, or of any step if the step is nil.
    case outcome(step: String?, OutcomeName)
    /// A breakpoint that cannot be reached.
    case none
  }

  package let id: Int
  package var target: Target
  package var condition: RunExpression?
  package var hitCondition: HitCondition?
  package var logMessage: LogMessage?
  /// The reason why the breakpoint is not verified, or nil.
  package var problem: String?

  package init(id: Int, target: Target) {
    self.id = id
    self.target = target
  }
}

/// A condition on the number of times that a breakpoint is reached: `3`, `>= 2`, `% 2`.
package struct HitCondition: Sendable, Equatable {
  private enum Relation: String, CaseIterable {
    case atLeast = ">=", atMost = "<=", equalTwice = "==", greater = ">", less = "<", equal = "=", multiple = "%"
  }

  private let relation: Relation
  private let number: Int

  /// Parses a condition. Returns nil if the text is invalid.
  package init?(_ text: String) {
    let text = text.filter { !$0.isWhitespace }
    let relation = Relation.allCases.first { text.hasPrefix($0.rawValue) }
    guard let number = Int(text.dropFirst(relation?.rawValue.count ?? 0)), number > 0 else { return nil }
    self.relation = relation ?? .equal
    self.number = number
  }

  package func holds(_ count: Int) -> Bool {
    switch relation {
    case .equal, .equalTwice: count == number
    case .atLeast: count >= number
    case .atMost: count <= number
    case .greater: count > number
    case .less: count < number
    case .multiple: count % number == 0
    }
  }
}

/// The message of a log point, with expressions in braces. `\{` is a literal brace.
package struct LogMessage: Sendable {
  package enum Part: Sendable {
    case text(String)
    case expression(RunExpression)
  }

  package let parts: [Part]

  package init(parsing text: String) throws(RunExpression.SyntaxError) {
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.first {
      if rest.hasPrefix("\\{") || rest.hasPrefix("\\}") {
        literal.append(rest[rest.index(after: rest.startIndex)])
        rest = rest.dropFirst(2)
      } else if character == "{", let end = Self.end(of: rest) {
        // `${who}` is the same as `{who}`.
        if literal.hasSuffix("$") { literal.removeLast() }
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(.expression(try RunExpression(parsing: String(rest[..<end].dropFirst()))))
        rest = rest[rest.index(after: end)...]
      } else if character == "{" {
        throw RunExpression.SyntaxError(message: "missing `}` in the log message")
      } else {
        literal.append(character)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  /// Returns the position of the brace that closes the first brace in the text.
  private static func end(of text: Substring) -> Substring.Index? {
    var depth = 0
    for index in text.indices {
      if text[index] == "{" { depth += 1 }
      if text[index] == "}" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }
}
