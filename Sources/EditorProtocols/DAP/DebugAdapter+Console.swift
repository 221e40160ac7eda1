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

  func evaluate(_ arguments: JSON) async throws(DebugRequestFailure) -> Reply {
    guard let text = arguments["expression"]?.string else { throw DebugRequestFailure("missing `expression`") }
    let words = text.split(whereSeparator: \.isWhitespace)
    if arguments["context"]?.string == "repl" {
      if words == ["help"] {
        return Reply(["result": .string(Self.help + "\n" + Self.events), "variablesReference": 0])
      }
      if words.first == "simulate" { return try await simulate(text, arguments) }
    }
    let (_, stop, _) = try suspended()
    let frame = try frame(arguments["frameId"], of: stop)
    let value = try value(of: text, stop, frame)
    let body = state.withLock { $0.variables.presentation(of: value, as: "result", expression: text) }
    return Reply(body)
  }

  private func value(
    of text: String, _ stop: RunStop, _ frame: RunInspection.Frame?
  ) throws(DebugRequestFailure) -> JSON {
    let expression: RunExpression
    do throws(RunExpression.SyntaxError) {
      expression = try RunExpression(parsing: text)
    } catch {
      throw DebugRequestFailure(Self.shortened(error.message, text))
    }
    do throws(UnresolvedValue) {
      return try expression.evaluate(at: stop.point, in: stop.run, frame: frame)
    } catch {
      let message = error.message + (error.help.map { "; \($0)" } ?? "")
      throw DebugRequestFailure(Self.shortened(stop.run.mask(message), text))
    }
  }

  /// The events with their descriptions, one on each line.
  private static var events: String {
    let width = EventKind.allCases.map(\.rawValue.count).max() ?? 0
    return EventKind.allCases.map { event in
      "  \(event.rawValue)\(String(repeating: " ", count: width - event.rawValue.count))  \(event.summary)"
    }.joined(separator: "\n")
  }

  /// Shortens a message that repeats a long expression.
  private static func shortened(_ message: String, _ expression: String) -> String {
    expression.count > 200 && message.count > 200 ? "\(message.prefix(199))…" : message
  }

  /// Makes events occur now.
  private func simulate(_ text: String, _ arguments: JSON) async throws(DebugRequestFailure) -> Reply {
    let source = text.drop(while: \.isWhitespace).dropFirst("simulate".count).drop(while: \.isWhitespace)
    guard !source.isEmpty else {
      throw DebugRequestFailure(
        "missing event: write `simulate EVENT`, such as `simulate offline`; `help` lists events")
    }
    let (control, stop, _) = try suspended()
    let frame = try frame(arguments["frameId"], of: stop)
    let (events, diagnostics) = ScriptedEvent.parse(String(source))
    guard let events else {
      let first = diagnostics.first { $0.severity == .error }
      let message = (first?.message ?? "invalid event") + (first?.help.map { "; \($0)" } ?? "")
      throw DebugRequestFailure(Self.shortened(message, text))
    }
    let result = await control.perform { run, _ -> Result<Void, UnresolvedValue> in
      do throws(UnresolvedValue) {
        return .success(try await run.simulate(events, in: frame))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw DebugRequestFailure.notSuspended }
    if case .failure(let failure) = result {
      let message = failure.message + (failure.help.map { "; \($0)" } ?? "")
      throw DebugRequestFailure(Self.shortened(stop.run.mask(message), text))
    }
    control.add(RunControl.SimulatedEvents(number: stop.number, events: events))
    let summary = events.map { "\($0.kind.rawValue): \($0.kind.summary)" }.joined(separator: "\n")
    output("simulated \(summary)\n", category: "console")
    var reply = Reply(["result": .string(summary), "variablesReference": 0])
    if state.withLock({ $0.supportsInvalidatedEvent }) {
      reply.afterwards = { self.send(event: "invalidated", ["areas": ["variables"]]) }
    }
    return reply
  }

  // MARK: Completions

  func completions(_ arguments: JSON) throws(DebugRequestFailure) -> Reply {
    guard let text = arguments["text"]?.string else { throw DebugRequestFailure("missing `text`") }
    let column = column(arguments["column"]) ?? text.utf16.count + 1
    let (_, stop, _) = try suspended()
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
