/// The common time zones, by Windows name and IANA name. The data comes from `windowsZones` in Unicode CLDR and from
/// the IANA time zone database.
package enum TimeZoneTable {
  private struct Row {
    var windows: String
    var minutes: Int
    var rule: EmulatedTimeZone.Rule
    var iana: [String]
  }

  /// Returns the time zone with this name, ignoring case, or nil if the name is unknown.
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

  private static let rules: [Substring: EmulatedTimeZone.Rule] = [
    "european": european,
    "american": american,
    "australian": australian,
    "newZealand": newZealand,
    "chilean": chilean,
    "israeli": israeli,
  ]

  private static let rows: [Row] = (EmbeddedData.text("time-zones.tsv") ?? "").split(separator: "\n").dropFirst().map {
    let columns = $0.split(separator: "\t")
    return Row(
      windows: String(columns[0]), minutes: Int(columns[1]) ?? 0, rule: rules[columns[2]] ?? .none,
      iana: columns[3].split(separator: " ").map(String.init))
  }
}
