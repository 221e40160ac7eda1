import Effects

/// A time zone with its current rules: the standard offset, and the start and end of daylight saving time.
///
/// Requests use Windows names (`Pacific Standard Time`) or IANA names. The emulator ignores historical rules, so times
/// in years with different rules can be off by an hour.
package struct EmulatedTimeZone: Hashable, Sendable {
  /// A switch to or from daylight saving time.
  struct Change: Hashable, Sendable {
    var month: Int
    /// The week of the month from 1 to 4, or 5 for the last week.
    var week: Int
    /// The day of the week, with 0 for Sunday.
    var weekday: Int
    /// The time of the change in seconds after midnight, either in UTC or in the local time before the change.
    var seconds: Int
    var isUTC = false
  }

  enum Rule: Hashable, Sendable {
    case none
    case daylight(from: Change, to: Change, saving: Int)
  }

  /// The name that the request uses.
  var name: String
  /// The standard offset in seconds east of UTC.
  var offset: Int
  var rule: Rule

  static let utc = EmulatedTimeZone(name: "UTC", offset: 0, rule: .none)

  /// Returns the offset from UTC at a point in time.
  func offset(at seconds: Int64) -> Int {
    guard case .daylight(let from, let to, let saving) = rule else { return offset }
    let year = CalendarTime(secondsSince1970: seconds + Int64(offset)).year
    let begin = Self.moment(of: from, in: year, offset: offset)
    let end = Self.moment(of: to, in: year, offset: offset + saving)
    // In the southern hemisphere, daylight saving time begins in one year and ends in the next.
    let isDaylight = begin < end ? seconds >= begin && seconds < end : seconds >= begin || seconds < end
    return isDaylight ? offset + saving : offset
  }

  /// Converts an instant to local time.
  package func wall(at instant: Instant) -> CalendarTime {
    let seconds = instant.secondsSince1970
    return CalendarTime(
      secondsSince1970: seconds + Int64(offset(at: seconds)), nanosecond: instant.calendarTime.nanosecond)
  }

  /// Converts a local time to an instant. If the local time occurs twice, returns the earlier instant. If a clock
  /// change skips the local time, uses the offset before the change.
  func instant(ofWall wall: CalendarTime) -> Instant {
    let reading = wall.secondsSince1970
    var candidates = [reading - Int64(offset)]
    if case .daylight(_, _, let saving) = rule { candidates.insert(reading - Int64(offset + saving), at: 0) }
    let fitting = candidates.first { $0 + Int64(offset(at: $0)) == reading }
    return Instant(secondsSince1970: fitting ?? reading - Int64(offset)) + .nanoseconds(wall.nanosecond)
  }

  private static func moment(of change: Change, in year: Int, offset: Int) -> Int64 {
    let first = CalendarTime(year: year, month: change.month, day: 1)
    var day = 1 + (change.weekday - first.weekday + 7) % 7 + 7 * (min(change.week, 5) - 1)
    while day > CalendarTime.days(inMonth: change.month, of: year) { day -= 7 }
    let midnight = CalendarTime(year: year, month: change.month, day: day).secondsSince1970
    return midnight + Int64(change.seconds) - (change.isUTC ? 0 : Int64(offset))
  }
}
