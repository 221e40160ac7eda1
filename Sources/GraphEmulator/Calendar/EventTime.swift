import Documents
import Effects

/// Graph's `dateTimeTimeZone`: a clock's reading, and whose clock.
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

  /// Reads `{"dateTime": "2025-01-01T09:00:00", "timeZone": "UTC"}`; a reading with its own offset needs no zone.
  init(_ json: JSON?) throws(GraphErrorResponse) {
    guard let text = json?.member("dateTime")?.string else { throw Self.invalid }
    let name = json?.member("timeZone")?.string ?? "UTC"
    guard let zone = TimeZoneTable.zone(named: name) else { throw Self.unsupported(name) }
    // A date alone is midnight.
    let whole = text.utf8.count == 10 ? text + "T00:00:00" : text.utf8.count == 16 ? text + ":00" : text
    if let wall = CalendarTime(rfc3339: whole + "Z") {
      self.init(wall: wall, zone: zone)
    } else if let instant = Instant(rfc3339: whole) {
      self.init(instant, in: zone)
    } else {
      throw Self.invalid
    }
  }

  var instant: Instant { zone.instant(ofWall: wall) }

  func inZone(_ other: EmulatedTimeZone) -> EventTime {
    other == zone ? self : EventTime(instant, in: other)
  }

  /// Seven digits of the second and no zone behind them, as Outlook writes it.
  var json: JSON {
    ["dateTime": .string(String(wall.rfc3339(fractionDigits: 7).dropLast())), "timeZone": .string(zone.name)]
  }

  static let invalid = GraphErrorResponse(
    400, "ErrorPropertyValidationFailure", "At least one property failed validation: start and end need a dateTime.")

  static func unsupported(_ name: String) -> GraphErrorResponse {
    GraphErrorResponse(
      400, "TimeZoneNotSupportedException",
      "A valid TimeZone value must be specified. The following TimeZone value is not supported: '\(name)'.")
  }

  /// The zone that `Prefer: outlook.timezone="…"` asks for; nil where it asks for none.
  static func preferred(_ call: GraphRequestContext) throws(GraphErrorResponse) -> EmulatedTimeZone? {
    guard let name = call.preference("outlook.timezone") else { return nil }
    guard let zone = TimeZoneTable.zone(named: name) else { throw unsupported(name) }
    return zone
  }
}
