import Documents
import Effects
import GraphEmulator
import HTTPTypes
import Testing

import IdentityEmulator

/// Tests free and busy times, extended properties, and online meetings.
@Suite struct GraphScheduleTests {
  private static func time(_ text: String) -> JSON { ["dateTime": .string(text), "timeZone": "UTC"] }

  /// Returns an event on Tuesday, 2025-03-04. The users have no other events on that day.
  private static func event(_ from: String, _ to: String, _ more: [String: JSON] = [:]) -> JSON {
    var event: JSON = [
      "subject": "Blocked", "start": time("2025-03-04T\(from):00"), "end": time("2025-03-04T\(to):00"),
    ]
    for (key, value) in more { event[key] = value }
    return event
  }

  @Test("shows busy times, hides private details, and reports unknown addresses in `getSchedule`")
  func schedule() async throws {
    let adele = GraphProbe("Calendars.ReadWrite", user: "adele@contoso.com")
    #expect(await adele.post("/me/events", Self.event("09:00", "10:00")).status == 201)
    #expect(
      await adele.post("/me/events", Self.event("10:00", "10:30", ["sensitivity": "private", "showAs": "oof"])).status
        == 201)
    var megan = GraphProbe(adele.emulator, GraphProbe("Calendars.Read").caller)
    let body: JSON = [
      "schedules": ["adele@contoso.com", "unknown@contoso.com"], "startTime": Self.time("2025-03-04T08:30:00"),
      "endTime": Self.time("2025-03-04T11:00:00"), "availabilityViewInterval": 30,
    ]
    let response = await megan.post("/me/calendar/getSchedule", body)
    #expect(response.status == 200)
    let first = try #require(response.value.first)
    #expect(first["availabilityView"] == "02230")
    #expect(first["scheduleItems"]?[0]?["subject"] == "Blocked")
    #expect(first["scheduleItems"]?[1]?["status"] == "oof")
    #expect(first["scheduleItems"]?[1]?["subject"] == nil)
    #expect(response.value.last?["error"]?["responseCode"] == "ErrorMailRecipientNotFound")
    megan.caller.scopes = ["User.Read"]
    #expect(await megan.post("/me/calendar/getSchedule", body).status == 403)
  }

  @Test(
    "rejects out-of-range time windows and intervals in `getSchedule`",
    arguments: [("2025-03-04T11:00:00", 4), ("2025-06-03T11:00:00", 30), ("2025-03-04T08:00:00", 30)])
  func scheduleBounds(end: String, interval: Int64) async {
    let body: JSON = [
      "schedules": ["adele@contoso.com"], "startTime": Self.time("2025-03-04T08:30:00"), "endTime": Self.time(end),
      "availabilityViewInterval": .integer(interval),
    ]
    #expect(await GraphProbe("Calendars.Read").post("/me/calendar/getSchedule", body).status == 400)
  }

  @Test("suggests meeting times when the organizer and the attendees are free")
  func meetingTimes() async throws {
    let adele = GraphProbe("Calendars.ReadWrite", user: "adele@contoso.com")
    #expect(await adele.post("/me/events", Self.event("08:00", "09:00")).status == 201)
    let megan = GraphProbe(adele.emulator, GraphProbe("Calendars.Read.Shared").caller)
    let body: JSON = [
      "attendees": [["type": "required", "emailAddress": ["address": "adele@contoso.com"]]],
      "timeConstraint": [
        "timeslots": [["start": Self.time("2025-03-04T06:00:00"), "end": Self.time("2025-03-04T10:00:00")]]
      ], "meetingDuration": "PT1H",
    ]
    let response = await megan.post("/me/findMeetingTimes", body)
    #expect(response.status == 200)
    let suggestions = response.body["meetingTimeSuggestions"]?.array ?? []
    #expect(suggestions.count == 1)
    let slot = try #require(suggestions.first?["meetingTimeSlot"])
    #expect(slot["start"]?["dateTime"]?.string?.hasPrefix("2025-03-04T09:00:00") == true)
    #expect(suggestions.first?["confidence"] == 100)
    #expect(response.body["emptySuggestionsReason"] == "")
    var wrong = body
    wrong["meetingDuration"] = "an hour"
    #expect(await megan.post("/me/findMeetingTimes", wrong).status == 400)
    #expect(await megan.with("Calendars.Read").post("/me/findMeetingTimes", body).status == 403)
  }

  @Test("stores extended properties, filters by them, and returns them only if the request expands them")
  func extendedProperties() async throws {
    let probe = GraphProbe("Calendars.ReadWrite")
    let color = "String {66f5a359-4659-4830-9070-00040ec6ac6e} Name Color"
    let event = Self.event(
      "09:00", "10:00", ["singleValueExtendedProperties": [["id": .string(color), "value": "Green"]]])
    let created = await probe.post("/me/events", event)
    #expect(created.status == 201)
    let id = try #require(created.body["id"]?.string)
    #expect(created.body["singleValueExtendedProperties"] == nil)
    #expect(await probe.get("/me/events/\(id)").body["singleValueExtendedProperties"] == nil)
    let expand = "$expand=singleValueExtendedProperties($filter=id eq '\(color)')"
    let shown = await probe.get("/me/events/\(id)?\(expand)&$select=subject")
    #expect(shown.body["singleValueExtendedProperties"]?[0]?["value"] == "Green")
    let changes: JSON = ["singleValueExtendedProperties": [["id": .string(color), "value": "Red"]]]
    #expect(await probe.patch("/me/events/\(id)", changes).status == 200)
    let filter =
      "$filter=singleValueExtendedProperties/any(ep: ep/id eq '\(color)' and ep/value eq 'Red')"
    #expect(await probe.get("/me/events?\(filter)").names("subject") == ["Blocked"])
    #expect(
      await probe.get("/me/events?\(expand)&$top=100").value.contains { $0["singleValueExtendedProperties"] != nil })
    #expect(await probe.get("/me/events?$expand=singleValueExtendedProperties").code == "NotEmulated")
    let wrong: JSON = ["singleValueExtendedProperties": [["id": "Color", "value": "Red"]]]
    #expect(await probe.patch("/me/events/\(id)", wrong).code == "ErrorInvalidProperty")
  }

  @Test("rejects an unsupported second expansion")
  func severalExpansions() async {
    let response = await GraphProbe("Mail.Read").get("/me/messages?$expand=attachments,extensions($filter=id eq 'a,b')")
    #expect(response.status == 501)
    #expect(response.header("x-authflow-not-emulated")?.contains("extensions") == true)
  }

  @Test("keeps the join URL of an online event when the event changes")
  func onlineEvents() async throws {
    let probe = GraphProbe("Calendars.ReadWrite")
    let created = await probe.post("/me/events", Self.event("09:00", "10:00", ["isOnlineMeeting": true]))
    #expect(created.body["onlineMeetingProvider"] == "teamsForBusiness")
    let url = try #require(created.body["onlineMeeting"]?["joinUrl"]?.string)
    #expect(url.hasPrefix("https://teams.microsoft.com/l/meetup-join/"))
    let id = try #require(created.body["id"]?.string)
    let changed = await probe.patch("/me/events/\(id)", ["isOnlineMeeting": false])
    #expect(changed.body["onlineMeeting"]?["joinUrl"]?.string == url)
    #expect(changed.body["isOnlineMeeting"] == true)
    let offline = await probe.post("/me/events", Self.event("09:00", "10:00"))
    #expect(offline.body["onlineMeeting"] == .some(.null))
    let skype = Self.event("09:00", "10:00", ["isOnlineMeeting": true, "onlineMeetingProvider": "skypeForBusiness"])
    #expect(await probe.post("/me/events", skype).code == "NotEmulated")
  }

  @Test("creates online meetings and finds them only by ID and URL")
  func onlineMeetings() async throws {
    let probe = GraphProbe("OnlineMeetings.ReadWrite")
    let created = await probe.post("/me/onlineMeetings", ["subject": "Talk"])
    #expect(created.status == 201)
    let id = try #require(created.body["id"]?.string)
    let url = try #require(created.body["joinWebUrl"]?.string)
    #expect(await probe.get("/me/onlineMeetings/\(id)").body["subject"] == "Talk")
    let escaped = url.replacing("%", with: "%25")
    #expect(await probe.get("/me/onlineMeetings?$filter=JoinWebUrl eq '\(escaped)'").names("subject") == ["Talk"])
    #expect(await probe.get("/me/onlineMeetings").status == 400)
    #expect(await probe.patch("/me/onlineMeetings/\(id)", ["subject": "Walk"]).body["subject"] == "Walk")
    #expect(await probe.delete("/me/onlineMeetings/\(id)").status == 204)
    #expect(await probe.get("/me/onlineMeetings/\(id)").status == 404)
    #expect(await probe.with("OnlineMeetings.Read").post("/me/onlineMeetings", [:]).status == 403)
  }
}
