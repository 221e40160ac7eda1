extension AppManifest {
  /// Converts a time in a manifest's format, `2024-10-04T12:11:36.707Z` or PowerShell's `/Date(1728043896707)/`, to
  /// seconds since 1970.
  ///
  /// Fractions and UTC offsets are ignored, because credential lifetimes are checked only to the day.
  package static func seconds(_ text: String) -> Int64? {
    if text.hasPrefix("/Date(") {
      let digits = text.dropFirst("/Date(".count).prefix { $0.isNumber || $0 == "-" }
      return Int64(digits).map { $0 / 1000 }
    }
    let parts = text.split { $0 == "-" || $0 == "T" || $0 == " " || $0 == ":" || $0 == "." || $0 == "Z" || $0 == "+" }
    let numbers = parts.prefix(6).map { Int64($0) }
    guard numbers.count >= 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      (1000...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let clock = numbers.dropFirst(3).map { $0 ?? 0 } + [0, 0, 0]
    return days(year, month, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  /// Returns the days since 1970-01-01 in the Gregorian calendar, computed in 400-year eras that start in March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let yearOfEra = year % 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return year / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
