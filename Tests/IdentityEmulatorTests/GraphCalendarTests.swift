import Documents
import Effects
import GraphEmulator
import HTTPTypes
import Testing

import IdentityEmulator

@Suite struct GraphCalendarTests {
  private static let week = "/me/calendarView?startDateTime=2025-01-01T00:00:00Z&endDateTime=2025-01-08T00:00:00Z"

  @Test("expands series in the calendar view")
  func calendarView() async {
    let response = await GraphProbe("Calendars.Read").get(Self.week + "&$top=50&$select=subject,start,type")
    #expect(response.status == 200)
    let standUps = response.value.filter { $0["subject"] == "Marketing stand-up" }
    // The event repeats every Monday, Wednesday, and Friday. The simulation starts on a Wednesday.
    #expect(
      standUps.map { $0["start"]?["dateTime"]?.string }
        == ["2025-01-01T09:00:00.0000000", "2025-01-03T09:00:00.0000000", "2025-01-06T09:00:00.0000000"])
    #expect(standUps.allSatisfy { $0["type"] == "occurrence" })
    let starts = response.value.compactMap { $0["start"]?["dateTime"]?.string }
    #expect(starts == starts.sorted())
    #expect(response.value.contains { $0["subject"] == "Lunch with Bianca" })
  }

  @Test(
    "requires valid bounds for the calendar view",
    arguments: [
      "/me/calendarView", "/me/calendarView?startDateTime=2025-01-01T00:00:00Z",
      "/me/calendarView?startDateTime=2025-01-01&endDateTime=soon",
      "/me/calendarView?startDateTime=2025-01-02&endDateTime=2025-01-01",
      "/me/calendarView?startDateTime=2020-01-01&endDateTime=2025-06-01",
    ])
  func calendarViewBounds(path: String) async {
    let response = await GraphProbe("Calendars.Read").get(path)
    #expect(response.status == 400)
    #expect(response.code == "ErrorInvalidParameter")
  }

  @Test("returns events in pages of ten")
  func pages() async {
    let probe = GraphProbe("Calendars.Read")
    let first = await probe.get(Self.week)
    #expect(first.value.count == 10)
    let link = first.link ?? ""
    #expect(link.contains("$skip=10") && link.contains("startDateTime=2025-01-01T00:00:00Z"))
    let second = await probe.get(link)
    #expect(!second.value.isEmpty)
    #expect(Set(second.names("id")).isDisjoint(with: first.names("id")))
  }

  @Test(
    "converts times to the preferred time zone",
    arguments: [
      ("Pacific Standard Time", "2025-01-01T01:00:00.0000000"), ("Europe/Berlin", "2025-01-01T10:00:00.0000000"),
      ("India Standard Time", "2025-01-01T14:30:00.0000000"), ("UTC", "2025-01-01T09:00:00.0000000"),
      ("AUS Eastern Standard Time", "2025-01-01T20:00:00.0000000"),
    ])
  func zones(zone: String, start: String) async {
    let response = await GraphProbe("Calendars.Read").get(Self.week, [("Prefer", "outlook.timezone=\"\(zone)\"")])
    #expect(response.value.first?["start"] == ["dateTime": .string(start), "timeZone": .string(zone)])
    #expect(response.header("Preference-Applied") == "outlook.timezone=\"\(zone)\"")
  }

  @Test("rejects an unknown time zone")
  func unknownZone() async {
    let response = await GraphProbe("Calendars.Read").get(Self.week, [("Prefer", "outlook.timezone=\"Mars\"")])
    #expect(response.status == 400)
    #expect(response.code == "TimeZoneNotSupportedException")
  }

  @Test("requires calendar permissions")
  func scopes() async {
    let denied = await GraphProbe("User.Read").get("/me/events")
    #expect(denied.status == 403)
    #expect(denied.code == "ErrorAccessDenied")
    let basic = await GraphProbe("Calendars.ReadBasic").get("/me/events")
    #expect(basic.status == 200)
    #expect(basic.value.first?["body"] == nil)
    #expect(basic.value.first?["subject"] != nil)
    #expect(await GraphProbe("Calendars.ReadWrite").get("/me/events").value.first?["body"] != nil)
    #expect(await GraphProbe("Calendars.Read").post("/me/events", ["subject": "x"]).status == 403)
    #expect(await GraphProbe("Calendars.Read").get("/users/adele@contoso.com/events").status == 403)
  }

  @Test("fills in the properties of an event")
  func defaultProperties() async {
    let response = await GraphProbe("Calendars.Read").get("/me/events?$filter=subject eq 'Lunch with Bianca'")
    let event = response.value.first ?? .null
    #expect(response.body["@odata.context"]?.string?.hasSuffix("/events") == true)
    #expect(event["@odata.etag"]?.string?.hasPrefix("W/\"") == true)
    #expect(event["start"] == ["dateTime": "2025-01-03T12:00:00.0000000", "timeZone": "UTC"])
    #expect(event["organizer"]?["emailAddress"]?["address"] == "megan@contoso.com")
    #expect(event["isOrganizer"] == true)
    #expect(event["attendees"]?[0]?["emailAddress"]?["name"] == "Bianca Sol")
    #expect(event["type"] == "singleInstance")
    #expect(event["location"]?["displayName"] == "Cafeteria")
    #expect(event["~exceptions"] == nil)
  }

  @Test("creates, updates, and deletes an event")
  func changes() async {
    let probe = GraphProbe("Calendars.ReadWrite")
    let body: JSON = [
      "Subject": "Launch", "body": ["contentType": "HTML", "content": "<p>Be <b>there</b></p>"],
      "start": ["dateTime": "2025-07-01T09:00:00", "timeZone": "Pacific Standard Time"],
      "end": ["dateTime": "2025-07-01T10:00:00", "timeZone": "Pacific Standard Time"],
      "attendees": [["emailAddress": ["address": "adele@contoso.com"], "type": "required"]],
    ]
    let created = await probe.post("/me/events", body)
    #expect(created.status == 201)
    let id = created.body["id"]?.string ?? ""
    #expect(created.headers[.location]?.contains(id) == true)
    #expect(created.body["subject"] == "Launch")
    #expect(created.body["bodyPreview"] == "Be there")
    // California observes daylight saving time (UTC-7) on this date.
    #expect(created.body["start"] == ["dateTime": "2025-07-01T16:00:00.0000000", "timeZone": "UTC"])
    #expect(created.body["originalStartTimeZone"] == "Pacific Standard Time")
    #expect(created.body["responseStatus"]?["response"] == "organizer")

    let stale = created.body["@odata.etag"]?.string ?? ""
    let patched = await probe.patch("/me/events/\(id)", ["subject": "Launch!"], [("If-Match", stale)])
    #expect(patched.body["subject"] == "Launch!")
    #expect(patched.body["@odata.etag"]?.string != stale)
    #expect(await probe.patch("/me/events/\(id)", ["subject": "x"], [("If-Match", stale)]).status == 412)
    #expect(await probe.get("/me/events/\(id)?$select=subject").body["subject"] == "Launch!")
    #expect(await probe.delete("/me/events/\(id)").status == 204)
    #expect(await probe.get("/me/events/\(id)").code == "ErrorItemNotFound")
    #expect(await probe.delete("/me/events/\(id)").status == 404)
  }

  @Test(
    "rejects an invalid event",
    arguments: [
      ["subject": "no times"] as JSON, ["shoeSize": 4] as JSON,
      ["start": ["dateTime": "2025-01-02T00:00:00"], "end": ["dateTime": "2025-01-01T00:00:00"]],
      ["start": ["dateTime": "2025-01-01T00:00:00", "timeZone": "Mars"], "end": ["dateTime": "2025-01-01T00:00:00"]],
      [
        "start": ["dateTime": "2025-01-01T00:00:00"], "end": ["dateTime": "2025-01-01T01:00:00"],
        "recurrence": ["pattern": ["type": "weekly", "interval": 1], "range": ["type": "noEnd"]],
      ],
      ["isAllDay": true, "start": ["dateTime": "2025-01-01T01:00:00"], "end": ["dateTime": "2025-01-02T00:00:00"]],
    ])
  func invalidEvent(body: JSON) async {
    #expect(await GraphProbe("Calendars.ReadWrite").post("/me/events", body).status == 400)
  }

  @Test("changes one occurrence of a series")
  func occurrence() async {
    let probe = GraphProbe("Calendars.ReadWrite")
    let view = await probe.get(Self.week + "&$top=50")
    let standUps = view.value.filter { $0["subject"] == "Marketing stand-up" }
    let (first, second) = (standUps[0]["id"]?.string ?? "", standUps[1]["id"]?.string ?? "")
    #expect(await probe.get("/me/events/\(first)").body["type"] == "occurrence")
    #expect(await probe.patch("/me/events/\(first)", ["subject": "Sitting"]).body["type"] == "exception")
    #expect(await probe.delete("/me/events/\(second)").status == 204)
    let after = await probe.get(Self.week + "&$top=50")
    #expect(after.names("subject").filter { $0 == "Marketing stand-up" }.count == 1)
    #expect(after.names("subject").contains("Sitting"))
    let master = standUps[2]["seriesMasterId"]?.string ?? ""
    #expect(await probe.get("/me/events/\(master)").body["type"] == "seriesMaster")
    let instances = await probe.get(
      "/me/events/\(master)/instances?startDateTime=2025-01-06&endDateTime=2025-01-11")
    #expect(instances.value.count == 3)
    #expect(await probe.get("/me/events/\(master)-OCC-2025-01-07").status == 404)
  }

  @Test("returns bodies as text if the request prefers text")
  func bodiesAsText() async {
    let probe = GraphProbe("Calendars.Read")
    let html = await probe.get("/me/events?$top=1")
    #expect(html.value.first?["body"]?["contentType"] == "html")
    let text = await probe.get("/me/events?$top=1", [("Prefer", "outlook.body-content-type=\"text\"")])
    #expect(text.value.first?["body"]?["contentType"] == "text")
    #expect(text.value.first?["body"]?["content"]?.string?.contains("<") == false)
  }

  @Test("returns the user's calendar")
  func calendars() async {
    let probe = GraphProbe("Calendars.Read")
    let list = await probe.get("/me/calendars")
    #expect(list.names("name") == ["Calendar"])
    let id = list.value.first?["id"]?.string ?? ""
    #expect(await probe.get("/me/calendars/\(id)/events").value.count == 10)
    #expect(await probe.get("/me/calendars/other/events").status == 404)
    #expect(await probe.get("/me/calendar").body["isDefaultCalendar"] == true)
  }

  @Test("validates the page size")
  func pageSize() async {
    let probe = GraphProbe("Calendars.Read")
    #expect(await probe.get("/me/events?$top=1000").status == 200)
    #expect(await probe.get("/me/events?$top=1001").status == 400)
    #expect(await probe.get("/me/events?$top=0").status == 400)
    #expect(await probe.get("/me/events?$count=true").body["@odata.count"] == 13)
    #expect(await probe.get("/me/events?$skip=12").value.count == 1)
    #expect(
      await probe.get("/me/events?$orderby=start/dateTime desc&$top=1&$filter=type eq 'singleInstance'")
        .names("subject") == ["Campaign review 10"])
  }

  @Test("applies daylight saving time")
  func daylightSavingTime() throws {
    let zone = try #require(TimeZoneTable.zone(named: "W. Europe Standard Time"))
    func wall(_ text: String) -> String? { Instant(rfc3339: text).map { zone.wall(at: $0).rfc3339() } }
    #expect(wall("2025-03-30T00:59:59Z") == "2025-03-30T01:59:59Z")
    #expect(wall("2025-03-30T01:00:00Z") == "2025-03-30T03:00:00Z")
    #expect(wall("2025-10-26T00:59:59Z") == "2025-10-26T02:59:59Z")
    #expect(wall("2025-10-26T01:00:00Z") == "2025-10-26T02:00:00Z")
  }

  @Test(
    "computes the occurrences of a recurrence",
    arguments: [
      // A daily meeting stays at nine o'clock after daylight saving time starts in the US on March 9, 2025.
      (
        "2025-03-08T09:00:00", "Eastern Standard Time", #"{"type":"daily","interval":1}"#,
        ["2025-03-08T14:00", "2025-03-09T13:00", "2025-03-10T13:00"]
      ),
      (
        "2025-01-31T08:00:00", "UTC", #"{"type":"absoluteMonthly","interval":1,"dayOfMonth":31}"#,
        ["2025-01-31T08:00", "2025-02-28T08:00", "2025-03-31T08:00"]
      ),
      (
        "2025-01-01T08:00:00", "UTC",
        #"{"type":"relativeMonthly","interval":1,"daysOfWeek":["friday"],"index":"last"}"#,
        ["2025-01-31T08:00", "2025-02-28T08:00", "2025-03-28T08:00"]
      ),
      (
        "2025-01-01T08:00:00", "UTC",
        #"{"type":"relativeMonthly","interval":2,"daysOfWeek":["tuesday","thursday"],"index":"second"}"#,
        ["2025-01-07T08:00", "2025-03-06T08:00", "2025-05-06T08:00"]
      ),
      (
        "2024-02-29T08:00:00", "UTC", #"{"type":"absoluteYearly","interval":1,"dayOfMonth":29,"month":2}"#,
        ["2024-02-29T08:00", "2025-02-28T08:00", "2026-02-28T08:00"]
      ),
      (
        "2025-01-05T08:00:00", "UTC",
        #"{"type":"weekly","interval":2,"daysOfWeek":["sunday","monday"],"firstDayOfWeek":"monday"}"#,
        ["2025-01-05T08:00", "2025-01-13T08:00", "2025-01-19T08:00"]
      ),
      (
        "2025-01-01T08:00:00", "UTC",
        #"{"type":"relativeYearly","interval":1,"daysOfWeek":["thursday"],"index":"fourth","month":11}"#,
        ["2025-11-27T08:00", "2026-11-26T08:00", "2027-11-25T08:00"]
      ),
    ])
  func recurrence(start: String, zone: String, pattern: String, expected: [String]) async throws {
    let probe = GraphProbe("Calendars.ReadWrite")
    let end = start.replacing(":00:00", with: ":30:00")
    let created = await probe.post(
      "/me/events",
      [
        "subject": "Series", "start": ["dateTime": .string(start), "timeZone": .string(zone)],
        "end": ["dateTime": .string(end), "timeZone": .string(zone)],
        "recurrence": [
          "pattern": try JSON(parsing: Array(pattern.utf8)), "range": ["type": "numbered", "numberOfOccurrences": 3],
        ],
      ])
    #expect(created.body["type"] == "seriesMaster")
    let id = created.body["id"]?.string ?? ""
    let match = await probe.get("/me/events/\(id)/instances?startDateTime=2024-01-01&endDateTime=2028-12-01")
    #expect(match.value.map { String($0["start"]?["dateTime"]?.string?.prefix(16) ?? "") } == expected)
  }
}
