import Documents
import Effects

/// A user's free and busy times, for `getSchedule` and `findMeetingTimes`.
struct FreeBusy: Sendable {
  struct Block: Sendable {
    var start: Instant
    var end: Instant
    var event: JSON

    var status: String { event["showAs"]?.string ?? "busy" }
  }

  /// The statuses and their digits in `availabilityView`, in ascending order of precedence.
  private static let ranks: [(status: String, digit: Character)] = [
    ("free", "0"), ("workingElsewhere", "4"), ("tentative", "1"), ("busy", "2"), ("oof", "3"),
  ]

  var blocks: [Block]

  init(_ subject: GraphSubject, _ state: GraphState, from start: Instant, to end: Instant) {
    let occurrences = EventStore.all(of: subject, state).flatMap {
      EventStore.occurrences(of: $0, from: start, to: end)
    }
    blocks = occurrences.filter { $0["isCancelled"]?.bool != true }.compactMap { event in
      guard let eventStart = try? EventTime(event["start"]), let eventEnd = try? EventTime(event["end"]) else {
        return nil
      }
      return Block(start: eventStart.instant, end: eventEnd.instant, event: event)
    }
    .sorted { $0.start < $1.start }
  }

  private static func rank(_ status: String) -> Int { ranks.firstIndex { $0.status == status } ?? 3 }

  /// Returns the status with the highest precedence during a time span.
  func status(from start: Instant, to end: Instant) -> String {
    let rank = blocks.filter { $0.start < end && $0.end > start }.map { Self.rank($0.status) }.max() ?? 0
    return Self.ranks[rank].status
  }

  static func digit(_ status: String) -> Character { ranks[rank(status)].digit }
}
