import Documents
import Effects
import HTTPTypes
import OAuth

extension ControlRequest {
  static let requestLog = ControlRequest(
    method: .get, path: "requests",
    summary:
      "list recent requests with decisions and reasons; `?after=N` lists only newer requests, and `&wait=10s` waits for a new request"
  ) { call throws(ControlError) in
    let after = try call.number("after") ?? 0
    let deadline = call.platform.clock.now + (try call.maximumWait())
    var entries = call.logEntries(after: after)
    while entries.isEmpty, call.platform.clock.now < deadline {
      do {
        try await call.platform.clock.sleep(for: .milliseconds(50))
      } catch {
        break
      }
      entries = call.logEntries(after: after)
    }
    let last = entries.last?.number ?? call.platform.withState { $0.lastRequestNumber }
    return ["version": 1, "last": .integer(Int64(last)), "requests": .array(entries.map(\.json))]
  }
}

extension ControlRequest {
  static let requestDetails = ControlRequest(
    method: .get, path: "requests/{number}",
    summary: "show a logged request with its parameters, checks, response, and an explanation of its error code"
  ) { call throws(ControlError) in
    let entry = Int(call.values[0]).flatMap { number in
      call.platform.withState { $0.requestLog.first { $0.number == number } }
    }
    guard let entry else {
      throw ControlError(
        "request log has no entry `\(call.values[0].prefix(20))`; `GET /_authflow/requests` lists all entries",
        status: .notFound)
    }
    let explanation = entry.code.flatMap { call.platform.options.explain($0) }
    return [
      "version": 1, "request": entry.json, "details": entry.details.json,
      "explanation": explanation.map { ["meaning": .string($0.meaning), "fix": .string($0.fix)] } ?? .null,
    ]
  }
}

/// The explanation of an error code.
package struct ErrorExplanation: Hashable, Sendable {
  package var meaning: String
  /// The recommended action for the developer of the app.
  package var fix: String

  package init(meaning: String, fix: String) {
    self.meaning = meaning
    self.fix = fix
  }
}

extension ControlCall {
  fileprivate func number(_ name: String) throws(ControlError) -> Int? {
    guard let text = exchange.query[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ControlError("`\(name)` must be a number, such as `last` from an earlier response")
    }
    return number
  }

  /// Returns the time to wait for new requests, which is at most 30 seconds.
  fileprivate func maximumWait() throws(ControlError) -> Duration {
    guard let text = exchange.query["wait"] else { return .zero }
    guard let length = Duration(parsing: text) else {
      throw ControlError("`wait` must be a duration, such as `10s` or `500ms`")
    }
    return min(length, .seconds(30))
  }

  fileprivate func logEntries(after number: Int) -> [RequestLogEntry] {
    let isolation = isolation
    return platform.withState { state in
      state.requestLog.filter { $0.number > number && (isolation == nil || $0.isolation == isolation) }
    }
  }
}

extension RequestLogEntry {
  var json: JSON {
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    return [
      "number": .integer(Int64(number)), "time": .string(time.rfc3339(fractionDigits: 3)), "method": .string(method),
      "url": .string(url), "status": status.map { .integer(Int64($0)) } ?? .null, "code": text(code),
      "fault": .bool(isFault), "isolation": text(isolation), "decision": .string(decision.action?.description ?? ""),
      "reason": text(decision.reason), "client": text(decision.client), "user": text(decision.user),
      "scopes": text(decision.scopes), "grant": text(decision.grant), "policy": text(decision.policy),
    ]
  }
}
