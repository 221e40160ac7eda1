import Documents
import Effects
import HTTPTypes

/// `findMeetingTimes`: times at which the organizer and the attendees are available.
enum MeetingTimes {
  private struct Attendee {
    var json: JSON
    /// The attendee's calendar, or nil for an address outside the tenant.
    var calendar: FreeBusy?
    var isRequired: Bool
  }

  private static let step = Duration.seconds(30 * 60)
  private static let maxDuration = Duration.seconds(62 * 86_400)
  private static let maxAttendees = 100
  private static let maxCandidates = 100

  static func response(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let body = call.request.message.body.isEmpty ? [:] : try call.object()
    let organizer = try EventResource.owner(call)
    let spans = try spans(body, call)
    let from = spans.map(\.start).min() ?? call.now
    let to = spans.map(\.end).max() ?? call.now
    guard to - from <= maxDuration else { throw Schedules.invalid("The time slots must lie within 62 days.") }
    guard let length = meetingLength(body.member("meetingDuration")?.string ?? "PT30M") else {
      throw Schedules.invalid("meetingDuration must be an ISO 8601 duration such as PT1H.")
    }
    let attendeeList = body.member("attendees")?.array ?? []
    guard attendeeList.count <= maxAttendees else {
      throw Schedules.invalid("A request can have at most \(maxAttendees) attendees.")
    }
    let attendees = attendeeList.map { attendee -> Attendee in
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
    var suggestions: [(confidence: Double, start: Instant, json: JSON)] = []
    for span in spans {
      var start = span.start
      while start + length <= span.end {
        let end = start + length
        let organizerStatus = own.status(from: start, to: end)
        if isOptional || organizerStatus == "free", !isWorkOnly || isWorking(start, end, hours) {
          let (confidence, all) = confidence(attendees, from: start, to: end)
          if confidence >= least {
            suggestions.append(
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
    let limit = min(maxCandidates, max(1, body.member("maxCandidates")?.integer.map { Int(clamping: $0) } ?? 5))
    suggestions.sort { ($1.confidence, $0.start) < ($0.confidence, $1.start) }
    return .entity(
      [
        "emptySuggestionsReason": suggestions.isEmpty ? "AttendeesUnavailable" : "",
        "meetingTimeSuggestions": .array(suggestions.prefix(limit).map(\.json)),
      ], context: call.context("microsoft.graph.meetingTimeSuggestionsResult"), headers: EventResource.applied(call))
  }

  /// Returns the time spans to search: the requested time slots, or the next seven days by default.
  private static func spans(_ body: JSON, _ call: GraphRequestContext) throws(GraphErrorResponse) -> [(
    start: Instant, end: Instant
  )] {
    let slots = body.member("timeConstraint")?.member("timeslots")?.array ?? []
    guard slots.count <= 20 else { throw Schedules.invalid("A request can have at most 20 time slots.") }
    var spans: [(start: Instant, end: Instant)] = []
    for slot in slots {
      let span = (start: try EventTime(slot.member("start")).instant, end: try EventTime(slot.member("end")).instant)
      guard span.start <= span.end else { throw Schedules.invalid("A time slot ends before it starts.") }
      spans.append(span)
    }
    return spans.isEmpty ? [(call.now, call.now + .seconds(7 * 86_400))] : spans
  }

  /// Returns the average availability of the required attendees in percent, and the status of each attendee. A
  /// tentative or unknown status counts as 49 percent availability.
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
    let (localStart, localEnd) = (zone.wall(at: start), zone.wall(at: end))
    let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    let day = Recurrence.day(of: localStart)
    // 1970-01-01 was a Thursday.
    let weekday = names[((day + 4) % 7 + 7) % 7]
    let days = hours?["daysOfWeek"]?.array?.compactMap { $0.string?.lowercased() } ?? names
    func clock(_ time: CalendarTime) -> String { String(time.rfc3339().dropFirst(11).prefix(8)) }
    let opens = hours?["startTime"]?.string?.prefix(8) ?? "00:00:00"
    let closes = hours?["endTime"]?.string?.prefix(8) ?? "24:00:00"
    return days.contains(weekday) && Recurrence.day(of: localEnd) == day && clock(localStart) >= opens
      && clock(localEnd) <= closes
  }

  /// Parses a duration such as `PT1H30M` or `P1D`. Returns nil if the text is not a duration, or if the duration is
  /// zero or longer than a day.
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
