import Documents
import Effects
import HTTPTypes

/// `findMeetingTimes`: when the organizer and the attendees have time.
enum MeetingTimes {
  private struct Attendee {
    var json: JSON
    /// Nil for an address outside the tenant, whose calendar nobody can see.
    var calendar: FreeBusy?
    var isRequired: Bool
  }

  private static let step = Duration.seconds(30 * 60)
  private static let longest = Duration.seconds(62 * 86_400)
  private static let mostAttendees = 100
  private static let mostCandidates = 100

  static func answer(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let body = call.request.message.body.isEmpty ? [:] : try call.object()
    let organizer = try EventResource.owner(call)
    let spans = try spans(body, call)
    let from = spans.map(\.start).min() ?? call.now
    let to = spans.map(\.end).max() ?? call.now
    guard to - from <= longest else { throw Schedules.invalid("The time slots must lie within 62 days.") }
    guard let length = meetingLength(body.member("meetingDuration")?.string ?? "PT30M") else {
      throw Schedules.invalid("meetingDuration must be an ISO 8601 duration such as PT1H.")
    }
    let given = body.member("attendees")?.array ?? []
    guard given.count <= mostAttendees else {
      throw Schedules.invalid("A request can have \(mostAttendees) attendees.")
    }
    let attendees = given.map { attendee -> Attendee in
      let address = attendee.member("emailAddress")?.member("address")?.string ?? ""
      let subject = Schedules.subject(address, call, state)
      return Attendee(
        json: attendee, calendar: subject.map { FreeBusy($0, state, from: from, to: to) },
        isRequired: attendee.member("type")?.string?.lowercased() ?? "required" == "required")
    }
    let own = FreeBusy(organizer, state, from: from, to: to)
    let isOptional = body.member("isOrganizerOptional")?.bool ?? false
    let hours = MailboxSettings.json(organizer, state)["workingHours"]
    let isWorkOnly = body.member("timeConstraint")?.member("activityDomain")?.string?.lowercased() ?? "work" == "work"
    let least = body.member("minimumAttendeePercentage")?.number ?? 50
    let zone = try EventTime.preferred(call) ?? .utc
    var found: [(confidence: Double, start: Instant, json: JSON)] = []
    for span in spans {
      var start = span.start
      while start + length <= span.end {
        let end = start + length
        let organizerStatus = own.status(from: start, to: end)
        if isOptional || organizerStatus == "free", !isWorkOnly || isWorking(start, end, hours) {
          let (confidence, all) = confidence(attendees, from: start, to: end)
          if confidence >= least {
            found.append(
              (
                confidence, start,
                [
                  "confidence": JSON(number: confidence), "organizerAvailability": .string(organizerStatus),
                  "suggestionReason": "Suggested because it is one of the nearest times when attendees are available.",
                  "attendeeAvailability": .array(all), "locations": [],
                  "meetingTimeSlot": ["start": EventTime(start, in: zone).json, "end": EventTime(end, in: zone).json],
                ]
              ))
          }
        }
        start += step
      }
    }
    let most = min(mostCandidates, max(1, body.member("maxCandidates")?.integer.map { Int(clamping: $0) } ?? 5))
    found.sort { ($1.confidence, $0.start) < ($0.confidence, $1.start) }
    return .entity(
      [
        "emptySuggestionsReason": found.isEmpty ? "AttendeesUnavailable" : "",
        "meetingTimeSuggestions": .array(found.prefix(most).map(\.json)),
      ], context: call.context("microsoft.graph.meetingTimeSuggestionsResult"), headers: EventResource.applied(call))
  }

  /// The time slots asked for; the next week if there are none.
  private static func spans(_ body: JSON, _ call: GraphRequestContext) throws(GraphErrorResponse) -> [(
    start: Instant, end: Instant
  )] {
    let slots = body.member("timeConstraint")?.member("timeslots")?.array ?? []
    guard slots.count <= 20 else { throw Schedules.invalid("A request can have 20 time slots.") }
    var spans: [(start: Instant, end: Instant)] = []
    for slot in slots {
      let span = (start: try EventTime(slot.member("start")).instant, end: try EventTime(slot.member("end")).instant)
      guard span.start <= span.end else { throw Schedules.invalid("A time slot ends before it starts.") }
      spans.append(span)
    }
    return spans.isEmpty ? [(call.now, call.now + .seconds(7 * 86_400))] : spans
  }

  /// An optional attendee does not count. An unknown calendar counts half.
  private static func confidence(
    _ attendees: [Attendee], from start: Instant, to end: Instant
  ) -> (confidence: Double, attendees: [JSON]) {
    var sum = 0.0
    var count = 0.0
    let all = attendees.map { attendee -> JSON in
      let status = attendee.calendar?.status(from: start, to: end) ?? "unknown"
      if attendee.isRequired {
        count += 1
        sum +=
          status == "free" || status == "workingElsewhere" ? 100 : status == "unknown" || status == "tentative" ? 49 : 0
      }
      return ["availability": .string(status), "attendee": attendee.json]
    }
    return (count == 0 ? 100 : sum / count, all)
  }

  private static func isWorking(_ start: Instant, _ end: Instant, _ hours: JSON?) -> Bool {
    let zone = hours?["timeZone"]?["name"]?.string.flatMap { TimeZoneTable.zone(named: $0) } ?? .utc
    let (begins, ends) = (zone.wall(at: start), zone.wall(at: end))
    let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    let day = Recurrence.day(of: begins)
    // 1970-01-01 was a Thursday.
    let weekday = names[((day + 4) % 7 + 7) % 7]
    let days = hours?["daysOfWeek"]?.array?.compactMap { $0.string?.lowercased() } ?? names
    func clock(_ time: CalendarTime) -> String { String(time.rfc3339().dropFirst(11).prefix(8)) }
    let opens = hours?["startTime"]?.string?.prefix(8) ?? "00:00:00"
    let closes = hours?["endTime"]?.string?.prefix(8) ?? "24:00:00"
    return days.contains(weekday) && Recurrence.day(of: ends) == day && clock(begins) >= opens && clock(ends) <= closes
  }

  /// `PT1H30M` and `P1D`; nil for anything else, for nothing, and for more than a day.
  private static func meetingLength(_ text: String) -> Duration? {
    guard text.hasPrefix("P") else { return nil }
    var seconds: Int64 = 0
    var digits = ""
    for character in text.dropFirst() {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      if character == "T", digits.isEmpty { continue }
      guard let unit = ["D": 86_400, "H": 3_600, "M": 60, "S": 1][String(character)] as Int64?, digits.count <= 5,
        let number = Int64(digits)
      else { return nil }
      seconds += number * unit
      digits = ""
    }
    return digits.isEmpty && (1...86_400).contains(seconds) ? .seconds(seconds) : nil
  }
}
