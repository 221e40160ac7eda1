import Documents
import Effects

/// Graph's `dateTimeTimeZone` type: a local time and a time zone.
struct EventTime: Hashable, Sendable {
  var wall: CalendarTime
  var zone: EmulatedTimeZone

  init(wall: CalendarTime, zone: EmulatedTimeZone) {
    self.wall = wall
    self.zone = zone
  }

  init(_ instant: Instant, in zone: EmulatedTimeZone) {
    self.init(wall: zone.wall(at: instant), zone: zone)
  }

  /// Parses `{"dateTime": "2025-01-01T09:00:00", "timeZone": "UTC"}`. If the time includes an offset, the time zone is
  /// optional.
  init(_ json: JSON?) throws(GraphErrorResponse) {
    guard let text = json?.member("dateTime")?.string else { throw Self.invalid }
    let name = json?.member("timeZone")?.string ?? "UTC"
    guard let zone = TimeZoneTable.zone(named: name) else { throw Self.unsupported(name) }
    // Treat a date without a time as midnight.
    let timestamp = text.utf8.count == 10 ? text + "T00:00:00" : text.utf8.count == 16 ? text + ":00" : text
    if let wall = CalendarTime(rfc3339: timestamp + "Z") {
      self.init(wall: wall, zone: zone)
    } else if let instant = Instant(rfc3339: timestamp) {
      self.init(instant, in: zone)
    } else {
      throw Self.invalid
    }
  }

  var instant: Instant { zone.instant(ofWall: wall) }

  func inZone(_ other: EmulatedTimeZone) -> EventTime {
    other == zone ? self : EventTime(instant, in: other)
  }

  /// The time with seven fractional digits and without an offset, as Outlook writes it.
  var json: JSON {
    ["dateTime": .string(String(wall.rfc3339(fractionDigits: 7).dropLast())), "timeZone": .string(zone.name)]
  }

  static let invalid = GraphErrorResponse(
    400, "ErrorPropertyValidationFailure", "At least one property failed validation: start and end require a dateTime.")

  static func unsupported(_ name: String) -> GraphErrorResponse {
    GraphErrorResponse(
      400, "TimeZoneNotSupportedException",
      "A valid TimeZone value must be specified. The following TimeZone value is not supported: '\(name)'.")
  }

  /// Returns the time zone from the `Prefer: outlook.timezone="…"` header, or nil if the request does not set this
  /// preference.
  static func preferred(_ call: GraphRequestContext) throws(GraphErrorResponse) -> EmulatedTimeZone? {
    guard let name = call.preference("outlook.timezone") else { return nil }
    guard let zone = TimeZoneTable.zone(named: name) else { throw unsupported(name) }
    return zone
  }
}
