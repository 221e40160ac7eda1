import Effects
import HTTPTypes
import MicrosoftGraph
import SimulatedWorld
import Testing

@Suite struct RetryTests {
  private static func busy(_ code: Int = 429, retryAfter: String? = nil) -> ResponseMessage {
    var headers = HTTPFields()
    headers[.retryAfter] = retryAfter
    return .json("{}", status: .init(code: code), headers: headers)
  }

  @Test("retries three times and doubles the wait", arguments: [429, 503, 504])
  func threeRetries(code: Int) async throws {
    let performed = try await StubbedCall.perform(
      .get("/me"), answering: Array(repeating: Self.busy(code), count: 4) + [.json("{}")])
    #expect(performed.requests.count == 4)
    #expect(performed.result.attempts == 4)
    #expect(performed.result.status == code)
    #expect(performed.duration == .seconds(1 + 2 + 4))
    #expect(performed.decisions == ["retry.again", "retry.again", "retry.again", "retry.givenUp"])
  }

  @Test("succeeds on the third attempt")
  func thirdAttempt() async throws {
    let performed = try await StubbedCall.perform(
      .get("/me"), answering: [Self.busy(retryAfter: "7"), Self.busy(503), .json("{}")])
    #expect(performed.result.outcome == .success)
    #expect(performed.result.attempts == 3)
    #expect(performed.duration == .seconds(7 + 2))
    let name = try #require(HTTPField.Name("Retry-Attempt"))
    #expect(performed.requests.map { $0.head.headerFields[name] } == [nil, "1", "2"])
  }

  @Test("does not retry other statuses", arguments: [500, 502, 400, 401, 404])
  func otherStatuses(code: Int) async throws {
    let performed = try await StubbedCall.perform(
      .get("/me"), answering: [Self.busy(code, retryAfter: "1"), .json("{}")])
    #expect(performed.requests.count == 1)
    #expect(performed.duration == .zero)
  }

  @Test("does not retry with `retry: none`")
  func retryNone() async throws {
    let performed = try await StubbedCall.perform(.get("/me", retry: .none), answering: [Self.busy(), .json("{}")])
    #expect(performed.result.outcome == .throttled)
    #expect(performed.decisions.isEmpty)
  }

  @Test("does not retry if the wait is longer than three minutes")
  func longWait() async throws {
    let performed = try await StubbedCall.perform(.get("/me"), answering: [Self.busy(retryAfter: "181"), .json("{}")])
    #expect(performed.result.outcome == .throttled)
    #expect(performed.duration == .zero)
    #expect(performed.decisions == ["retry.givenUp"])
  }

  // The simulation starts at 2025-01-01T00:00:00Z, which is a Wednesday.
  @Test(
    "parses `Retry-After`",
    arguments: [
      ("Wed, 01 Jan 2025 00:00:05 GMT", 5), ("Wednesday, 01-Jan-25 00:00:06 GMT", 6), ("Wed Jan  1 00:00:07 2025", 7),
      ("Tue, 31 Dec 2024 23:00:00 GMT", 0), ("0", 0), ("soon", 1), ("-5", 1), ("Wed, 01 Jan 2025 00:00:05 CET", 1),
      ("Wed, 41 Jan 2025 00:00:05 GMT", 1), ("1.5", 1),
    ])
  func retryAfterValues(value: String, seconds: Int) async throws {
    let performed = try await StubbedCall.perform(.get("/me"), answering: [Self.busy(retryAfter: value), .json("{}")])
    #expect(performed.duration == .seconds(seconds))
    #expect(performed.result.outcome == .success)
  }

  @Test(
    "expands two-digit years in HTTP dates",
    arguments: [(2025, 94, 1994), (2025, 75, 2075), (2025, 76, 1976), (1999, 49, 1949), (2060, 10, 2010)])
  func twoDigitYears(now: Int, short: Int, year: Int) throws {
    let text = "Sunday, 06-Nov-\(short) 08:49:37 GMT"
    let date = try #require(CalendarTime(httpDate: text, currentYear: now))
    #expect(date.year == year)
  }

  @Test("parses the HTTP dates that it writes")
  func roundTrip() throws {
    let date = CalendarTime(year: 1994, month: 11, day: 6, hour: 8, minute: 49, second: 37)
    #expect(date.httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(CalendarTime(httpDate: date.httpDate, currentYear: 2025) == date)
  }
}
