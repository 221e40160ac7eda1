import Synchronization

extension CalendarTime {
  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The day of the week, 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    let days = secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
    let days1970 = days.remainder < 0 ? days.quotient - 1 : days.quotient
    // 1970-01-01 was a Thursday.
    return Int(((days1970 + 4) % 7 + 7) % 7)
  }

  /// The preferred date format in HTTP headers (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package var httpDate: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
    return "\(Self.weekdays[weekday].prefix(3)), \(two(day)) \(Self.months[month - 1]) \(year) "
      + "\(two(hour)):\(two(minute)):\(two(second)) GMT"
  }

  /// Parses an HTTP header date in any of the three formats that a recipient must accept (RFC 9110 §5.6.7):
  /// IMF-fixdate, RFC 850, and asctime. Month and day names are case-sensitive. The day name is not checked against
  /// the date.
  ///
  /// - Parameter currentYear: The current year, which determines the century of a two-digit year in RFC 850 format.
  ///   Such a date is at most 50 years in the future.
  package init?(httpDate text: some StringProtocol, currentYear: Int) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true).map { String($0) }
    switch parts.count {
    case 6:  // Sun, 06 Nov 1994 08:49:37 GMT
      guard parts[0].hasSuffix(","), Self.isWeekday(parts[0].dropLast(), long: false), parts[5] == "GMT" else {
        return nil
      }
      self.init(day: parts[1], month: parts[2], year: Self.number(parts[3], digits: 4), clock: parts[4])
    case 4:  // Sunday, 06-Nov-94 08:49:37 GMT
      let date = parts[1].split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
      guard parts[0].hasSuffix(","), Self.isWeekday(parts[0].dropLast(), long: true), parts[3] == "GMT",
        date.count == 3, let short = Self.number(date[2], digits: 2)
      else { return nil }
      let fullYear = currentYear - currentYear % 100 + short
      self.init(
        day: date[0], month: date[1], year: fullYear > currentYear + 50 ? fullYear - 100 : fullYear, clock: parts[2])
    case 5:  // Sun Nov  6 08:49:37 1994
      guard Self.isWeekday(parts[0][...], long: false) else { return nil }
      let day = parts[2].count == 1 ? "0" + parts[2] : parts[2]
      self.init(day: day, month: parts[1], year: Self.number(parts[4], digits: 4), clock: parts[3])
    default:
      return nil
    }
  }

  private init?(day: String, month: String, year: Int?, clock: String) {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0, digits: 2) }
    guard let year, let day = Self.number(day, digits: 2), let index = Self.months.firstIndex(of: month),
      parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2]
    else { return nil }
    self.init(year: year, month: index + 1, day: day, hour: hour, minute: minute, second: second)
    guard isValid else { return nil }
  }

  private static func isWeekday(_ name: Substring, long: Bool) -> Bool {
    weekdays.contains { long ? $0 == name : $0.prefix(3) == name }
  }

  private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }
}

extension Instant {
  /// The value of the `Date` header. The latest string is cached because many requests fall within the same second.
  package var httpDate: String {
    let second = secondsSince1970
    if let text = Self.lastDate.withLock({ $0.second == second ? $0.text : nil }) { return text }
    let text = calendarTime.httpDate
    Self.lastDate.withLock { $0 = (second, text) }
    return text
  }

  private static let lastDate = Mutex<(second: Int64, text: String)>((.min, ""))
}
