import Debugging
import Diagnostics
import Directory
import Documents
import OrderedCollections
import Synchronization
import WorkflowModel
import WorkflowRunner

// Expressions and the debug console.

extension DebugAdapter {
  private static let help = """
    EXPRESSION             evaluate an expression, such as silent.outcome, ${name}, or silent.error.code == AADSTS50173
    simulate EVENT         make an event occur now, such as simulate offline
    simulate EVENT: VALUE  make an event occur with a value, such as simulate wait: 2h
    help                   show this text, and the events
    """

  func evaluate(_ arguments: JSON) async throws(DebugFailure) -> Reply {
    guard let text = arguments["expression"]?.string else { throw DebugFailure("missing `expression`") }
    let words = text.split(whereSeparator: \.isWhitespace)
    if arguments["context"]?.string == "repl" {
      if words == ["help"] {
        return Reply(["result": .string(Self.help + "\n" + Self.events), "variablesReference": 0])
      }
      if words.first == "simulate" { return try await simulate(text, arguments) }
    }
    let (stop, _) = try session.suspended()
    let value = try session.value(of: text, in: try frame(arguments["frameId"], of: stop))
    let body = state.withLock { $0.variables.presentation(of: value, as: "result", expression: text) }
    return Reply(body)
  }

  /// The events with their descriptions, one on each line.
  private static var events: String {
    let width = EventKind.allCases.map(\.rawValue.count).max() ?? 0
    return EventKind.allCases.map { event in
      "  \(event.rawValue)\(String(repeating: " ", count: width - event.rawValue.count))  \(event.summary)"
    }.joined(separator: "\n")
  }

  /// Simulates events at the current point.
  private func simulate(_ text: String, _ arguments: JSON) async throws(DebugFailure) -> Reply {
    let source = text.drop(while: \.isWhitespace).dropFirst("simulate".count).drop(while: \.isWhitespace)
    guard !source.isEmpty else {
      throw DebugFailure(
        "missing event: write `simulate EVENT`, such as `simulate offline`; `help` lists events")
    }
    let (stop, _) = try session.suspended()
    let events = try await session.simulate(String(source), in: try frame(arguments["frameId"], of: stop))
    let summary = events.map { "\($0.kind.rawValue): \($0.kind.summary)" }.joined(separator: "\n")
    output("simulated \(summary)\n", category: "console")
    var reply = Reply(["result": .string(summary), "variablesReference": 0])
    if state.withLock({ $0.supportsInvalidatedEvent }) {
      reply.afterwards = { self.send(event: "invalidated", ["areas": ["variables"]]) }
    }
    return reply
  }

  // MARK: Completions

  func completions(_ arguments: JSON) throws(DebugFailure) -> Reply {
    guard let text = arguments["text"]?.string else { throw DebugFailure("missing `text`") }
    let column = column(arguments["column"]) ?? text.utf16.count + 1
    let (stop, _) = try session.suspended()
    let frame = try frame(arguments["frameId"], of: stop)
    let end = text.utf16.index(text.startIndex, offsetBy: max(0, column - 1), limitedBy: text.endIndex) ?? text.endIndex
    let before = text[..<end]
    let word = before.suffix(while: { !" \t!=<>&|(){}[],:'\"".contains($0) })
    let start = text.utf16.distance(from: text.startIndex, to: word.startIndex)
    let targets = candidates(before, word, stop, frame).filter { $0.label.hasPrefix(word) }.map { candidate -> JSON in
      [
        "label": .string(candidate.label), "type": .string(candidate.type), "start": clientColumn(start + 1),
        "length": .integer(Int64(word.utf16.count)),
      ]
    }
    return Reply(["targets": .array(targets)])
  }

  private func candidates(
    _ before: Substring, _ word: Substring, _ stop: RunStop, _ frame: RunInspection.Frame?
  ) -> [(label: String, type: String)] {
    let words = before.split(whereSeparator: \.isWhitespace)
    if words.first == "simulate", words.count > 1 || before.last?.isWhitespace ?? false {
      return EventKind.allCases.map { ($0.rawValue, "function") }
    }
    let context = stop.run.context(of: frame)
    if let dot = word.lastIndex(of: ".") {
      let path = String(word[..<dot])
      var names: [String] = []
      if let value = try? RunExpression(parsing: path).evaluate(at: stop.point, in: stop.run, frame: frame) {
        value.forEachMember { name, _ in names.append(name) }
      } else if context.stepIDs.contains(path) {
        names = ResultField.allCases.map(\.rawValue)
      }
      return names.map { ("\(path).\($0)", "field") }
    }
    var candidates = context.stepIDs.sorted().map { ($0, "reference") }
    candidates += context.scope.names.keys.map { ($0, "variable") }
    if word.count == before.drop(while: \.isWhitespace).count {
      candidates += [("simulate", "keyword"), ("help", "keyword")]
    }
    return candidates
  }
}

extension Substring {
  /// Returns the longest suffix whose characters all satisfy a condition.
  fileprivate func suffix(while isIncluded: (Character) -> Bool) -> Substring {
    self[(lastIndex { !isIncluded($0) }.map { index(after: $0) } ?? startIndex)...]
  }
}
