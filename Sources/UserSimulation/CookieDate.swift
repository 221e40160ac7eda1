import Effects

/// Parses cookie dates as leniently as RFC 6265 §5.1.1 requires. The format of each part determines its meaning, so the
/// parts can appear in any order.
enum CookieDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  static func read(_ text: String) -> Instant? {
    var time: (Int, Int, Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == ":") }) {
      let digits = token.prefix { $0.isASCII && $0.isNumber }
      if time == nil, token.contains(":") {
        let parts = token.split(separator: ":").map { Int($0) }
        if parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] {
          time = (hour, minute, second)
        }
      } else if day == nil, (1...2).contains(digits.count) {
        day = Int(digits)
      } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
        month = index + 1
      } else if year == nil, digits.count == 2 || digits.count == 4, var number = Int(digits) {
        if (70...99).contains(number) { number += 1900 } else if (0...69).contains(number) { number += 2000 }
        year = number
      }
    }
    guard let time, let day, let month, let year, year >= 1601 else { return nil }
    let calendar = CalendarTime(
      year: year, month: month, day: day, hour: time.0, minute: time.1, second: time.2)
    return calendar.isValid ? Instant(calendar) : nil
  }
}
