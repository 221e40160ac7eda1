import Effects
import HTTPTypes

/// When a call is sent again by itself: as Graph's own clients do, after 429, 503 and 504.
package struct RetryPolicy: Hashable, Sendable {
  /// How often a request is sent again, the first not counted.
  package var retries: Int
  package var statuses: Set<Int>
  /// The wait before the first retry where the server does not say; it doubles with each.
  package var firstWait: Duration
  /// A server that asks for a longer wait gets none: its answer stands.
  package var longestWait: Duration

  package init(
    retries: Int, statuses: Set<Int> = [429, 503, 504], firstWait: Duration = .seconds(1),
    longestWait: Duration = .seconds(180)
  ) {
    self.retries = retries
    self.statuses = statuses
    self.firstWait = firstWait
    self.longestWait = longestWait
  }

  /// Three retries; `Retry-After` counts, up to three minutes as in Kiota's retry handler.
  package static let graph = RetryPolicy(retries: 3)
  /// `retry: none` in the language.
  package static let none = RetryPolicy(retries: 0)

  /// What is done about one response.
  enum Decision: Equatable {
    case stands
    case again(after: Duration, reason: String)
    case givesUp(reason: String)
  }

  /// - Parameter sent: how often this request went out already, at least 1.
  func verdict(on response: ResponseMessage, sent: Int, now: Instant) -> Decision {
    let status = response.head.status.code
    guard retries > 0, statuses.contains(status) else { return .stands }
    guard sent <= retries else { return .givesUp(reason: "\(status) again after \(sent) attempts") }
    if let asked = Self.retryAfter(in: response, now: now) {
      guard asked <= longestWait else {
        return .givesUp(
          reason:
            "the server asks to wait \(Int(asked.inSeconds)) s; more than \(Int(longestWait.inSeconds)) s is not waited"
        )
      }
      return .again(after: asked, reason: "the server answered \(status) and asks to wait \(Self.seconds(asked)) s")
    }
    let wait = min(firstWait * (1 << min(sent - 1, 30)), longestWait)
    return .again(
      after: wait, reason: "the server answered \(status) without Retry-After; waiting \(Self.seconds(wait)) s")
  }

  /// The wait that a response asks for, as seconds or as a date (RFC 9110 §10.2.3); nil where it asks for none or
  /// cannot be understood. A date in the past is no wait.
  package static func retryAfter(in response: ResponseMessage, now: Instant) -> Duration? {
    guard let text = response.head.headerFields[.retryAfter] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // More digits than a number holds is a long wait, not a wrong one.
      return .seconds(min(Int64(text) ?? .max, 1_000_000_000))
    }
    guard let date = CalendarTime(httpDate: text, currentYear: now.calendarTime.year) else { return nil }
    return max(Instant(date) - now, .zero)
  }

  private static func seconds(_ wait: Duration) -> String {
    let whole = Int(wait.inSeconds)
    return Double(whole) == wait.inSeconds ? String(whole) : String((wait.inSeconds * 10).rounded(.up) / 10)
  }
}
