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

extension ControlCall {
  fileprivate func number(_ name: String) throws(ControlError) -> Int? {
    guard let text = exchange.query[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ControlError("`\(name)` must be a number, such as `last` of an earlier response")
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
