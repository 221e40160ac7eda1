import Debugging
import Diagnostics
import Documents
import OrderedCollections
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

// Requests about the suspended run.

extension DebugAdapter {
  func threads() -> Reply {
    let name = session.program?.test.name ?? "run"
    return Reply(["threads": [["id": 1, "name": .string(name)]]])
  }

  func stackTrace(_ arguments: JSON) throws(DebugFailure) -> Reply {
    let (stop, program) = try session.suspended()
    guard arguments["threadId"]?.integer ?? 1 == 1 else { throw DebugFailure("unknown thread") }
    let ids = state.withLock { $0.variables.frames }
    var frames: [JSON] = []
    for (position, id) in ids.enumerated().reversed() {
      let isInnermost = position == ids.count - 1
      let frame = stop.run.frames.indices.contains(position) ? stop.run.frames[position] : nil
      let place = isInnermost ? stop.place : frame?.step.place
      var json: JSON = [
        "id": .integer(Int64(id)),
        "name": .string(frame.map { isInnermost ? stop.name(of: $0) : $0.id } ?? program.test.name),
      ]
      range(of: place ?? program.test.scenario.place).forEachMember { json[$0] = $1 }
      frames.append(json)
    }
    let start = Int(clamping: max(0, arguments["startFrame"]?.integer ?? 0))
    let levels = Int(clamping: max(0, arguments["levels"]?.integer ?? 0))
    let rest = frames.dropFirst(start)
    return Reply([
      "stackFrames": .array(Array(levels > 0 ? rest.prefix(levels) : rest)),
      "totalFrames": .integer(Int64(frames.count)),
    ])
  }

  private func range(of place: FileSpan) -> JSON {
    let (start, end) = (place.start, place.end)
    return [
      "source": source(place.source.name), "line": clientLine(start.line), "column": clientColumn(start.utf16Column),
      "endLine": clientLine(end.line), "endColumn": clientColumn(end.utf16Column),
    ]
  }

  func scopes(_ arguments: JSON) async throws(DebugFailure) -> Reply {
    let (stop, _) = try session.suspended()
    let frame = try self.frame(arguments["frameId"], of: stop)
    let scopes = stop.scopes(of: frame, emulator: try await session.platformState())
    let list = state.withLock { state in
      scopes.map { scope -> JSON in
        let isNamed = ["Captures", "Inputs", "Step results"].contains(scope.name)
        var json: JSON = [
          "name": .string(scope.name),
          "variablesReference": .integer(Int64(state.variables.scope(scope.value, isNamed: isNamed))),
          "namedVariables": .integer(Int64(scope.value.count)), "expensive": false,
        ]
        if let hint = scope.hint { json["presentationHint"] = .string(hint) }
        return json
      }
    }
    return Reply(["scopes": .array(list)])
  }

  func variables(_ arguments: JSON) throws(DebugFailure) -> Reply {
    _ = try session.suspended()
    guard let reference = arguments["variablesReference"]?.integer else {
      throw DebugFailure("missing `variablesReference`")
    }
    let variables = state.withLock { state in
      state.variables.variables(
        of: Int(clamping: reference), filter: arguments["filter"]?.string,
        start: Int(clamping: arguments["start"]?.integer ?? 0), count: Int(clamping: arguments["count"]?.integer ?? 0))
    }
    guard let variables else { throw DebugFailure("unknown variables reference \(reference)") }
    return Reply(["variables": .array(variables)])
  }

  /// Returns the frame with this ID, or the innermost frame if the ID is nil.
  func frame(_ id: JSON?, of stop: RunStop) throws(DebugFailure) -> RunInspection.Frame? {
    guard let id, !id.isNull else { return stop.run.frames.last }
    guard let number = id.integer, let position = state.withLock({ $0.variables.frame(Int(clamping: number)) }) else {
      throw DebugFailure("unknown frame \(id.text().prefix(100))")
    }
    return stop.run.frames.indices.contains(position) ? stop.run.frames[position] : nil
  }

  func exceptionInfo() throws(DebugFailure) -> Reply {
    let (stop, _) = try session.suspended()
    guard let exception = stop.exception else { throw DebugFailure("the run did not stop at an exception") }
    var details: JSON = ["message": .string(exception.description), "typeName": .string(exception.id)]
    if let frame = stop.run.frames.last { details["fullTypeName"] = .string("\(exception.id) in \(frame.id)") }
    return Reply([
      "exceptionId": .string(exception.id), "description": .string(exception.description), "breakMode": "always",
      "details": details,
    ])
  }

  func loadedSources() -> Reply {
    let names = session.program?.documents.keys ?? []
    return Reply(["sources": .array(names.map { source($0) })])
  }
}

extension RunStop {
  /// Returns the name of the innermost frame.
  fileprivate func name(of frame: RunInspection.Frame) -> String {
    switch point {
    case .step: frame.id
    case .outcome(let outcome, _): "\(frame.id).\(outcome)"
    case .expectation(let result): "\(frame.id): expect \(result.subject)"
    }
  }
}
