import Effects

/// A time zone by its rule of today: the standard offset, and when daylight saving time begins and ends.
///
/// Calendars ask for zones by Windows name (`Pacific Standard Time`) or by IANA name. Rules of former years are not kept:
/// what is shown for a year in which a zone had others may be off by that hour.
package struct EmulatedTimeZone: Hashable, Sendable {
  /// The day on which clocks change, and the hour.
  struct Change: Hashable, Sendable {
    var month: Int
    /// 1 to 4, or 5 for the last in the month.
    var week: Int
    /// 0 for Sunday.
    var weekday: Int
    /// Seconds after midnight, by the clock that is left, or in UTC.
    var seconds: Int
    var isUTC = false
  }

  enum Rule: Hashable, Sendable {
    case none
    case daylight(from: Change, to: Change, saving: Int)
  }

  /// The name as it was asked for.
  var name: String
  /// Seconds east of UTC.
  var offset: Int
  var rule: Rule

  static let utc = EmulatedTimeZone(name: "UTC", offset: 0, rule: .none)

  /// The offset from UTC at a moment.
  func offset(at seconds: Int64) -> Int {
    guard case .daylight(let from, let to, let saving) = rule else { return offset }
    let year = CalendarTime(secondsSince1970: seconds + Int64(offset)).year
    let begin = Self.moment(of: from, in: year, offset: offset)
    let end = Self.moment(of: to, in: year, offset: offset + saving)
    // In the south the daylight time spans the turn of the year.
    let isDaylight = begin < end ? seconds >= begin && seconds < end : seconds >= begin || seconds < end
    return isDaylight ? offset + saving : offset
  }

  /// The clock's reading at a moment.
  package func wall(at instant: Instant) -> CalendarTime {
    let seconds = instant.secondsSince1970
    return CalendarTime(
      secondsSince1970: seconds + Int64(offset(at: seconds)), nanosecond: instant.calendarTime.nanosecond)
  }

  /// The moment at which the clock reads that. Of two, the earlier one; a reading that is skipped counts as if the clock
  /// had not been changed yet.
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
