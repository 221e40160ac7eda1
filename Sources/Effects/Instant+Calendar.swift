/// A date and time of day in the proleptic Gregorian calendar, in UTC.
package struct CalendarTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var nanosecond: Int

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
  }

  /// Whether every component is within its range. The seconds can be 60, for a leap second.
  package var isValid: Bool {
    (1...12).contains(month) && day >= 1 && day <= Self.days(inMonth: month, of: year) && (0...23).contains(hour)
      && (0...59).contains(minute) && (0...60).contains(second) && (0..<1_000_000_000).contains(nanosecond)
  }

  /// Seconds since 1970-01-01T00:00:00Z. A leap second counts as second 59.
  package var secondsSince1970: Int64 {
    // Counts the days in eras of 400 years with 146,097 days each.
    let y = Int64(month <= 2 ? year - 1 : year)
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return days * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(min(second, 59))
  }

  package init(secondsSince1970: Int64, nanosecond: Int = 0) {
    var days = secondsSince1970 / 86_400
    var rest = secondsSince1970 % 86_400
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    self.init(
      year: Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month: month,
      day: Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1), hour: Int(rest / 3600), minute: Int(rest % 3600 / 60),
      second: Int(rest % 60), nanosecond: nanosecond)
  }

  /// Parses `2025-01-01T00:00:00Z`, with an optional fraction and a `Z` or numeric offset (RFC 3339 §5.6).
  package init?(rfc3339 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: character)
    }
    guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
      let day = number(8..<10), has("T", at: 10) || has("t", at: 10) || has(" ", at: 10), let hour = number(11..<13),
      has(":", at: 13), let minute = number(14..<16), has(":", at: 16), let second = number(17..<19)
    else { return nil }
    var index = 19
    var nanosecond = 0
    if has(".", at: index) {
      index += 1
      var unit = 100_000_000
      let first = index
      while index < bytes.count, let digit = number(index..<index + 1) {
        nanosecond += digit * unit
        unit /= 10
        index += 1
      }
      guard index > first else { return nil }
    }
    let wall = Self(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    guard wall.isValid else { return nil }
    if has("Z", at: index) || has("z", at: index), index + 1 == bytes.count {
      self = wall
    } else if has("+", at: index) || has("-", at: index), index + 6 == bytes.count, has(":", at: index + 3),
      let hours = number(index + 1..<index + 3), let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
    {
      let offset = Int64(hours * 3600 + minutes * 60) * (has("-", at: index) ? -1 : 1)
      self.init(secondsSince1970: wall.secondsSince1970 - offset, nanosecond: nanosecond)
    } else {
      return nil
    }
  }

  /// Returns a timestamp such as `2025-01-01T00:00:00Z`, with fractional seconds if `fractionDigits` is greater than
  /// zero.
  package func rfc3339(fractionDigits digits: Int = 0) -> String {
    func pad(_ number: Int, _ width: Int) -> String {
      let text = String(abs(number))
      return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let fraction = digits == 0 ? "" : "." + pad(nanosecond, 9).prefix(digits)
    return
      "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T\(pad(hour, 2)):\(pad(minute, 2)):\(pad(second, 2))\(fraction)Z"
  }

  package static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Instant {
  package init(_ time: CalendarTime) {
    self = Instant(secondsSince1970: time.secondsSince1970) + .nanoseconds(time.nanosecond)
  }

  /// Parses an RFC 3339 timestamp, or returns nil.
  package init?(rfc3339 text: some StringProtocol) {
    guard let time = CalendarTime(rfc3339: text) else { return nil }
    self.init(time)
  }

  package var calendarTime: CalendarTime {
    let seconds = secondsSince1970
    return CalendarTime(
      secondsSince1970: seconds, nanosecond: Int(nanosecondsSince1970 &- seconds &* 1_000_000_000))
  }

  /// Returns a timestamp such as `2025-01-01T00:00:00Z`, with `fractionDigits` digits of fractional seconds.
  package func rfc3339(fractionDigits digits: Int = 0) -> String {
    calendarTime.rfc3339(fractionDigits: digits)
  }
}
