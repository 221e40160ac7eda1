import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let state = ControlRequest(
    method: .get, path: "state",
    summary: "show request counts, faults, users, apps, sessions, and the time"
  ) { call in call.state }
}

extension ControlCall {
  /// The state that tests compare, such as faults and the request counts since the start. If the request specifies an
  /// isolation, the counts and faults are limited to that isolation.
  var state: JSON {
    let now = platform.now
    let isolation = isolation
    return platform.withState { state in
      let counts = isolation.map { state.isolatedCounts[$0] ?? RequestCounts() } ?? state.counts
      return [
        "version": 1, "isolation": isolation.map { .string($0) } ?? .null, "requests": Self.json(counts),
        "faults": Self.faults(state, isolation),
        "time": .string(now.rfc3339(fractionDigits: 3)), "users": .integer(Int64(state.graph.accounts.count)),
        "apps": .array(state.apps.values.map { .string($0.appId) }),
        "sessions": .integer(Int64(state.sessions.values.reduce(0) { $0 + $1.entries.count })),
        "misbehaviors": .array(state.misbehaviors.map { .string($0.rawValue) }),
      ]
    }
  }

  private static func json(_ counts: RequestCounts) -> JSON {
    var requests: JSON = [:]
    for counted in Route.Counted.allCases { requests[counted.rawValue] = .integer(Int64(counts.by[counted] ?? 0)) }
    requests["all"] = .integer(Int64(counts.all))
    return requests
  }

  /// Returns the faults of an isolation, or all faults if the isolation is nil.
  static func faults(_ state: PlatformState, _ isolation: String?) -> JSON {
    .array(
      state.faults.filter { isolation == nil || $0.isolation == isolation }.map { active in
        var json: JSON = [
          "number": .integer(Int64(active.number)), "at": .string(active.fault.at.spelled),
          "response": .string(active.fault.effect.summary), "fired": .integer(Int64(active.fired)),
          "spent": .bool(active.isSpent),
        ]
        if let isolation = active.isolation { json["isolation"] = .string(isolation) }
        return json
      })
  }
}

extension Fault.Effect {
  /// The effect in workflow notation, such as `reset` or `status 503, retry after 30 s`.
  fileprivate var summary: String {
    switch self {
    case .reset: return "reset"
    case .truncated: return "truncated"
    case .html: return "html"
    case .endless: return "endless"
    case .tls: return "tls"
    case .delay(let length): return "delay \(length.shortText)"
    case .answer(let response):
      var parts = [response.status.map { "status \($0)" }, response.error, response.code].compactMap { $0 }
      switch response.retryAfter {
      case .seconds(let length): parts.append("retry after \(length.shortText)")
      case .date(let text): parts.append("retry after \(text.prefix(40))")
      case nil: break
      }
      if let delay = response.delay { parts.append("delay \(delay.shortText)") }
      if response.claims != nil { parts.append("claims") }
      if response.body != nil { parts.append("body") }
      return parts.isEmpty ? "response headers" : parts.joined(separator: ", ").prefix(200).description
    }
  }
}
