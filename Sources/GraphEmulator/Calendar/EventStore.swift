import Documents
import Effects
import OAuth
import OrderedCollections

/// The stored events of one account. Start and end have the time zone of the request that set them. A series is one
/// item with its exceptions.
enum EventStore {
  /// The key of changed occurrences of a series, by date (`2025-01-03`). The value of a deleted occurrence is null.
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

  /// Returns the index of an event. If the id refers to an occurrence of a series, also returns its date.
  static func find(_ id: String, in events: [JSON]) -> (index: Int, date: String?)? {
    if let index = events.firstIndex(where: { $0["id"]?.string == id }) { return (index, nil) }
    guard let separator = id.firstRange(of: OutlookID.occurrenceMark) else { return nil }
    let master = String(id[..<separator.lowerBound])
    return events.firstIndex { $0["id"]?.string == master }.map { ($0, String(id[separator.upperBound...])) }
  }

  /// Returns the event or its occurrences that overlap the time span, ordered by start.
  static func occurrences(of event: JSON, from start: Instant, to end: Instant) -> [JSON] {
    guard let eventStart = try? EventTime(event["start"]), let eventEnd = try? EventTime(event["end"]) else {
      return []
    }
    let length = max(eventEnd.instant - eventStart.instant, .zero)
    guard let recurrence = event["recurrence"], !recurrence.isNull,
      let series = try? Recurrence(recurrence, first: eventStart.wall)
    else { return eventStart.instant < end && eventEnd.instant > start ? [event] : [] }
    // An occurrence longer than a day can start before the time span.
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

  /// Returns one occurrence of a series, or nil if it does not exist or was deleted.
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
    // Uses the local duration, so that a one-hour meeting stays one hour long on the day of a clock change.
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

  /// Returns the occurrence on a date.
  static func occurrence(of event: JSON, onDate date: String) -> JSON? {
    guard let day = CalendarTime(rfc3339: date + "T00:00:00Z"), let eventStart = try? EventTime(event["start"]),
      let recurrence = event["recurrence"], let series = try? Recurrence(recurrence, first: eventStart.wall)
    else { return nil }
    let number = Recurrence.day(of: day)
    guard series.occurrences(in: number...number) == [number] else { return nil }
    return occurrence(of: event, on: day)
  }
}

/// Ids and change keys that look like Outlook's: opaque, long, and deterministic.
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
