import Documents
import Effects

/// Graph's `patternedRecurrence` type: the rule for the days of a recurring event.
struct Recurrence: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case daily, weekly, absoluteMonthly, relativeMonthly, absoluteYearly, relativeYearly
  }
  enum Index: String, Hashable, Sendable, CaseIterable {
    case first, second, third, fourth, last
  }

  private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  /// The maximum number of days to search, which is about 270 years.
  private static let maxDays = 100_000

  private var kind: Kind
  private var interval: Int
  private var days: Set<Int>
  private var firstDayOfWeek: Int
  private var dayOfMonth: Int
  private var month: Int
  private var index: Index
  /// Days since 1970.
  private var start: Int
  private var end: Int?
  private var count: Int?

  /// - Parameter first: The first day of the event. The range starts on this day by default.
  init(_ json: JSON, first: CalendarTime) throws(GraphErrorResponse) {
    let pattern = json.member("pattern") ?? .null
    let range = json.member("range") ?? .null
    guard let type = pattern.member("type")?.string,
      let kind = [Kind.daily, .weekly, .absoluteMonthly, .relativeMonthly, .absoluteYearly, .relativeYearly]
        .first(where: { $0.rawValue.lowercased() == type.lowercased() })
    else { throw Self.invalid("the pattern type is unknown") }
    self.kind = kind
    interval = Int(pattern.member("interval")?.integer ?? 1)
    guard (1...99).contains(interval) else { throw Self.invalid("the interval is not between 1 and 99") }
    days = []
    for name in pattern.member("daysOfWeek")?.array ?? [] {
      guard let day = name.string.flatMap({ Self.weekdays.firstIndex(of: $0.lowercased()) }) else {
        throw Self.invalid("a day of the week is unknown")
      }
      days.insert(day)
    }
    firstDayOfWeek =
      pattern.member("firstDayOfWeek")?.string.flatMap { Self.weekdays.firstIndex(of: $0.lowercased()) } ?? 0
    dayOfMonth = Int(pattern.member("dayOfMonth")?.integer ?? 0)
    if dayOfMonth == 0 { dayOfMonth = first.day }
    month = Int(pattern.member("month")?.integer ?? 0)
    if month == 0 { month = first.month }
    guard (1...31).contains(dayOfMonth), (1...12).contains(month) else {
      throw Self.invalid("the month or the day of the month does not exist")
    }
    index = pattern.member("index")?.string.flatMap { Index(rawValue: $0.lowercased()) } ?? .first
    let needsDays = kind == .weekly || kind == .relativeMonthly || kind == .relativeYearly
    guard !needsDays || !days.isEmpty else { throw Self.invalid("the pattern requires daysOfWeek") }

    start = try Self.day(range.member("startDate")) ?? Self.day(of: first)
    switch range.member("type")?.string?.lowercased() ?? "noend" {
    case "noend": break
    case "enddate":
      guard let last = try Self.day(range.member("endDate")) else {
        throw Self.invalid("the range requires an endDate")
      }
      guard last >= start else { throw Self.invalid("the range ends before it starts") }
      end = last
    case "numbered":
      guard let number = range.member("numberOfOccurrences")?.integer, (1...999).contains(number) else {
        throw Self.invalid("the range requires numberOfOccurrences between 1 and 999")
      }
      count = Int(number)
    default: throw Self.invalid("the range type is unknown")
    }
  }

  private static func invalid(_ reason: String) -> GraphErrorResponse {
    GraphErrorResponse(400, "ErrorInvalidRecurrence", "The recurrence is not valid: \(reason).")
  }

  /// Returns the number of days between 1970-01-01 and the date.
  static func day(of date: CalendarTime) -> Int {
    Int(CalendarTime(year: date.year, month: date.month, day: date.day).secondsSince1970 / 86_400)
  }

  static func date(ofDay day: Int) -> CalendarTime { CalendarTime(secondsSince1970: Int64(day) * 86_400) }

  private static func day(_ json: JSON?) throws(GraphErrorResponse) -> Int? {
    guard let text = json?.string, text != "0001-01-01" else { return nil }
    guard let date = CalendarTime(rfc3339: text.prefix(10) + "T00:00:00Z") else {
      throw invalid("'\(text)' is not a date")
    }
    return day(of: date)
  }

  /// Returns the days on which the event occurs within a range, in ascending order. Each day is represented as the
  /// number of days since 1970-01-01.
  func occurrences(in span: ClosedRange<Int>) -> [Int] {
    var result: [Int] = []
    var number = 0
    var period = 0
    let last = min(span.upperBound, end ?? .max)
    while true {
      let candidates = candidates(inPeriod: period)
      guard let first = candidates.floor, first <= last, first - start < Self.maxDays else { return result }
      for day in candidates.days where day >= start && day <= last {
        number += 1
        if let count, number > count { return result }
        if span.contains(day) { result.append(day) }
      }
      period += 1
    }
  }

  /// Returns the pattern's days in one period, and the first day of that period.
  private func candidates(inPeriod period: Int) -> (floor: Int?, days: [Int]) {
    switch kind {
    case .daily:
      let day = start + period * interval
      return (day, [day])
    case .weekly:
      let weekday = Self.date(ofDay: start).weekday
      let week = start - (weekday - firstDayOfWeek + 7) % 7 + period * interval * 7
      return (week, days.map { week + ($0 - firstDayOfWeek + 7) % 7 }.sorted())
    case .absoluteMonthly, .relativeMonthly:
      let first = Self.date(ofDay: start)
      return inMonth(first.year * 12 + first.month - 1 + period * interval)
    case .absoluteYearly, .relativeYearly:
      let first = Self.date(ofDay: start)
      return inMonth((first.year + period * interval) * 12 + month - 1)
    }
  }

  private func inMonth(_ months: Int) -> (floor: Int?, days: [Int]) {
    let (year, month) = (months / 12, months % 12 + 1)
    let first = Self.day(of: CalendarTime(year: year, month: month, day: 1))
    let length = CalendarTime.days(inMonth: month, of: year)
    if kind == .absoluteMonthly || kind == .absoluteYearly {
      // If the month is shorter, use its last day.
      return (first, [first + min(dayOfMonth, length) - 1])
    }
    let fitting = (0..<length).map { first + $0 }.filter { days.contains(Self.date(ofDay: $0).weekday) }
    guard let position = Index.allCases.firstIndex(of: index), index != .last, position < fitting.count else {
      return (first, fitting.suffix(1))
    }
    return (first, [fitting[position]])
  }
}
