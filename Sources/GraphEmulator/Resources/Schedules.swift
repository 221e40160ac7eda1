import Directory
import Documents
import Effects
import HTTPTypes

/// `getSchedule`: users' free and busy times.
enum Schedules {
  private static let maxSchedules = 100
  private static let maxDuration = Duration.seconds(62 * 86_400)

  static func response(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let body = try call.object()
    guard let addresses = body.member("schedules")?.array?.compactMap(\.string), !addresses.isEmpty else {
      throw invalid("The request requires 'schedules', a list of addresses.")
    }
    guard addresses.count <= maxSchedules else {
      throw invalid("A request can have at most \(maxSchedules) schedules.")
    }
    let start = try EventTime(body.member("startTime")).instant
    let end = try EventTime(body.member("endTime")).instant
    guard start < end, end - start <= maxDuration else {
      throw invalid("endTime must be after startTime, and at most 62 days later.")
    }
    let minutes = body.member("availabilityViewInterval")?.integer ?? 30
    guard (5...1440).contains(minutes), .seconds(minutes * 60) <= end - start else {
      throw invalid("availabilityViewInterval must be from 5 to 1440 minutes, and within the time window.")
    }
    let zone = try EventTime.preferred(call) ?? .utc
    let schedules = addresses.map { address in
      schedule(address, in: start..<end, step: .seconds(minutes * 60), zone, call, state)
    }
    return GraphResponse(
      headers: EventResource.applied(call),
      body: .json([
        "@odata.context": .string(call.context("Collection(microsoft.graph.scheduleInformation)")),
        "value": .array(schedules),
      ]))
  }

  static func invalid(_ message: String) -> GraphErrorResponse {
    GraphErrorResponse(400, "ErrorInvalidParameter", message)
  }

  /// Returns the tenant's user with this email address.
  static func subject(_ address: String, _ call: GraphRequestContext, _ state: GraphState) -> GraphSubject? {
    let member =
      state.member(named: address, of: call.caller.tenantID)
      ?? state.account(named: address).flatMap { state.member($0.user.id, of: call.caller.tenantID) }
    return member.map { GraphSubject(member: $0, isCaller: $0.account.user.id == call.caller.accountID) }
  }

  private static func schedule(
    _ address: String, in period: Range<Instant>, step: Duration, _ zone: EmulatedTimeZone,
    _ call: GraphRequestContext, _ state: GraphState
  ) -> JSON {
    guard let subject = subject(address, call, state) else {
      return [
        "scheduleId": .string(address), "availabilityView": "", "scheduleItems": [],
        "error": ["message": "The mailbox was not found.", "responseCode": "ErrorMailRecipientNotFound"],
      ]
    }
    let calendar = FreeBusy(subject, state, from: period.lowerBound, to: period.upperBound)
    var view = ""
    var time = period.lowerBound
    while time < period.upperBound {
      view.append(FreeBusy.digit(calendar.status(from: time, to: min(time + step, period.upperBound))))
      time += step
    }
    return [
      "scheduleId": .string(address), "availabilityView": .string(view),
      "scheduleItems": .array(calendar.blocks.map { item($0, subject, zone) }),
      "workingHours": MailboxSettings.json(subject, state)["workingHours"] ?? .null,
    ]
  }

  /// Returns the schedule item for a busy time. If the event is private, other users see only the time and the status.
  private static func item(_ block: FreeBusy.Block, _ subject: GraphSubject, _ zone: EmulatedTimeZone) -> JSON {
    let isPrivate = ["private", "confidential"].contains(block.event["sensitivity"]?.string ?? "normal")
    var item: JSON = [
      "isPrivate": .bool(isPrivate), "status": .string(block.status), "start": EventTime(block.start, in: zone).json,
      "end": EventTime(block.end, in: zone).json,
    ]
    if !isPrivate || subject.isCaller {
      item["subject"] = block.event["subject"] ?? ""
      item["location"] = block.event["location"]?["displayName"] ?? ""
    }
    return item
  }
}

extension GraphRoute {
  private static let required = GraphAccess("Calendars.ReadBasic", "Calendars.Read")

  static let scheduleRoutes: [GraphRoute] = [
    GraphRoute(
      .post, .user, "calendar/getSchedule", .exchange, needs: required, forApps: required, isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in try Schedules.response(call, state) },
    GraphRoute(
      .post, .user, "findMeetingTimes", .exchange,
      needs: GraphAccess("Calendars.Read.Shared", "Calendars.ReadWrite.Shared"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in try MeetingTimes.response(call, state) },
  ]
}
