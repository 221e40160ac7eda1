import Diagnostics
import Documents
import Effects
import OrderedCollections
import RunTrace

/// Lines about an HTTP exchange, with the request, the request parameters, and the response.
enum ExchangeDetails {
  /// The maximum number of response members to show.
  private static let most = 12

  static func of(_ event: TraceEvent) -> [TerminalRunReport.ReportDetail] {
    let id = event.members["id"]?.integer
    func line(_ text: String, _ level: Int) -> TerminalRunReport.ReportDetail {
      .init(text: text, level: level, exchange: id)
    }
    guard event.kind == .httpResponse else {
      let address = RequestAddress(event.members["url"]?.string ?? "")
      let method = event.members["method"]?.string ?? ""
      return [line("\(event.members["from"]?.string ?? "app") sends \(method) \(address.plain)", 0)]
        + address.query.map { line("\($0.name): \($0.value)", 1) }
        + members(event.members["body"]?["form"], most: .max).map { line($0, 1) }
    }
    let answer = event.members["status"]?.integer.map { "returned \($0)" }
    let failure = event.members["failure"]?.string.map { "no response: \($0)" }
    let duration = event.members["milliseconds"]?.number.map { " in \(TerminalRunReport.duration($0))" } ?? ""
    return [line((answer ?? failure ?? "no response") + duration, 1)]
      + members(event.members["body"]?["json"], most: most).map { line($0, 2) }
  }

  /// Returns a line in the format `name: value` for each member with a short value.
  private static func members(_ json: JSON?, most: Int) -> [String] {
    guard let object = json?.object else { return [] }
    // The members are sorted by name, as in a trace file, so that the output is the same for live and recorded runs.
    let lines = object.sorted { $0.key < $1.key }.map { name, value in
      switch value {
      case .array(let items): "\(name): \(items.count.counting("item"))"
      case .object(let members): "\(name): \(members.count.counting("member"))"
      case .string(let text): "\(name): \(text)"
      default: "\(name): \(value.text())"
      }
    }
    guard lines.count > most else { return lines }
    return lines.prefix(most) + ["\(lines.count - most) more"]
  }
}

/// Lines about the checks on a token, with one line for each check.
enum CheckDetails {
  static func of(_ event: TraceEvent) -> [TerminalRunReport.ReportDetail] {
    (event.members["facts"]?["checks"]?.array ?? []).map { check in
      let verdict = check["passed"]?.bool == true ? "passed" : "failed"
      let name = TerminalRunReport.words(check["check"]?.string ?? "")
      return .init(text: "\(name) \(verdict): \(check["reason"]?.string ?? "")", level: 1)
    }
  }
}

/// Lines about cache reads and writes.
enum CacheDetails {
  static func of(_ event: TraceEvent) -> [TerminalRunReport.ReportDetail] {
    if let held = event.members["entries"]?.array {
      let reason = event.members["reason"]?.string ?? ""
      return [.init(text: "the cache contains \(held.count.counting("entry", plural: "entries")): \(reason)")]
    }
    guard event.kind == .cacheWritten else {
      let found = event.members["found"]?.bool ?? false
      return [.init(text: "cache entry \(found ? "read" : "not found"): \(event.members["key"]?.string ?? "")")]
    }
    return (event.members["changes"]?.array ?? []).map { change in
      .init(text: "cache entry \(change["change"]?.string ?? "changed"): \(change["key"]?.string ?? "")")
    }
  }
}

/// Lines about the user's claims in the ID token.
enum ClaimDetails {
  /// The claims that contain times in seconds since 1970 (RFC 7519 §2).
  private static let times: Set<String> = ["exp", "iat", "nbf", "auth_time"]

  static func of(_ event: TraceEvent) -> [TerminalRunReport.ReportDetail] {
    guard let claims = event.members["account"]?["accountClaims"]?.object, !claims.isEmpty else { return [] }
    return [.init(text: "ID token claims")]
      + claims.sorted { $0.key < $1.key }.map { name, value in
        var text = value.string ?? value.text()
        if times.contains(name), let seconds = value.integer {
          text = Instant(secondsSince1970: seconds).rfc3339()
        }
        return .init(text: "\(name): \(text)", level: 1)
      }
  }
}
