import Effects
import Testing

@Suite("Instants and calendar time")
struct InstantTests {
  @Test(
    "converts calendar dates to seconds since 1970",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00Z", 951_825_600),
      ("2025-01-01T00:00:00Z", 1_735_689_600), ("1900-03-01T00:00:00Z", -2_203_891_200),
      ("2100-02-28T23:59:59Z", 4_107_542_399), ("2038-01-19T03:14:08Z", 2_147_483_648),
      ("1700-01-01T00:00:00Z", -8_520_336_000), ("2262-01-01T00:00:00Z", 9_214_646_400),
    ] as [(String, Int64)])
  func epoch(text: String, seconds: Int64) throws {
    let instant = try #require(Instant(rfc3339: text))
    #expect(instant.secondsSince1970 == seconds)
    #expect(instant.rfc3339() == text)
    #expect(CalendarTime(secondsSince1970: seconds).secondsSince1970 == seconds)
  }

  @Test(
    "parses offsets and fractions (RFC 3339 §5.6)",
    arguments: [
      ("2025-06-01T02:00:00+02:00", "2025-06-01T00:00:00.000Z"),
      ("2025-05-31T19:30:00-04:30", "2025-06-01T00:00:00.000Z"),
      ("2025-06-01t00:00:00.5z", "2025-06-01T00:00:00.500Z"),
      ("2025-06-01 00:00:00.0019999Z", "2025-06-01T00:00:00.001Z"),
      ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"),
      ("1969-12-31T23:59:59.25Z", "1969-12-31T23:59:59.250Z"),
      ("2025-06-01T00:00:00-00:00", "2025-06-01T00:00:00.000Z"),
    ])
  func forms(text: String, normal: String) {
    #expect(Instant(rfc3339: text)?.rfc3339(fractionDigits: 3) == normal)
  }

  @Test(
    "rejects invalid timestamps",
    arguments: [
      "", "2025-01-01", "2025-01-01T00:00:00", "2025-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2025-01-32T00:00:00Z",
      "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "2025-01-01T00:00:61Z", "2025-01-01T00:00:00.Z",
      "2025-01-01T00:00:00+2:00", "2025-01-01T00:00:00+24:00", "2025-01-01T00:00:00Zx", " 2025-01-01T00:00:00Z",
      "2025-00-01T00:00:00Z", "2025-01-00T00:00:00Z", "25-01-01T00:00:00Z", "２025-01-01T00:00:00Z",
    ])
  func refusals(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test("converts every day of four centuries in both directions")
  func everyDay() {
    var expected = CalendarTime(year: 1799, month: 12, day: 31)
    for day in 0..<146_097 {
      let time = CalendarTime(secondsSince1970: (Int64(day) - 62_091 - 1) * 86_400)
      guard time == expected, time.isValid else {
        Issue.record("\(time) instead of \(expected)")
        return
      }
      expected.day += 1
      if expected.day > CalendarTime.days(inMonth: expected.month, of: expected.year) {
        expected.day = 1
        expected.month += 1
      }
      if expected.month > 12 {
        expected.month = 1
        expected.year += 1
      }
    }
  }

  @Test("saturates arithmetic instead of trapping")
  func ends() {
    let last = Instant(nanosecondsSince1970: .max)
    let first = Instant(nanosecondsSince1970: .min)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(last - first == .nanoseconds(Int64.max))
    #expect(Instant(secondsSince1970: .max) == last)
    #expect(Instant(secondsSince1970: .min) == first)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Duration.seconds(Int64.min).nanoseconds == .min)
  }

  @Test("rounds seconds down before and after 1970")
  func floors() {
    #expect(Instant(nanosecondsSince1970: -1).secondsSince1970 == -1)
    #expect(Instant(nanosecondsSince1970: -1_000_000_000).secondsSince1970 == -1)
    #expect(Instant(nanosecondsSince1970: 999_999_999).secondsSince1970 == 0)
    #expect((Instant(secondsSince1970: 10) - Instant(secondsSince1970: 4)) == .seconds(6))
    #expect(Duration.milliseconds(1500).inSeconds == 1.5)
    #expect(Instant(secondsSince1970: 1) < Instant(secondsSince1970: 2))
  }
}
