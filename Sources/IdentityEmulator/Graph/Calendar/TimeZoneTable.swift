/// The common zones by Windows and IANA name, from the Unicode CLDR's windowsZones and the time zone database.
package enum TimeZoneTable {
  private struct Row {
    var windows: String
    var minutes: Int
    var rule: EmulatedTimeZone.Rule
    var iana: [String]

    init(_ windows: String, _ minutes: Int, _ rule: EmulatedTimeZone.Rule, _ iana: String...) {
      self.windows = windows
      self.minutes = minutes
      self.rule = rule
      self.iana = iana
    }
  }

  /// The zone of that name, any case; nil where it is unknown.
  package static func zone(named name: String) -> EmulatedTimeZone? {
    guard let row = index[name.lowercased()] else { return nil }
    return EmulatedTimeZone(name: name, offset: row.minutes * 60, rule: row.rule)
  }

  private static let index: [String: Row] = {
    var index: [String: Row] = [:]
    for row in rows {
      for name in [row.windows] + row.iana { index[name.lowercased()] = row }
    }
    return index
  }()

  private static func hours(_ hours: Int) -> Int { hours * 3600 }

  private static let european = EmulatedTimeZone.Rule.daylight(
    from: .init(month: 3, week: 5, weekday: 0, seconds: hours(1), isUTC: true),
    to: .init(month: 10, week: 5, weekday: 0, seconds: hours(1), isUTC: true), saving: hours(1))
  private static let american = EmulatedTimeZone.Rule.daylight(
    from: .init(month: 3, week: 2, weekday: 0, seconds: hours(2)),
    to: .init(month: 11, week: 1, weekday: 0, seconds: hours(2)), saving: hours(1))
  private static let australian = EmulatedTimeZone.Rule.daylight(
    from: .init(month: 10, week: 1, weekday: 0, seconds: hours(2)),
    to: .init(month: 4, week: 1, weekday: 0, seconds: hours(3)), saving: hours(1))
  private static let newZealand = EmulatedTimeZone.Rule.daylight(
    from: .init(month: 9, week: 5, weekday: 0, seconds: hours(2)),
    to: .init(month: 4, week: 1, weekday: 0, seconds: hours(3)), saving: hours(1))
  private static let chilean = EmulatedTimeZone.Rule.daylight(
    from: .init(month: 9, week: 1, weekday: 0, seconds: hours(4), isUTC: true),
    to: .init(month: 4, week: 1, weekday: 0, seconds: hours(3), isUTC: true), saving: hours(1))
  private static let israeli = EmulatedTimeZone.Rule.daylight(
    from: .init(month: 3, week: 5, weekday: 5, seconds: hours(2)),
    to: .init(month: 10, week: 5, weekday: 0, seconds: hours(2)), saving: hours(1))

  private static let rows: [Row] = [
    Row("UTC", 0, .none, "Etc/UTC", "Etc/GMT", "GMT", "Etc/UCT", "Z", "tzone://Microsoft/Utc"),
    Row("Dateline Standard Time", -720, .none, "Etc/GMT+12"),
    Row("UTC-11", -660, .none, "Pacific/Pago_Pago", "Etc/GMT+11"),
    Row("Hawaiian Standard Time", -600, .none, "Pacific/Honolulu", "US/Hawaii"),
    Row("Alaskan Standard Time", -540, american, "America/Anchorage", "US/Alaska"),
    Row("Pacific Standard Time", -480, american, "America/Los_Angeles", "America/Vancouver", "US/Pacific", "PST8PDT"),
    Row("US Mountain Standard Time", -420, .none, "America/Phoenix", "US/Arizona"),
    Row("Mountain Standard Time", -420, american, "America/Denver", "America/Edmonton", "US/Mountain", "MST7MDT"),
    Row("Central America Standard Time", -360, .none, "America/Guatemala", "America/Costa_Rica"),
    Row("Central Standard Time", -360, american, "America/Chicago", "America/Winnipeg", "US/Central", "CST6CDT"),
    Row("Central Standard Time (Mexico)", -360, .none, "America/Mexico_City"),
    Row("Canada Central Standard Time", -360, .none, "America/Regina"),
    Row("SA Pacific Standard Time", -300, .none, "America/Bogota", "America/Lima"),
    Row("Eastern Standard Time", -300, american, "America/New_York", "America/Toronto", "US/Eastern", "EST5EDT"),
    Row("US Eastern Standard Time", -300, american, "America/Indiana/Indianapolis", "America/Indianapolis"),
    Row("Atlantic Standard Time", -240, american, "America/Halifax", "Atlantic/Bermuda"),
    Row("SA Western Standard Time", -240, .none, "America/La_Paz", "America/Puerto_Rico"),
    Row("Pacific SA Standard Time", -240, chilean, "America/Santiago"),
    Row("Newfoundland Standard Time", -210, american, "America/St_Johns"),
    Row("E. South America Standard Time", -180, .none, "America/Sao_Paulo"),
    Row("Argentina Standard Time", -180, .none, "America/Argentina/Buenos_Aires", "America/Buenos_Aires"),
    Row("SA Eastern Standard Time", -180, .none, "America/Cayenne", "America/Fortaleza"),
    Row("Azores Standard Time", -60, european, "Atlantic/Azores"),
    Row("Cape Verde Standard Time", -60, .none, "Atlantic/Cape_Verde"),
    Row("GMT Standard Time", 0, european, "Europe/London", "Europe/Dublin", "Europe/Lisbon", "GB"),
    Row("Greenwich Standard Time", 0, .none, "Atlantic/Reykjavik", "Africa/Abidjan", "Africa/Accra"),
    Row(
      "W. Europe Standard Time", 60, european, "Europe/Berlin", "Europe/Amsterdam", "Europe/Rome", "Europe/Vienna",
      "Europe/Zurich", "Europe/Stockholm", "Europe/Oslo"),
    Row("Romance Standard Time", 60, european, "Europe/Paris", "Europe/Madrid", "Europe/Brussels", "Europe/Copenhagen"),
    Row(
      "Central Europe Standard Time", 60, european, "Europe/Budapest", "Europe/Prague", "Europe/Belgrade",
      "Europe/Bratislava", "Europe/Ljubljana"),
    Row("Central European Standard Time", 60, european, "Europe/Warsaw", "Europe/Sarajevo", "Europe/Zagreb", "CET"),
    Row("W. Central Africa Standard Time", 60, .none, "Africa/Lagos", "Africa/Algiers"),
    Row(
      "FLE Standard Time", 120, european, "Europe/Kiev", "Europe/Kyiv", "Europe/Helsinki", "Europe/Riga",
      "Europe/Sofia", "Europe/Tallinn", "Europe/Vilnius"),
    Row("GTB Standard Time", 120, european, "Europe/Bucharest", "Europe/Athens", "EET"),
    Row("South Africa Standard Time", 120, .none, "Africa/Johannesburg", "Africa/Harare"),
    Row("Israel Standard Time", 120, israeli, "Asia/Jerusalem", "Asia/Tel_Aviv"),
    Row("Turkey Standard Time", 180, .none, "Europe/Istanbul"),
    Row("Arab Standard Time", 180, .none, "Asia/Riyadh", "Asia/Kuwait"),
    Row("Russian Standard Time", 180, .none, "Europe/Moscow"),
    Row("E. Africa Standard Time", 180, .none, "Africa/Nairobi"),
    Row("Iran Standard Time", 210, .none, "Asia/Tehran"),
    Row("Arabian Standard Time", 240, .none, "Asia/Dubai"),
    Row("Afghanistan Standard Time", 270, .none, "Asia/Kabul"),
    Row("Pakistan Standard Time", 300, .none, "Asia/Karachi"),
    Row("West Asia Standard Time", 300, .none, "Asia/Tashkent"),
    Row("India Standard Time", 330, .none, "Asia/Kolkata", "Asia/Calcutta"),
    Row("Sri Lanka Standard Time", 330, .none, "Asia/Colombo"),
    Row("Nepal Standard Time", 345, .none, "Asia/Kathmandu", "Asia/Katmandu"),
    Row("Bangladesh Standard Time", 360, .none, "Asia/Dhaka"),
    Row("Myanmar Standard Time", 390, .none, "Asia/Yangon", "Asia/Rangoon"),
    Row("SE Asia Standard Time", 420, .none, "Asia/Bangkok", "Asia/Jakarta", "Asia/Ho_Chi_Minh", "Asia/Saigon"),
    Row("China Standard Time", 480, .none, "Asia/Shanghai", "Asia/Hong_Kong", "Asia/Macau"),
    Row("Singapore Standard Time", 480, .none, "Asia/Singapore", "Asia/Kuala_Lumpur", "Asia/Manila"),
    Row("Taipei Standard Time", 480, .none, "Asia/Taipei"),
    Row("W. Australia Standard Time", 480, .none, "Australia/Perth"),
    Row("Tokyo Standard Time", 540, .none, "Asia/Tokyo", "Japan"),
    Row("Korea Standard Time", 540, .none, "Asia/Seoul"),
    Row("AUS Central Standard Time", 570, .none, "Australia/Darwin"),
    Row("Cen. Australia Standard Time", 570, australian, "Australia/Adelaide"),
    Row("E. Australia Standard Time", 600, .none, "Australia/Brisbane"),
    Row("AUS Eastern Standard Time", 600, australian, "Australia/Sydney", "Australia/Melbourne"),
    Row("Tasmania Standard Time", 600, australian, "Australia/Hobart"),
    Row("Central Pacific Standard Time", 660, .none, "Pacific/Guadalcanal"),
    Row("New Zealand Standard Time", 720, newZealand, "Pacific/Auckland"),
    Row("Fiji Standard Time", 720, .none, "Pacific/Fiji"),
    Row("Tonga Standard Time", 780, .none, "Pacific/Tongatapu"),
  ]
}
