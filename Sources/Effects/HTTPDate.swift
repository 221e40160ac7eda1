import Synchronization

extension CalendarTime {
  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The day of the week, 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    let days = secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
    let whole = days.remainder < 0 ? days.quotient - 1 : days.quotient
    // 1970-01-01 was a Thursday.
    return Int(((whole + 4) % 7 + 7) % 7)
  }

  /// The preferred form of a date in HTTP headers (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  package var httpDate: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
    return "\(Self.weekdays[weekday].prefix(3)), \(two(day)) \(Self.months[month - 1]) \(year) "
      + "\(two(hour)):\(two(minute)):\(two(second)) GMT"
  }

  /// Reads a date of an HTTP header in any of the three forms that RFC 9110 §5.6.7 makes a recipient accept:
  /// IMF-fixdate, RFC 850 and asctime. Names of months and days must match exactly; the day's name is not
  /// compared with the date.
  ///
  /// - Parameter currentYear: decides the century of RFC 850's two digits, which never lie more than 50 years ahead.
  package init?(httpDate text: some StringProtocol, currentYear: Int) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true).map { String($0) }
    switch words.count {
    case 6:  // Sun, 06 Nov 1994 08:49:37 GMT
      guard words[0].hasSuffix(","), Self.isWeekday(words[0].dropLast(), long: false), words[5] == "GMT" else {
        return nil
      }
      self.init(day: words[1], month: words[2], year: Self.number(words[3], digits: 4), clock: words[4])
    case 4:  // Sunday, 06-Nov-94 08:49:37 GMT
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
      guard words[0].hasSuffix(","), Self.isWeekday(words[0].dropLast(), long: true), words[3] == "GMT",
        date.count == 3, let short = Self.number(date[2], digits: 2)
      else { return nil }
      let guess = currentYear - currentYear % 100 + short
      self.init(day: date[0], month: date[1], year: guess > currentYear + 50 ? guess - 100 : guess, clock: words[2])
    case 5:  // Sun Nov  6 08:49:37 1994
      guard Self.isWeekday(words[0][...], long: false) else { return nil }
      let day = words[2].count == 1 ? "0" + words[2] : words[2]
      self.init(day: day, month: words[1], year: Self.number(words[4], digits: 4), clock: words[3])
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
  /// As the header `Date` has it; most requests come in the same second as the one before.
  package var httpDate: String {
    let second = secondsSince1970
    if let text = Self.lastDate.withLock({ $0.second == second ? $0.text : nil }) { return text }
    let text = calendarTime.httpDate
    Self.lastDate.withLock { $0 = (second, text) }
    return text
  }

  private static let lastDate = Mutex<(second: Int64, text: String)>((.min, ""))
}
