import Documents
import Effects
import OAuth
import OrderedCollections

/// The events of one account, as they are kept: start and end in the zone in which they were written, series as one item
/// with their exceptions.
enum EventStore {
  /// Holds, by date (`2025-01-03`), what was changed in one occurrence of a series; null for one that was deleted.
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

  /// An event and, where the id names one occurrence of a series, its date.
  static func find(_ id: String, in events: [JSON]) -> (index: Int, date: String?)? {
    if let index = events.firstIndex(where: { $0["id"]?.string == id }) { return (index, nil) }
    guard let mark = id.firstRange(of: OutlookID.occurrenceMark) else { return nil }
    let master = String(id[..<mark.lowerBound])
    return events.firstIndex { $0["id"]?.string == master }.map { ($0, String(id[mark.upperBound...])) }
  }

  /// The occurrences of an event, or the event itself, that overlap the span; by their start.
  static func occurrences(of event: JSON, from start: Instant, to end: Instant) -> [JSON] {
    guard let begins = try? EventTime(event["start"]), let ends = try? EventTime(event["end"]) else { return [] }
    let length = max(ends.instant - begins.instant, .zero)
    guard let recurrence = event["recurrence"], !recurrence.isNull,
      let series = try? Recurrence(recurrence, first: begins.wall)
    else { return begins.instant < end && ends.instant > start ? [event] : [] }
    // An occurrence that is longer than a day may reach into the span from before.
    let slack = Int(length.inSeconds / 86_400) + 2
    let first = Recurrence.day(of: start.calendarTime) - slack
    let last = Recurrence.day(of: end.calendarTime) + 2
    return series.occurrences(in: min(first, last)...last).compactMap { day in
      guard let occurrence = occurrence(of: event, on: Recurrence.date(ofDay: day)),
        let begins = try? EventTime(occurrence["start"]), let ends = try? EventTime(occurrence["end"]),
        begins.instant < end, ends.instant > start
      else { return nil }
      return occurrence
    }
  }

  /// One occurrence of a series; nil where it was deleted or there is none on that day.
  static func occurrence(of event: JSON, on day: CalendarTime) -> JSON? {
    guard let begins = try? EventTime(event["start"]), let ends = try? EventTime(event["end"]) else { return nil }
    let date = String(day.rfc3339().prefix(10))
    let exception = event[exceptions]?[date]
    if exception?.isNull == true { return nil }
    var wall = begins.wall
    (wall.year, wall.month, wall.day) = (day.year, day.month, day.day)
    let starts = EventTime(wall: wall, zone: begins.zone)
    // The length is kept by the clock on the wall, so that a meeting of an hour is one on the day of a clock change.
    let length = ends.inZone(begins.zone).wall.secondsSince1970 - begins.wall.secondsSince1970
    let ending = EventTime(wall: CalendarTime(secondsSince1970: wall.secondsSince1970 + length), zone: begins.zone)
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

  /// The occurrence that an id with a date names.
  static func occurrence(of event: JSON, onDate date: String) -> JSON? {
    guard let day = CalendarTime(rfc3339: date + "T00:00:00Z"), let begins = try? EventTime(event["start"]),
      let recurrence = event["recurrence"], let series = try? Recurrence(recurrence, first: begins.wall)
    else { return nil }
    let number = Recurrence.day(of: day)
    guard series.occurrences(in: number...number) == [number] else { return nil }
    return occurrence(of: event, on: day)
  }
}

/// Ids and change keys as Outlook's: opaque, long, and here the same in every run.
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
