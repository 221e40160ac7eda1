import Effects
import HTTPTypes

/// Rules for automatic retries. As in the Graph SDKs, the client retries after status 429, 503, or 504.
package struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of retries after the first attempt.
  package var retries: Int
  package var statuses: Set<Int>
  /// The wait before the first retry if the response does not contain `Retry-After`. The wait doubles with each retry.
  package var firstWait: Duration
  /// The longest `Retry-After` that the client accepts. If the server requests a longer wait, the client does not
  /// retry.
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

  /// Up to three retries, with a `Retry-After` of up to three minutes, as in Kiota's retry handler.
  package static let graph = RetryPolicy(retries: 3)
  /// No retries (`retry: none` in a workflow).
  package static let none = RetryPolicy(retries: 0)

  /// The decision after a response.
  enum Decision: Equatable {
    case accept
    case retry(after: Duration, reason: String)
    case stop(reason: String)
  }

  /// Decides whether to retry a request.
  /// - Parameter sent: The number of attempts so far, at least 1.
  func decision(on response: ResponseMessage, sent: Int, now: Instant) -> Decision {
    let status = response.head.status.code
    guard retries > 0, statuses.contains(status) else { return .accept }
    guard sent <= retries else { return .stop(reason: "status \(status) after \(sent) attempts") }
    if let requested = Self.retryAfter(in: response, now: now) {
      guard requested <= longestWait else {
        return .stop(
          reason:
            "the server requests a wait of \(Int(requested.inSeconds)) s; the limit is \(Int(longestWait.inSeconds)) s"
        )
      }
      return .retry(
        after: requested, reason: "status \(status); the server requests a wait of \(Self.seconds(requested)) s")
    }
    let wait = min(firstWait * (1 << min(sent - 1, 30)), longestWait)
    return .retry(
      after: wait, reason: "status \(status) without `Retry-After`; waiting \(Self.seconds(wait)) s")
  }

  /// Returns the wait from the `Retry-After` header, which contains seconds or a date (RFC 9110 §10.2.3). Returns nil
  /// if the header is missing or invalid, and zero for a date in the past.
  package static func retryAfter(in response: ResponseMessage, now: Instant) -> Duration? {
    guard let text = response.head.headerFields[.retryAfter] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // Treat a number that exceeds `Int64` as a long wait, not as an invalid value.
      return .seconds(min(Int64(text) ?? .max, 1_000_000_000))
    }
    guard let date = CalendarTime(httpDate: text, currentYear: now.calendarTime.year) else { return nil }
    return max(Instant(date) - now, .zero)
  }

  private static func seconds(_ wait: Duration) -> String {
    let seconds = Int(wait.inSeconds)
    return Double(seconds) == wait.inSeconds ? String(seconds) : String((wait.inSeconds * 10).rounded(.up) / 10)
  }
}
