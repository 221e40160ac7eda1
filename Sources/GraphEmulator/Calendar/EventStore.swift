import Documents
import Effects
import OAuth
import OrderedCollections

/// The stored events of one account. Each start and end keeps the time zone from the request that set it. A series and
/// its exceptions form one item.
enum EventStore {
  /// The key for the exceptions of a series. Its value maps dates such as `2025-01-03` to changes, or to null
  /// for deleted occurrences.
  static let exceptions = "~exceptions"

  static func all(of subject: GraphSubject, _ state: GraphState) -> [JSON] {
    if let stored = state.collection("events", of: subject.accountID) { return stored }
    return state.seeds("events", of: subject.accountID).enumerated().map { index, seed in
      let id = OutlookID.item("event", subject.accountID, String(index))
      return EventDefaults.complete(seed, id: id, owner: subject, created: state.epoch)
    }
  }

  static func save(_ events: [JSON], of subject: GraphSubject, _ state: inout GraphState) {
    state.setCollection("events", of: subject.accountID, to: events)
  }

  /// Returns the index of the event with this id. If the id refers to an occurrence of a series, also returns the
  /// occurrence's date.
  static func find(_ id: String, in events: [JSON]) -> (index: Int, date: String?)? {
    if let index = events.firstIndex(where: { $0["id"]?.string == id }) { return (index, nil) }
    guard let separator = id.firstRange(of: OutlookID.occurrenceMark) else { return nil }
    let master = String(id[..<separator.lowerBound])
    return events.firstIndex { $0["id"]?.string == master }.map { ($0, String(id[separator.upperBound...])) }
  }

  /// Returns the occurrences of a series that overlap the time span, ordered by start. For a single event, returns the
  /// event itself if it overlaps the time span.
  static func occurrences(of event: JSON, from start: Instant, to end: Instant) -> [JSON] {
    guard let eventStart = try? EventTime(event["start"]), let eventEnd = try? EventTime(event["end"]) else {
      return []
    }
    let length = max(eventEnd.instant - eventStart.instant, .zero)
    guard let recurrence = event["recurrence"], !recurrence.isNull,
      let series = try? Recurrence(recurrence, first: eventStart.wall)
    else { return eventStart.instant < end && eventEnd.instant > start ? [event] : [] }
    // An occurrence that lasts longer than a day can start before the time span.
    let slack = Int(length.inSeconds / 86_400) + 2
    let first = Recurrence.day(of: start.calendarTime) - slack
    let last = Recurrence.day(of: end.calendarTime) + 2
    return series.occurrences(in: min(first, last)...last).compactMap { day in
      guard let occurrence = occurrence(of: event, on: Recurrence.date(ofDay: day)),
        let eventStart = try? EventTime(occurrence["start"]), let eventEnd = try? EventTime(occurrence["end"]),
        eventStart.instant < end, eventEnd.instant > start
      else { return nil }
      return occurrence
    }
  }

  /// Returns the occurrence of a series on this day, or nil if there is no occurrence or the occurrence was deleted.
  static func occurrence(of event: JSON, on day: CalendarTime) -> JSON? {
    guard let eventStart = try? EventTime(event["start"]), let eventEnd = try? EventTime(event["end"]) else {
      return nil
    }
    let date = String(day.rfc3339().prefix(10))
    let exception = event[exceptions]?[date]
    if exception?.isNull == true { return nil }
    var wall = eventStart.wall
    (wall.year, wall.month, wall.day) = (day.year, day.month, day.day)
    let starts = EventTime(wall: wall, zone: eventStart.zone)
    // Use the local duration, so that a one-hour meeting still lasts one hour on the day of a clock change.
    let length = eventEnd.inZone(eventStart.zone).wall.secondsSince1970 - eventStart.wall.secondsSince1970
    let ending = EventTime(wall: CalendarTime(secondsSince1970: wall.secondsSince1970 + length), zone: eventStart.zone)
    var occurrence = event
    let master = event["id"]?.string ?? ""
    occurrence["id"] = .string(OutlookID.occurrence(of: master, on: date))
    occurrence["seriesMasterId"] = .string(master)
    occurrence["type"] = "occurrence"
    occurrence["recurrence"] = .null
    occurrence["start"] = starts.json
    occurrence["end"] = ending.json
    occurrence["originalStart"] = .string(starts.instant.rfc3339())
    occurrence[exceptions] = nil
    for (key, value) in exception?.object ?? [:] {
      occurrence[key] = value
      occurrence["type"] = "exception"
    }
    return occurrence
  }

  /// Returns the occurrence on a date such as `2025-01-03`.
  static func occurrence(of event: JSON, onDate date: String) -> JSON? {
    guard let day = CalendarTime(rfc3339: date + "T00:00:00Z"), let eventStart = try? EventTime(event["start"]),
      let recurrence = event["recurrence"], let series = try? Recurrence(recurrence, first: eventStart.wall)
    else { return nil }
    let number = Recurrence.day(of: day)
    guard series.occurrences(in: number...number) == [number] else { return nil }
    return occurrence(of: event, on: day)
  }
}

/// A generator of deterministic ids and change keys that look like Outlook's: long and opaque.
enum OutlookID {
  static let occurrenceMark = "-OCC-"

  static func item(_ names: String...) -> String {
    let text = names.joined(separator: "\u{1F}")
    let bytes = (0..<4).flatMap { part in
      let hash = Fingerprint.of("\(part)|\(text)")
      return (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * $0)) }
    }
    return "AAMkAG" + Base64URL.encode(bytes).replacing("-", with: "A") + "AAA="
  }

  static func occurrence(of master: String, on date: String) -> String { master + occurrenceMark + date }

  static func changeKey(_ item: JSON) -> String {
    let hash = Fingerprint.of(item.text())
    return Base64.encode([0x15, 0, 0, 0, 0x16] + (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(8 * $0)) })
  }
}
