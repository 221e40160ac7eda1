import Documents
import Effects
import HTTPTypes
import OAuth

extension ControlRequest {
  static let trail = ControlRequest(
    method: .get, path: "requests",
    words:
      "the last requests, each with what was decided and why; ?after=N: only newer ones, &wait=10s: once there are any"
  ) { call throws(ControlError) in
    let after = try call.number("after") ?? 0
    let deadline = call.platform.clock.now + (try call.patience())
    var entries = call.trail(after: after)
    while entries.isEmpty, call.platform.clock.now < deadline {
      do {
        try await call.platform.clock.sleep(for: .milliseconds(50))
      } catch {
        break
      }
      entries = call.trail(after: after)
    }
    let last = entries.last?.number ?? call.platform.withState { $0.trailNumber }
    return ["version": 1, "last": .integer(Int64(last)), "requests": .array(entries.map(\.json))]
  }
}

extension ControlCall {
  fileprivate func number(_ name: String) throws(ControlError) -> Int? {
    guard let text = exchange.query[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ControlError("\(name) must be a number, such as the `last` of an earlier answer")
    }
    return number
  }

  /// How long to wait for a request that has not come yet; at most half a minute.
  fileprivate func patience() throws(ControlError) -> Duration {
    guard let text = exchange.query["wait"] else { return .zero }
    guard let length = Duration(spelled: text) else {
      throw ControlError("wait must be a duration such as 10s or 500ms")
    }
    return min(length, .seconds(30))
  }

  fileprivate func trail(after number: Int) -> [RequestLogEntry] {
    let isolation = isolation
    return platform.withState { state in
      state.trail.filter { $0.number > number && (isolation == nil || $0.isolation == isolation) }
    }
  }
}

extension RequestLogEntry {
  var json: JSON {
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    return [
      "number": .integer(Int64(number)), "time": .string(time.rfc3339(fractionDigits: 3)), "method": .string(method),
      "url": .string(url), "status": status.map { .integer(Int64($0)) } ?? .null, "code": text(code),
      "fault": .bool(isFault), "isolation": text(isolation), "decision": .string(decision.words),
      "reason": text(decision.reason), "client": text(decision.client), "user": text(decision.user),
      "scopes": text(decision.scopes), "grant": text(decision.grant), "policy": text(decision.policy),
    ]
  }
}
