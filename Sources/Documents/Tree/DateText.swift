import Effects

/// Functions that read and write dates in the formats of the supported syntaxes.
enum DateText {
  /// Parses an RFC 3339 timestamp, a date alone (midnight UTC), or a timestamp in the format of YAML or GNUstep
  /// (`2001-12-14 21:59:43.10 -5`, `2011-10-05 14:48:00 +0000`). These formats allow spaces and an offset without a
  /// colon or minutes. The default time zone is UTC.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> CalendarTime? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let time = CalendarTime(rfc3339: text) { return inRange(time) }
    var scanner = Scanner(bytes: Array(text.utf8))
    guard let year = scanner.number(4...4), scanner.skip("-"), let month = scanner.number(1...2), scanner.skip("-"),
      let day = scanner.number(1...2)
    else { return nil }
    if scanner.isAtEnd {
      let time = CalendarTime(year: year, month: month, day: day)
      return time.isValid ? time : nil
    }
    guard scanner.skip("T") || scanner.skip("t") || scanner.skipSpaces(), let hour = scanner.number(1...2),
      scanner.skip(":"), let minute = scanner.number(2...2), scanner.skip(":"), let second = scanner.number(2...2)
    else { return nil }
    var fraction = "000000000"
    if scanner.skip(".") {
      let digits = scanner.digits()
      fraction = String((digits + fraction).prefix(9))
    }
    _ = scanner.skipSpaces()
    var offset = 0
    if scanner.skip("Z") || scanner.skip("z") {
      offset = 0
    } else if !scanner.isAtEnd {
      let negative = scanner.skip("-")
      guard negative || scanner.skip("+"), let hours = scanner.number(1...2) else { return nil }
      _ = scanner.skip(":")
      let minutes = scanner.number(2...2) ?? 0
      guard hours < 24, minutes < 60 else { return nil }
      offset = (hours * 3600 + minutes * 60) * (negative ? -1 : 1)
    }
    let wall = CalendarTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: Int(fraction) ?? 0)
    guard scanner.isAtEnd, wall.isValid else { return nil }
    return inRange(
      CalendarTime(secondsSince1970: wall.secondsSince1970 - Int64(offset), nanosecond: wall.nanosecond))
  }

  /// Returns a timestamp such as `2025-01-01T00:00:00Z`, with all digits of the fraction.
  static func write(_ time: CalendarTime) -> String {
    guard time.nanosecond != 0 else { return time.rfc3339() }
    var digits = 9
    var rest = time.nanosecond
    while rest.isMultiple(of: 10) {
      rest /= 10
      digits -= 1
    }
    return time.rfc3339(fractionDigits: digits)
  }

  /// The number of seconds from 1970 to Apple's reference date, 2001-01-01T00:00:00Z.
  static let referenceDate: Int64 = 978_307_200

  /// Returns the time, or nil if it is outside the years 0 to 9999.
  static func calendarTime(sinceReferenceDate seconds: Double) -> CalendarTime? {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    // A double of this magnitude has a precision of about 100 ns, so microseconds are reliable.
    var micro = Int(((seconds - whole) * 1e6).rounded())
    var base = Int64(whole) + referenceDate
    if micro >= 1_000_000 {
      micro -= 1_000_000
      base += 1
    }
    return inRange(CalendarTime(secondsSince1970: base, nanosecond: micro * 1000))
  }

  static func sinceReferenceDate(_ time: CalendarTime) -> Double {
    Double(time.secondsSince1970 - referenceDate) + Double(time.nanosecond) / 1e9
  }

  private static func inRange(_ time: CalendarTime) -> CalendarTime? {
    (0...9999).contains(time.year) ? time : nil
  }

  private struct Scanner {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    mutating func skipSpaces() -> Bool {
      let before = index
      while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
      return index > before
    }

    mutating func digits() -> String {
      let before = index
      while index < bytes.count, ByteClassification.isDigit(bytes[index]) { index += 1 }
      return String(decoding: bytes[before..<index], as: UTF8.self)
    }

    mutating func number(_ width: ClosedRange<Int>) -> Int? {
      let before = index
      var value = 0
      while index < bytes.count, index - before < width.upperBound, ByteClassification.isDigit(bytes[index]) {
        value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        index += 1
      }
      guard index - before >= width.lowerBound else {
        index = before
        return nil
      }
      return value
    }
  }
}
